# frozen_string_literal: true

module Mohs
  module Report
    # The document of `mohs servers` as rows of a matrix, for whoever prints it. Rubies on which a
    # server does the same share a row. Pure.
    class ServersMatrix
      TITLES = { processes: "procs", threads: "threads", fibers: "fibers", keep_alive: "keep",
                 unix: "unix", preload: "preload", streaming: "stream", websocket: "ws",
                 proxy_needed: "proxy" }.freeze
      # [claimed, seen] => mark. What was not seen is marked otherwise than what was.
      MARKS = { [true, true] => "yes", [nil, true] => "yes", [nil, false] => "no",
                [true, false] => "no!", [false, true] => "yes!", [false, false] => "no",
                [true, nil] => "yes?", [false, nil] => "-", [nil, nil] => "?" }.freeze
      LEGEND = { "yes" => "seen", "no" => "seen that it doesn't", "no!" => "claimed, but not seen",
                 "yes!" => "seen, though not claimed", "yes?" => "claimed, never tried",
                 "?" => "not known, never tried", "-" => "mohs does not offer it" }.freeze
      # What a server does that people should know, by the trait that was not seen.
      CONDUCT = { workers: "a process got no request",
                  survives: "suffers from clients that leave",
                  drains: "drops requests under way when it is stopped",
                  ends: "does not end by its stop signal, or leaves processes behind",
                  restarts: "can't listen on the same port again at once",
                  reports: "serves an application that raised while it was loaded, or does not " \
                           "log why" }.freeze

      # server and rubies by their names, `marks` in the order of TITLES, `tried`: by a
      # verification.
      Row = Struct.new(:server, :rubies, :marks, :tried, keyword_init: true)
      # A text about a server on some Rubies.
      Note = Struct.new(:server, :rubies, :text, keyword_init: true)

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @servers = document.fetch(:servers)
      end

      # Of all that was verified, or never tried.
      #: () -> Array[Report::ServersMatrix::Row]
      def rows
        @servers.flat_map do |server|
          cells = server[:rubies].reject { |cell| cell[:state] == ServersModel::REFUSED }
          cells.group_by { |cell| [cell[:state], marks(cell)] }.map do |(state, marks), same|
            Row.new(server: server[:name], rubies: names(same), marks:,
                    tried: state == ServersModel::VERIFIED)
          end
        end
      end

      # The marks that occur, with what they mean.
      #: () -> Hash[String, String]
      def legend = LEGEND.slice(*rows.flat_map(&:marks).uniq)

      # What servers were seen not to do.
      #: () -> Array[Report::ServersMatrix::Note]
      def conduct
        grouped { |cell| CONDUCT.select { |name, _| cell[:conduct][name][:seen] == false }.values }
      end

      # What servers claim and were not seen to do: with the numbers, or why they did not boot.
      #: () -> Array[Report::ServersMatrix::Note]
      def broken_claims
        grouped do |cell|
          cell[:capabilities].filter_map do |name, trait|
            next unless trait.values_at(:claimed, :seen) == [true, false]

            counts = "#{trait[:counted]} of #{trait[:asked]}" if trait[:asked]
            [TITLES.fetch(name), *counts, *trait[:reason]&.lines&.first&.chomp].join(", ")
          end
        end
      end

      # Reasons of refusals: those of mohs itself, which tried nothing, apart from those of a
      # verification.
      #: (tried: bool) -> Array[Report::ServersMatrix::Note]
      def refused(tried:)
        grouped do |cell|
          refused = cell[:state] == ServersModel::REFUSED && tried == !cell[:tried_ms].nil?
          refused ? [cell[:reason].delete_prefix("#{cell[:server]}: ")] : []
        end
      end

      private

      def names(cells) = cells.map { |cell| cell[:ruby] }

      def marks(cell)
        TITLES.keys.map do |name|
          MARKS.fetch(cell[:capabilities].fetch(name).values_at(:claimed, :seen))
        end
      end

      # The texts that the block gives for a cell, of each server.
      def grouped
        @servers.flat_map do |server|
          texts = server[:rubies].flat_map do |cell|
            yield({ **cell, server: server[:name] }).map { |text| [text, cell] }
          end
          texts.group_by(&:first).map do |text, same|
            Note.new(server: server[:name], rubies: names(same.map(&:last)), text:)
          end
        end
      end
    end
  end
end

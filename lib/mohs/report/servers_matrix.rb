# frozen_string_literal: true

module Mohs
  module Report
    # The document of `mohs servers` as the rows of a matrix, for any output. Rubies on which a
    # server behaves alike share a row. Pure.
    class ServersMatrix
      TITLES = { processes: "procs", threads: "threads", fibers: "fibers", keep_alive: "keep",
                 unix: "unix", preload: "preload", streaming: "stream", websocket: "ws",
                 connections: "held", proxy_needed: "proxy" }.freeze
      # [claimed, seen] => mark. Traits that were not tried have other marks than those that were.
      MARKS = { [true, true] => "yes", [nil, true] => "yes", [nil, false] => "no",
                [true, false] => "no!", [false, true] => "yes!", [false, false] => "no",
                [true, nil] => "yes?", [false, nil] => "-", [nil, nil] => "?" }.freeze
      LEGEND = { "yes" => "seen", "no" => "seen that it doesn't", "no!" => "claimed, but not seen",
                 "yes!" => "seen, though not claimed", "yes?" => "claimed, never tried",
                 "?" => "not known, never tried", "-" => "mohs does not offer it" }.freeze
      # Connections that were held are counted. The forms of that number, with what they mean.
      HELD = { "N" => "event streams held while others are answered",
               "N+" => "as many as were tried",
               "N kept" => "connections kept between requests, as it does not stream" }.freeze
      # What people should know about a server's conduct, by the trait that was not seen.
      CONDUCT = { workers: "a process got no request",
                  counted: "works in processes whose CPU time is not counted",
                  survives: "suffers from clients that leave",
                  drains: "drops requests under way when it is stopped",
                  ends: "does not end by its stop signal, or leaves processes behind",
                  restarts: "can't listen on the same port again at once",
                  reports: "serves an application that raised while it was loaded, or does not " \
                           "log why" }.freeze

      # The heading of #conduct.
      SEEN = "Seen on this machine:"

      # server and rubies: names. marks: in the order of TITLES. tried: whether a verification tried
      # it.
      Row = Struct.new(:server, :rubies, :marks, :tried, keyword_init: true)
      # A text about some servers on some Rubies, all by name.
      Note = Struct.new(:servers, :rubies, :text, keyword_init: true)

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @servers = document.fetch(:servers)
      end

      # The rows of everything that was verified or never tried.
      #: () -> Array[Report::ServersMatrix::Row]
      def rows
        @servers.flat_map do |server|
          possible(server).group_by { |cell| [cell[:state], marks(cell)] }
                          .map do |(state, marks), same|
            Row.new(server: server[:name], rubies: names(same), marks:,
                    tried: state == ServersModel::VERIFIED)
          end
        end
      end

      # The marks that occur, with their meanings.
      #: () -> Hash[String, String]
      def legend
        forms = @servers.flat_map { |server| possible(server) }.flat_map { |cell| forms(cell) }
        { **LEGEND.slice(*rows.flat_map(&:marks)),
          **HELD.select { |form, _| forms.include?(form) } }
      end

      # Notes below the matrix, by heading; headings without notes are left out.
      #: () -> Hash[String, Array[Report::ServersMatrix::Note]]
      def sections
        { "Claimed, but not seen:" => broken_claims, SEEN => conduct,
          "Refused when tried:" => refused(tried: true),
          "Not tried, since mohs refuses it:" => refused(tried: false) }
          .reject { |_, notes| notes.empty? }
      end

      # What servers were seen not to do.
      #: () -> Array[Report::ServersMatrix::Note]
      def conduct
        notes do |cell|
          seen = CONDUCT.select { |name, _| cell[:conduct].dig(name, :seen) == false }
          { **seen, connections: unheld(cell) }.compact
        end
      end

      private

      # What servers claim but were not seen to do, with the numbers, or why they did not boot.
      def broken_claims
        notes do |cell|
          { **cell[:capabilities], **cell[:conduct] }
            .select { |_, trait| trait.values_at(:claimed, :seen) == [true, false] }
            .map { |name, trait| [[name, trait.values_at(:asked, :counted), cause(trait)],
                                  broken(name, trait)] }
        end
      end

      def broken(name, trait)
        counts = "#{trait[:counted]} of #{trait[:asked]}" if trait[:asked]
        [TITLES.fetch(name, name.to_s), *counts, *trait[:summary]].join(", ")
      end

      # Reasons for refusals. tried: those of verifications; otherwise those of mohs itself, which
      # tried nothing.
      def refused(tried:)
        notes do |cell|
          refused = cell[:state] == ServersModel::REFUSED && tried == !cell[:tried_ms].nil?
          refused ? [[cause(cell), cell[:reason]]] : []
        end
      end

      # A value that is equal for two reasons with one cause, whatever their wording and server.
      def cause(facts)
        code, values, text = facts.values_at(:code, :values, :reason)
        code ? [code, values.except(:server)] : text
      end

      # What a server does on the Rubies on which mohs tries it.
      def possible(server)
        server[:rubies].reject { |cell| cell[:state] == ServersModel::REFUSED }
      end

      def names(cells) = cells.map { |cell| cell[:ruby] }

      def marks(cell)
        TITLES.keys.map do |name|
          trait = cell[:capabilities].fetch(name)
          next held(cell) if name == :connections && trait[:counted]

          MARKS.fetch(trait.values_at(:claimed, :seen))
        end
      end

      # Why a server held no connections, if it did not survive that.
      def unheld(cell)
        connections = cell[:capabilities].fetch(:connections)
        "#{connections[:summary]} while it had to hold connections" if connections[:summary]
      end

      def held(cell)
        count = Numbers.whole(cell[:capabilities][:connections][:counted])
        "#{count}#{"+" if all_held?(cell)}#{" kept" unless streams?(cell)}"
      end

      # Those of HELD in which the number is written; none without a number.
      def forms(cell)
        return [] unless cell[:capabilities][:connections][:counted]

        [streams?(cell) ? "N" : "N kept", *("N+" if all_held?(cell))]
      end

      def all_held?(cell) = cell[:capabilities][:connections][:seen]

      def streams?(cell) = cell[:capabilities][:streaming][:seen]

      # The block returns the notes on a server's cell, as pairs of a value that equal notes share
      # and the text.
      def notes(&facts)
        found = @servers.flat_map { |server| of_server(server, &facts) }
        found.group_by { |same, note| [same, note.rubies] }.values.map do |all|
          notes = all.map(&:last)
          Note.new(**notes.first.to_h, servers: notes.flat_map(&:servers))
        end
      end

      def of_server(server)
        texts = server[:rubies].flat_map do |cell|
          yield(cell).map { |same, text| [same, text, cell] }
        end
        texts.group_by(&:first).map do |same, all|
          [same, Note.new(servers: [server[:name]], rubies: names(all.map(&:last)),
                          text: all.dig(0, 1))]
        end
      end
    end
  end
end

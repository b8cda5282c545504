# frozen_string_literal: true

module Mohs
  class LoadRun
    # A search for the highest number of connections within a limit: the answer, and every load.
    class ConnectionView < Report::Views::Base
      include FailedChecks

      KIND = "load --find-connections"
      LACKS = "a search for a number of connections has no variants"
      SECTIONS = [LoadsSection, ChecksSection, Report::Sections::Provenance].freeze

      TONES = { "kept" => :good, "missed" => :bad, "spoiled" => :open }.freeze

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = document[:command] == "load" && document.key?(:loads)

      # A load in words: "400 connections: fan-out p99 41.2 ms, kept".
      #: (Hash[Symbol, untyped], String) -> String
      def self.load(load, figure)
        count = Report::Numbers.counted(load[:connections], "connection")
        time = Report::Numbers.latency_with_unit(*load.values_at(:figure_ms, :more_than_ms))
        "#{count}: #{figure} #{time}, #{result(load)}"
      end

      #: (Hash[Symbol, untyped]) -> String
      def self.result(load)
        missing = load[:connections] - load[:opened]
        lost = { "not opened" => missing, "dropped" => load[:dropped] }
               .select { |_, count| count.positive? }
        [load[:outcome], *lost.map { |name, count| "#{Report::Numbers.whole(count)} #{name}" },
         unposted(load[:unposted].to_h), load[:reason]].compact.join(", ")
      end

      #: (Hash[Symbol | String, Integer]) -> String?
      def self.unposted(counts)
        return if counts.empty?

        classes = counts.map { |name, count| "#{name} #{Report::Numbers.whole(count)}" }
        "#{Report::Numbers.whole(counts.values.sum)} not published (#{classes.join(', ')})"
      end
      private_class_method :unposted

      private

      def called = @document[:server]

      def subject = View.subject({ **@document, connections: nil })

      def basis
        loads = Report::Numbers.counted(@document[:loads].size, "load")
        opening = say("connections_opening", rate: @document[:open_per_s])
        [format("%.0f s", @document[:seconds]), loads, opening, messages].compact.join(" · ")
      end

      def messages
        rate = @document[:messages_per_s] or return
        to_all_clause = say("stream_to_all") if @document[:fan_out]
        say("stream_messages", rates: Intent.ends(rate, nil), to_all_clause:)
      end

      def facts
        limit, kept, missed = @document.values_at(:limit, :kept, :missed)
        below = Report::Numbers.latency_with_unit(limit[:below_ms], nil)
        [["limit", "#{limited} below #{below}"],
         ["how many", kept && "#{Report::Numbers.counted(kept, 'connection')} kept it"],
         ["too many", missed && "#{Report::Numbers.counted(missed, 'connection')} did not"]]
      end

      # Every load, the fewest connections first.
      def tables
        loads = @document[:loads].sort_by { |load| load[:connections] }
        rows = loads.map { |load| row(load) }
        rows.any? ? [table(:loads, columns, rows, runs_on: true)] : []
      end

      def columns
        [column(:connections, "connections", figure: true),
         column(:figure, "#{limited}, ms", figure: true), column(:outcome, "")]
      end

      def row(load)
        ms, more_than = load.values_at(:figure_ms, :more_than_ms)
        { connections: cell(Report::Numbers.whole(load[:connections]), value: load[:connections]),
          figure: cell(Report::Numbers.latency(ms, more_than), value: ms || more_than),
          outcome: cell(self.class.result(load), tone: TONES[load[:outcome]]) }
      end

      def remarks
        wide = remark("range", say("connections_wide"), code: :wide) unless @document[:precise]
        [*([wide] if wide && @document[:kept]), *first_refused, *failed_checks]
      end

      def first_refused
        refused = @document[:first_refused] or return []
        text = say("stream_first_refused", **refused.slice(:status, :bytes))
        [remark("POST", text, code: :first_refused)]
      end

      def limited = @document[:limit].values_at(:what, :figure).join(" ")
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Analysis
    # What became of the streams of one variant: counts over the slices of all of its boots, and
    # medians over boots of what each boot has. What is timed is in latencies (Analysis::Latency).
    class Streams
      #: (Array[Store::Trial]) -> void
      def initialize(trials)
        @boots = trials.map { |trial| trial.measured_slices.select(&:streams) }.reject(&:empty?)
        @slices = @boots.flatten
      end

      # Streams that had to be opened, those that the server opened and, of these, those that it
      # dropped before the end of their slice.
      #: () -> { asked: Integer, opened: Integer, dropped: Integer }
      def counts
        # Slices of event streams that were stored before there were WebSockets have none asked.
        asked = @slices.sum { |slice| slice.streams[:asked] || slice.sent }
        { asked:, opened: sum(:opened), dropped: sum(:dropped) }
      end

      # { "closed" => 1 }: how the dropped ones ended (Load::Streams::Result).
      #: () -> Hash[String, Integer]
      def dropped_by
        Figures.sum(@slices.map { |slice| slice.streams[:ends].transform_keys(&:to_s) })
      end

      #: () -> Integer
      def events = sum(:events)

      # Messages over WebSockets as in Load::Streams::Result, with those that were `due` and, of the
      # sent ones, those `lost`; nil for event streams.
      #: () -> Hash[Symbol, Integer]?
      def messages
        counts = @slices.filter_map { |slice| slice.streams[:messages] }
        return if counts.empty?

        all = Figures.sum(counts)
        { due: all[:sent] + all[:unsent], **all, lost: all[:sent] - all[:received] }
      end

      # Time from when a connection had to be opened to the head of its response, in ms: of each
      # slice a quantile, of each boot their median; nil if failures hold that rank in half of them.
      #: () -> { p50: Float?, p99: Float? }
      def opening_ms
        { p50: :opening_p50_ns, p99: :opening_p99_ns }.transform_values do |key|
          found = median { |slices| slices.map { |slice| slice.streams[key] || Float::INFINITY } }
          found / 1e6 if found&.finite?
        end
      end

      # Time between two events of a stream, in ms: of each slice a quantile, of each boot their
      # median; nil without any.
      #: () -> { p50: Float?, p99: Float? }
      def gap_ms
        { p50: :gap_p50_ns, p99: :gap_p99_ns }.transform_values do |key|
          median { |slices| slices.filter_map { |slice| slice.streams[key] } }&./(1e6)
        end
      end

      # How much more memory the server had while connections were open than before it was loaded,
      # for each of them; nil if unknown, or if it had no more.
      #: () -> Integer?
      def memory_per_connection_bytes
        per = median { |slices| [grown(slices)].compact }
        per.round if per&.positive?
      end

      private

      def sum(key) = @slices.sum { |slice| slice.streams[key] }

      # Over boots, of the median of what the block has for a boot.
      def median
        values = @boots.filter_map do |slices|
          found = yield(slices)
          Stats::Center.median(found) if found.any?
        end
        Stats::Center.median(values) if values.any?
      end

      # A server may keep the memory of connections that have been closed: what it had before is
      # known of the first slice only.
      def grown(slices)
        before = slices.first.streams[:rss_before_bytes]
        during = slices.filter_map { |slice| slice.streams[:rss_bytes] }
        opened = Stats::Center.median(slices.map { |slice| slice.streams[:opened] })
        return unless before && during.any? && opened.positive?

        (Stats::Center.median(during) - before) / opened
      end
    end
  end
end

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
      def counts = { asked: sum(:asked), opened: sum(:opened), dropped: sum(:dropped) }

      # { "closed" => 1 }: how the dropped ones ended (Load::Streams::Result).
      #: () -> Hash[String, Integer]
      def dropped_by
        Figures.sum(@slices.map { |slice| slice.streams[:ends].transform_keys(&:to_s) })
      end

      #: () -> Integer
      def events = sum(:events)

      # Messages as in Load::Streams::Result, with those that were `due` and, of the sent ones,
      # those `lost`; nil for event streams to which none are published.
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
      def opening_ms = ranked(:opening)

      # From when messages were due to when they were sent, in ms: of each slice a quantile, of each
      # boot their median; nil without any.
      #: () -> { p50: Float?, p99: Float? }
      def send_lag_ms = typical(:lag)

      # How often messages to all connections should have come to one, and did; nil if they only
      # had to come back.
      #: () -> { due: Integer, came: Integer }?
      def fan_out
        counts = @slices.filter_map { |slice| slice.streams[:fan_out] }
        Figures.sum(counts) if counts.any?
      end

      # From when such a message was due until half of the connections had it, 99 % of them, and
      # all, in ms: of each slice a quantile, of each boot their median; nil if failures hold that
      # rank in half of them.
      #: () -> { p50: Float?, p99: Float? }
      def half_ms = ranked(:half)

      #: () -> { p50: Float?, p99: Float? }
      def most_ms = ranked(:most)

      #: () -> { p50: Float?, p99: Float? }
      def all_ms = ranked(:all)

      # Connections that were opened and lasted, of those that had to be opened.
      #: () -> Float?
      def held_share
        asked, opened, dropped = counts.values_at(:asked, :opened, :dropped)
        (opened - dropped).fdiv(asked) if asked.positive?
      end

      # Time between two events of a stream, in ms: of each slice a quantile, of each boot their
      # median; nil without any, or if silences that had no end hold that rank in half of them.
      #: () -> { p50: Float?, p99: Float? }
      def gap_ms = ranked(:gap) { |slice| slice.streams[:gaps].to_i.positive? }

      # How much more memory the server had while connections were open than before it was loaded,
      # for each that was open as it was read; nil if unknown, or if it had no more.
      #: () -> Integer?
      def memory_per_connection_bytes
        per = median { |slices| [grown(slices)].compact }
        per.round if per&.positive?
      end

      private

      # Where a slice without the quantile has a failure at its rank. The block: whether a slice had
      # anything of the kind.
      def ranked(name)
        of_slices(name) do |slices, key|
          slices.filter_map do |slice|
            slice.streams[key] || (Float::INFINITY if !block_given? || yield(slice))
          end
        end
      end

      # Where a slice without the quantile had nothing of the kind.
      def typical(name)
        of_slices(name) { |slices, key| slices.filter_map { |slice| slice.streams[key] } }
      end

      def of_slices(name)
        %w[p50 p99].to_h do |quantile|
          found = median { |slices| yield(slices, :"#{name}_#{quantile}_ns") }
          [quantile.to_sym, (found / 1e6 if found&.finite?)]
        end
      end

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
        open = Stats::Center.median(slices.map { |slice| held(slice.streams) })
        return unless before && during.any? && open.positive?

        (Stats::Center.median(during) - before) / open
      end

      # Memory is read near the end of a slice, and is that of the connections that were open then.
      # If the slice ended before, there are only those that it ended with.
      def held(streams) = streams[:open_at_reading] || (streams[:opened] - streams[:dropped])
    end
  end
end

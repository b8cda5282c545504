# frozen_string_literal: true

module Mohs
  module Compare
    # What adjusting for core speed did to a comparison, as of a look: what the result would be
    # without it, and whether it may have removed some of the difference itself. The pieces of
    # work are the same for both sides; if they take longer beside one of them, more cohorts do
    # not remove the bias. The interval allows for a bias of up to Stats::CoreSpeed::BOUNDS.
    class Adjusted
      #: (Compare::Result, Compare::Look) -> void
      def initialize(comparison, look)
        @comparison = comparison
        @look = look
      end

      # The effect of a metric before the adjustment, tested in the same way; nil if it was not
      # adjusted.
      #: (Analysis::Metric, Stats::Sequential) -> Stats::Interval?
      def raw(metric, sequential)
        return unless Analysis::Metric::OF_SLICES.include?(metric.key) && on?

        sequential.interval(@look.raw(metric), bias: @look.own_bias(metric)).exp
      end

      #: () -> Array[Analysis::Finding]
      def findings = on? ? [moved, own_speed].compact : []

      private

      def on? = slices.any?(&:at_pace)

      def slices = @look.pairs.flat_map(&:trials).flat_map(&:measured_slices)

      # Is the raw result further from the adjusted one than half of its interval?
      def moved
        metric = @comparison.metric
        sequential = @comparison.sequential(look: @look)
        raw = raw(metric, sequential)
        return unless raw&.low

        half = sequential.half_width(@look.differences, bias: @look.adjustment_bias)
        adjusted = Stats::Center.mean(@look.differences)
        return if (adjusted - Math.log(raw.value)).abs <= half

        note("adjustment_moves", metric: metric.title, better: metric.more ? "more" : "less",
                                 effect: raw.value, interval: [raw.low, raw.high])
      end

      # By ln(pace_B / pace_A) of each cohort: does any of the pieces of work take longer beside
      # one side?
      def own_speed
        kinds = Stats::CoreSpeed::KINDS
        sequential = @comparison.sequential(kinds.size, look: @look, alpha: Warnings::ALPHA)
        found = kinds.filter_map do |kind|
          logs = @look.pairs.filter_map { |pair| pair.core_speed[kind] }
          interval = sequential.interval(logs)
          next unless interval.low && (interval.low * interval.high).positive?

          { kind: kind.to_s, ratio: Math.exp(interval.value) }
        end
        note("core_speed_differs", differing: found) if found.any?
      end

      def note(code, **values) = Analysis::Finding.new(code:, severity: :warn, values:)
    end
  end
end

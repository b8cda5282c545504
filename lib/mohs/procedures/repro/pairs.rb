# frozen_string_literal: true

module Mohs
  module Repro
    # What claims say about pairs of a run's variants: the gain of the first over the second, or the
    # time that a request takes on the first beyond that on the second, its overhead.
    class Pairs
      #: (Analysis::Run) -> void
      def initialize(run)
        @cohorts = run.result.cohorts
        @effects = run.result.effects_of(Effects)
        @alpha = run.result.alpha
      end

      # The ratio of two gains, `other` over `one`: each gain is the metric of the first variant of
      # a pair, as a ratio to that of the second.
      #: (Analysis::Metric, [String, String], [String, String]) -> Analysis::Contrast
      def gains(metric, one, other)
        contrast(metric, one, other, effect: @effects.gain_ratio(metric, one, other),
                                     total: @effects.total_gain_ratio(metric, one, other))
      end

      # The ratio of two overheads, `other` over `one`. What spoils the time of requests spoils
      # them.
      #: ([String, String], [String, String]) -> Analysis::Contrast
      def overheads(one, other)
        contrast(Metrics::OVERHEAD, one, other, effect: @effects.overhead_ratio(one, other),
                                                total: @effects.total_overhead_ratio(one, other),
                                                spoiled: Analysis::Metric.named("p50"))
      end

      # The overhead of one pair, in microseconds of the clock: the mean over the rounds that had
      # both.
      #: ([String, String]) -> Stats::Interval
      def overhead_us(pair)
        differences = @cohorts.group_by(&:round).each_value.filter_map do |round|
          slow, fast = pair.map { |name| time_us(round.flat_map(&:trials), name) }
          slow - fast if slow && fast
        end
        Stats::Interval.of(differences, level: 1 - @alpha)
      end

      private

      # The time of a request, at the typical rate of each of a variant's trials.
      def time_us(trials, name)
        measured = trials.select { |trial| trial.variant == name && trial.measured? }
        rates = measured.filter_map { |trial| Analysis::Figures.new(trial).throughput_per_s }
        Stats::Center.mean(rates.map { |rate| 1e6 / rate }) if rates.any?
      end

      # It means nothing if the variants of either pair can't be compared with each other.
      def contrast(metric, *pairs, effect:, total:, spoiled: metric)
        fatal = pairs.filter_map { |pair| @effects.fatal_of(spoiled, *pair) }.first
        Analysis::Contrast.new(metric:, effect:, total:, alpha: @alpha, fatal:)
      end
    end
  end
end

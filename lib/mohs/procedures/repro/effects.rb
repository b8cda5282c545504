# frozen_string_literal: true

module Mohs
  module Repro
    # Effects as claims need them besides those of any run: of pairs of variants.
    class Effects < Analysis::Effects
      # The ratio of two gains, `other` over `one`, as a log ratio of the metric itself; a gain is
      # the ratio of the first variant of a pair to the second. Each may be as far off as one
      # difference.
      #: (Analysis::Metric, [String, String], [String, String]) -> Stats::Effect
      def gain_ratio(metric, one, other) = gained(contrasts_by(metric), metric, one, other)

      # The same for the totals; nil for a metric without totals.
      #: (Analysis::Metric, [String, String], [String, String]) -> Stats::Effect?
      def total_gain_ratio(metric, one, other)
        gained(totals(metric.key), metric, one, other) \
          if Stats::Sample::TOTALLED.include?(metric.key)
      end

      # The ratio of two overheads, `other` over `one`, by the variants' rates: an overhead is the
      # time that a request takes on the first variant of a pair beyond that on the second.
      #: ([String, String], [String, String]) -> Stats::Effect
      def overhead_ratio(one, other) = beyond(contrasts(METRIC), one, other)

      # The same by rates with pauses included.
      #: ([String, String], [String, String]) -> Stats::Effect
      def total_overhead_ratio(one, other) = beyond(totals(METRIC), one, other)

      private

      def gained(contrasts, metric, one, other)
        bias = [one, other].sum { |pair| ratio_bias(metric.key, *pair).most }
        of_metric(metric, contrasts.between_pairs(one, other).biased(bias))
      end

      # The adjustment and the loss are those of one difference: Stats::Overhead counts them for
      # both pairs.
      def beyond(contrasts, one, other)
        names = [*one, *other]
        pairs = [one, other].sum { |pair| pair_bias(METRIC, *pair).most }
        bias = @adjustment.bias(METRIC) + pairs + lost(METRIC, names)
        Stats::Overhead.ratio(contrasts.relative(names), one, other, bias:)
      end
    end
  end
end

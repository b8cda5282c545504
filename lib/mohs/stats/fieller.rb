# frozen_string_literal: true

module Mohs
  module Stats
    # The ratio of two means of the same cohorts and its interval: all ratios r for which the mean
    # of (above - r * below) could be 0 (Fieller 1954). A share of a difference is such a ratio: its
    # denominator varies as well.
    module Fieller
      module_function

      # alpha: chance that the interval misses. Without ends for fewer cohorts than
      # Interval::FEWEST, and if the denominator itself could be 0: then no ratio is excluded.
      #: (Array[Float], Array[Float], alpha: Float) -> Stats::Interval
      def ratio(above, below, alpha:)
        count = above.size
        one, other = Center.mean(above), Center.mean(below)
        value = one / other unless other.zero?
        return Interval.new(value:, count:) if value.nil? || count < Interval::FEWEST

        squared = (StudentT.upper_quantile(alpha / 2, count - 1)**2) / count
        leading = (other**2) - (squared * covariance(below, below))
        return Interval.new(value:, count:) unless leading.positive?

        middle = (one * other) - (squared * covariance(above, below))
        last = (one**2) - (squared * covariance(above, above))
        reach = Math.sqrt([(middle**2) - (leading * last), 0.0].max)
        Interval.new(value:, low: (middle - reach) / leading, high: (middle + reach) / leading,
                     count:)
      end

      def covariance(one, other)
        means = [one, other].map { |values| Center.mean(values) }
        one.zip(other).sum { |x, y| (x - means[0]) * (y - means[1]) } / (one.size - 1)
      end

      private_class_method :covariance
    end
  end
end

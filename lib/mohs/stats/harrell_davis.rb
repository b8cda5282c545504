# frozen_string_literal: true

module Mohs
  module Stats
    # A quantile as a weighted mean of all order statistics (Harrell and Davis, Biometrika 69,
    # 1982): steadier than one or two of them in samples of up to about two thousand. In larger ones
    # Quantile.ranks is as good and assumes less.
    module HarrellDavis
      # A cumulative weight this close to 0 or 1 counts as 0 or 1.
      NOTHING = 1e-16

      module_function

      # The estimate with the interval from its standard error. An end that no order statistic
      # bounds (Quantile.ranks: too few observations beyond the quantile) is nil here, too, since
      # the standard error can't include values that were not observed.
      #: (Array[Numeric], Float, ?level: Float) -> Stats::Interval
      def interval(values, p, level: 0.95)
        return Interval.new(count: values.size) if values.empty?

        value, error = estimate(values, p)
        reach = Normal.quantile((1 + level) / 2) * error
        low, high = Quantile.ranks(values.size, p, level:)
        Interval.new(value:, low: low && (value - reach), high: high && (value + reach),
                     count: values.size)
      end

      # [estimate, its standard error]. The error is that of Maritz and Jarrett (J. Am. Stat. Assoc.
      # 73, 1978): the spread of the order statistic whose distribution the weights approximate.
      #: (Array[Numeric], Float) -> [Float, Float]
      def estimate(values, p)
        sorted = values.sort
        first, weights = weights(sorted.size, p)
        near = sorted[first, weights.size]
        value = near.zip(weights).sum { |x, weight| x * weight }
        [value, Math.sqrt(near.zip(weights).sum { |x, weight| weight * ((x - value)**2) })]
      end

      # [index of the first order statistic that counts, weights from there on]: order statistic i
      # of n gets I_(i/n)(a, b) - I_((i-1)/n)(a, b) with a = (n + 1) p, b = (n + 1)(1 - p). Walks
      # outwards from the middle until nothing is left, so a few times the square root of n are
      # enough.
      #: (Integer, Float) -> [Integer, Array[Float]]
      def weights(n, p)
        middle = (n * p).round
        below = walk(middle.downto(0), n, p) { |share| share <= NOTHING }
        above = walk((middle + 1)..n, n, p) { |share| share >= 1 - NOTHING }
        shares = below.reverse + above
        [middle - below.size + 1, shares.each_cons(2).map { |low, high| high - low }]
      end

      # Cumulative weights at each index, up to the first for which the block is true.
      def walk(indexes, n, p)
        indexes.each_with_object([]) do |index, shares|
          shares << Beta.regularized(index.fdiv(n), (n + 1) * p, (n + 1) * (1 - p))
          break shares if yield(shares.last)
        end
      end

      private_class_method :walk
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    # Quantiles of one sample, with the interval that its order statistics give: free of any
    # assumption on the distribution, but only for independent observations, so inside one boot.
    module Quantile
      module_function

      # Type 7 of Hyndman and Fan (1996), the default of R, NumPy and Excel: linear between the
      # order statistics around (n - 1) p. `sorted` must be.
      #: (Array[Numeric], Numeric) -> Float
      def type7(sorted, p)
        position = (sorted.size - 1) * p
        below = position.floor
        above = [below + 1, sorted.size - 1].min
        sorted[below] + ((position - below) * (sorted[above] - sorted[below]))
      end

      # Ranks (from 1) whose order statistics enclose the quantile: np -+ z sqrt(np(1-p)), rounded
      # outwards (Conover, Practical Nonparametric Statistics, section 3.2). An end that falls
      # outside the sample is nil: it has no bound.
      #: (Integer, Numeric, ?level: Float) -> [Integer?, Integer?]
      def ranks(n, p, level: 0.95)
        reach = Normal.quantile((1 + level) / 2) * Math.sqrt(n * p * (1 - p))
        low = ((n * p) - reach).floor
        high = ((n * p) + reach).ceil
        [low < 1 ? nil : low, high > n ? nil : high]
      end

      # Type 7 with its interval.
      #: (Array[Numeric], Numeric, ?level: Float) -> Stats::Interval
      def interval(values, p, level: 0.95)
        sorted = values.sort
        low, high = ranks(sorted.size, p, level:).map { |rank| rank && sorted[rank - 1] }
        Interval.new(value: type7(sorted, p), low:, high:, count: sorted.size)
      end
    end
  end
end

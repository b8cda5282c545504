# frozen_string_literal: true

module Mohs
  module Stats
    # How likely will a t test find a difference, when its spread is known from an earlier one only?
    # Taking that spread for the true one promises too much, the more so the fewer values it rests
    # on: from three rounds, 80 of 100 were 64. So the chance is averaged over the spreads that may
    # have led to the one seen (assurance: O'Hagan, Stevens and Campbell, Pharmaceutical Statistics
    # 4, 2005; prior 1 / sd).
    module Assurance
      # Of a difference that is there, so many times of a hundred it should be found.
      POWER = 0.8

      # What is asked of the average for that: who wants to know is undecided, and of these more
      # have a spread that came out too large. Simulated, with sds from 0.4 to 3 %, it comes to 76
      # to 88 of 100 in runs, to 75 to 88 in comparisons, whose looks lie apart.
      ASKED = 0.77

      # Equally likely parts of the distribution of the spread.
      PARTS = 24
      QUANTILES = Array.new(PARTS) { |part| Normal.quantile((part + 0.5) / PARTS) }.freeze

      module_function

      # Is it likely enough? difference: over its standard error, as far as that is known by
      # `known` degrees of freedom. bound: of |t| in the coming test, which has `df`.
      #: (difference: Float, bound: Float, df: Numeric, known: Numeric) -> bool
      def enough?(difference:, bound:, df:, known:)
        chances = QUANTILES.map { |z| beyond(bound, df, difference * precision(z, known)) }
        Center.mean(chances) >= ASKED
      end

      # The sd seen over the true one: chi-square as Wilson and Hilferty (1931) have it.
      def precision(z, df)
        part = 2 / (9.0 * df)
        Math.sqrt([1 - part + (z * Math.sqrt(part)), 0.0].max**3)
      end

      # P(t > bound) about a mean (Abramowitz and Stegun 26.7.10).
      def beyond(bound, df, mean)
        spread = Math.sqrt(1 + ((bound**2) / (2.0 * df)))
        Normal.cdf((mean - (bound * (1 - (1 / (4.0 * df))))) / spread)
      end

      private_class_method :precision, :beyond
    end
  end
end

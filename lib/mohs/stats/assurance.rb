# frozen_string_literal: true

module Mohs
  module Stats
    # How likely a t test is to find a difference, if its spread is known only from an earlier
    # sample. Taking that spread for the true one promises too much, the more so the fewer values it
    # is based on: from three rounds, a promised 80 of 100 were 64. So the chance is averaged over
    # the spreads that may have led to the observed one (assurance: O'Hagan, Stevens and Campbell,
    # Pharmaceutical Statistics 4, 2005; prior 1 / sd).
    module Assurance
      # The share of cases in which a difference that exists should be found.
      POWER = 0.8

      # The average chance that is required for that: forecasts are made for undecided results, and
      # more of these have a spread that came out too large. Simulated, with sds from 0.4 to 3 %,
      # differences are found in 76 to 88 of 100 runs, and in 75 to 88 of 100 comparisons, whose
      # looks lie further apart.
      ASKED = 0.77

      # Equally likely parts of the distribution of the spread.
      PARTS = 24
      QUANTILES = Array.new(PARTS) { |part| Normal.quantile((part + 0.5) / PARTS) }.freeze

      module_function

      # Whether the chance is large enough. difference: divided by its standard error, as far as
      # that is known from `known` degrees of freedom. bound: of |t| in the coming test, which has
      # `df`.
      #: (difference: Float, bound: Float, df: Numeric, known: Numeric) -> bool
      def enough?(difference:, bound:, df:, known:)
        chances = QUANTILES.map { |z| beyond(bound, df, difference * precision(z, known)) }
        Center.mean(chances) >= ASKED
      end

      # The observed sd divided by the true one: chi-square by the approximation of Wilson and
      # Hilferty (1931).
      def precision(z, df)
        part = 2 / (9.0 * df)
        Math.sqrt([1 - part + (z * Math.sqrt(part)), 0.0].max**3)
      end

      # P(t > bound) around a mean other than 0 (Abramowitz and Stegun 26.7.10).
      def beyond(bound, df, mean)
        spread = Math.sqrt(1 + ((bound**2) / (2.0 * df)))
        Normal.cdf((mean - (bound * (1 - (1 / (4.0 * df))))) / spread)
      end

      private_class_method :precision, :beyond
    end
  end
end

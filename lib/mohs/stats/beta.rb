# frozen_string_literal: true

module Mohs
  module Stats
    # The regularised incomplete beta function I_x(a, b), from which Student's t comes. By its
    # continued fraction, evaluated with Lentz's method (Press et al., Numerical Recipes, 3rd
    # edition, section 6.4; DLMF 8.17.22).
    module Beta
      TINY = 1e-300
      STEPS = 1000

      module_function

      #: (Float, Numeric, Numeric) -> Float
      def regularized(x, a, b)
        return 0.0 if x <= 0
        return 1.0 if x >= 1

        # The fraction converges fast on this side of the mean only; I_x(a, b) = 1 - I_1-x(b, a)
        # gives the other.
        x > (a + 1).fdiv(a + b + 2) ? 1 - lower(1 - x, b, a) : lower(x, a, b)
      end

      #: (Numeric, Numeric) -> Float
      def log_beta(a, b) = Math.lgamma(a)[0] + Math.lgamma(b)[0] - Math.lgamma(a + b)[0]

      def lower(x, a, b)
        Math.exp((a * Math.log(x)) + (b * Math.log(1 - x)) - log_beta(a, b)) * fraction(x, a, b) / a
      end

      # Lentz: c and d are the ratios of neighbouring numerators and denominators.
      def fraction(x, a, b)
        c = 1.0
        d = 1 / away_from_zero(1 - ((a + b) * x / (a + 1)))
        value = d
        (1..STEPS).each do |m|
          before = value
          coefficients(x, a, b, m).each do |coefficient|
            d = 1 / away_from_zero(1 + (coefficient * d))
            c = away_from_zero(1 + (coefficient / c))
            value *= c * d
          end
          break if (value - before).abs <= Float::EPSILON * value.abs
        end
        value
      end

      # The even and the odd coefficient of step m (DLMF 8.17.23).
      def coefficients(x, a, b, m)
        [
          m * (b - m) * x / ((a + (2 * m) - 1) * (a + (2 * m))),
          -(a + m) * (a + b + m) * x / ((a + (2 * m)) * (a + (2 * m) + 1)),
        ]
      end

      def away_from_zero(value) = value.abs < TINY ? TINY : value

      private_class_method :lower, :fraction, :coefficients, :away_from_zero
    end
  end
end

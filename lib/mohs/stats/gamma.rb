# frozen_string_literal: true

module Mohs
  module Stats
    # The regularised upper incomplete gamma function Q(a, x), from which chi-square comes: by the
    # series of its lower half left of a + 1 (DLMF 8.11.4), by its continued fraction to the right
    # (DLMF 8.9.2, Lentz's method; Press et al., Numerical Recipes, 3rd edition, section 6.2).
    module Gamma
      TINY = 1e-300
      STEPS = 100_000

      module_function

      #: (Numeric, Numeric) -> Float
      def upper(a, x)
        return 1.0 if x <= 0

        x = x.to_f
        front = Math.exp((a * Math.log(x)) - x - Math.lgamma(a)[0])
        x < a + 1 ? 1 - (front * series(a, x)) : front * fraction(a, x)
      end

      def series(a, x)
        sum = term = 1.0 / a
        (1..STEPS).each do |n|
          term *= x / (a + n)
          sum += term
          break if term <= sum * Float::EPSILON / 4
        end
        sum
      end

      # c and d are the ratios of neighbouring numerators and denominators. To the right of a + 1 no
      # denominator is 0.
      def fraction(a, x)
        bottom = x + 1 - a
        c = 1 / TINY
        value = d = 1 / bottom
        (1..STEPS).each do |n|
          top = -n * (n - a)
          bottom += 2
          d = 1 / (bottom + (top * d))
          c = bottom + (top / c)
          value *= c * d
          break if ((c * d) - 1).abs <= Float::EPSILON
        end
        value
      end

      private_class_method :series, :fraction
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    # The standard normal distribution.
    module Normal
      module_function

      #: (Numeric) -> Float
      def cdf(z) = upper(-z)

      # Share above z.
      #: (Numeric) -> Float
      def upper(z) = Math.erfc(z / Math.sqrt(2)) / 2

      # The z that a share `p` lies below. The upper tail is convex to the right of 0, so Newton's
      # method that starts at 0 comes to the root from one side and cannot overshoot.
      #: (Numeric) -> Float
      def quantile(p)
        return -quantile(1 - p) if p < 0.5

        z = 0.0
        200.times do
          step = (upper(z) - (1 - p)) / density(z)
          z += step
          break if step.abs <= 1e-15 * z.abs
        end
        z
      end

      #: (Numeric) -> Float
      def density(z) = Math.exp(-z * z / 2) / Math.sqrt(2 * Math::PI)
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    # How far a sample spreads.
    module Spread
      # Makes the median deviation of a normal sample estimate its standard deviation: 1 /
      # qnorm(3/4).
      MAD_SCALE = 1.4826022185056018

      module_function

      # With n - 1 in the denominator.
      #: (Array[Numeric]) -> Float
      def variance(values)
        mean = Center.mean(values)
        values.sum { |value| (value - mean)**2 } / (values.size - 1)
      end

      #: (Array[Numeric]) -> Float
      def sd(values) = Math.sqrt(variance(values))

      # Median absolute deviation from the median, scaled to be a standard deviation.
      #: (Array[Numeric]) -> Float
      def mad(values)
        median = Center.median(values)
        MAD_SCALE * Center.median(values.map { |value| (value - median).abs })
      end
    end
  end
end

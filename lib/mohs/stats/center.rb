# frozen_string_literal: true

module Mohs
  module Stats
    # Where a sample lies.
    module Center
      # Share cut off at each end: between the mean, which a single stall moves, and the median,
      # which wastes a third of the data (method, finding 4; Wilcox, Introduction to Robust
      # Estimation, recommends the same 20 %).
      TRIM = 0.2

      module_function

      #: (Array[Numeric]) -> Float
      def mean(values) = values.sum.to_f / values.size

      #: (Array[Numeric]) -> Float
      def median(values)
        sorted = values.sort
        middle = sorted.size / 2
        sorted.size.odd? ? sorted[middle].to_f : (sorted[middle - 1] + sorted[middle]) / 2.0
      end

      # Mean of what is left when floor(trim * n) values are cut at each end, as R's mean(x, trim)
      # counts.
      #: (Array[Numeric], ?trim: Float) -> Float
      def trimmed_mean(values, trim: TRIM)
        cut = (trim * values.size).floor
        mean(values.sort[cut...(values.size - cut)])
      end
    end
  end
end

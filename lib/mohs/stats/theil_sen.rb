# frozen_string_literal: true

module Mohs
  module Stats
    # Slope of a line through points that a few stalls have thrown far off: the median of the slopes
    # of all pairs (Theil 1950, Sen 1968). Stands up to 29 % of such points.
    module TheilSen
      module_function

      # Per step of the index, or of `positions`. Nil for fewer than two points.
      #: (Array[Numeric], ?Array[Numeric]) -> Float?
      def slope(values, positions = (0...values.size).to_a)
        slopes = positions.zip(values).combination(2).filter_map do |(x1, y1), (x2, y2)|
          (y2 - y1) / (x2 - x1).to_f unless x1 == x2
        end
        Center.median(slopes) if slopes.any?
      end
    end
  end
end

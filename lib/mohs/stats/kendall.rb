# frozen_string_literal: true

module Mohs
  module Stats
    # Does a series rise or fall? Counts the pairs in and out of order (Mann 1945, Kendall 1975):
    # nothing but their order counts, so that a few stalls cannot feign a trend.
    module Kendall
      module_function

      # The count in standard deviations of what a series without a trend gives; positive where it
      # rises. 0 for fewer than two values.
      #: (Array[Numeric]) -> Float
      def z(values)
        size = values.size
        return 0.0 if size < 2

        score = values.combination(2).sum { |earlier, later| later <=> earlier }
        score / Math.sqrt(size * (size - 1) * ((2 * size) + 5) / 18.0)
      end
    end
  end
end

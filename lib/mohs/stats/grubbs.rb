# frozen_string_literal: true

module Mohs
  module Stats
    # Does one value stand apart from the others of its group, by their own spread? Grubbs's test
    # (Annals of Mathematical Statistics 21, 1950), which ISO 5725-2 asks beside Cochran's: that one
    # finds a group that varies more, whatever the reason, this one a single stray value. Meant for
    # roughly normal values; with three of them it sees next to nothing.
    module Grubbs
      FEWEST = 3
      # At which ISO 5725-2 calls a value an outlier.
      LEVEL = 0.01

      # Of a sum of squares that is all the outlier's.
      ROUNDING = 1e-12

      module_function

      # Chance that any of so many values lies this far from their mean, on either side; nil for
      # fewer than FEWEST. 1 if all are the same.
      #: (Array[Float]) -> Float?
      def p(values)
        count = values.size
        return if count < FEWEST

        sd = Spread.sd(values)
        return 1.0 if sd.zero?

        distance = ((values[farthest(values)] - Center.mean(values)) / sd).abs
        left = ((count - 1)**2) - (count * (distance**2))
        return 0.0 if left < ROUNDING

        t = distance * Math.sqrt(count * (count - 2) / left)
        [count * StudentT.two_sided(t, count - 2), 1.0].min
      end

      # The index of the value that it is about.
      #: (Array[Float]) -> Integer
      def farthest(values)
        mean = Center.mean(values)
        values.each_index.max_by { |index| (values[index] - mean).abs }
      end
    end
  end
end

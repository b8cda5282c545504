# frozen_string_literal: true

module Mohs
  module Stats
    # Whether one value stands apart from the others of its group, by their own spread. Grubbs's
    # test (Annals of Mathematical Statistics 21, 1950), which ISO 5725-2 uses beside Cochran's:
    # Cochran's finds a group that varies more, whatever the reason, Grubbs's a single stray value.
    # Meant for roughly normal values; with three of them it detects next to nothing.
    module Grubbs
      FEWEST = 3
      # The level at which ISO 5725-2 calls a value an outlier.
      LEVEL = 0.01

      # A remainder below this is 0: the outlier accounts for the whole sum of squares.
      ROUNDING = 1e-12

      module_function

      # Chance that any of so many values lies this far from their mean, on either side; nil for
      # fewer than FEWEST. 1 if all are equal.
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

      # The index of the value that is tested.
      #: (Array[Float]) -> Integer
      def farthest(values)
        mean = Center.mean(values)
        values.each_index.max_by { |index| (values[index] - mean).abs }
      end
    end
  end
end

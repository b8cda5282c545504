# frozen_string_literal: true

module Mohs
  module Repro
    # Numbers as a source prints them: each stands for all that round to it.
    module Rounded
      module_function

      # Could this number be the ratio of two others, given how each of them is rounded?
      #: (Numeric, of: Numeric, to: Numeric) -> bool
      def ratio?(number, of:, to:)
        of_low, of_high = ends(of)
        to_low, to_high = ends(to)
        high = to_low.positive? ? of_high / to_low : Float::INFINITY
        overlap?(ends(number), [of_low / to_high, high])
      end

      # Could both be the same number, rounded differently?
      #: (Numeric, Numeric) -> bool
      def same?(one, other) = overlap?(ends(one), ends(other))

      # From half a unit of the last decimal below to as much above: 1.2 is 1.15 to 1.25. Ruby
      # prints small numbers with an exponent: 5.0e-05.
      #: (Numeric) -> [Float, Float]
      def ends(number)
        digits, exponent = number.to_s.split("e")
        decimals = digits[/\.(\d*?)0*\z/, 1].to_s.size - exponent.to_i
        half = 0.5 * (10.0**-[decimals, 0].max)
        [number - half, number + half]
      end

      # The ends belong to it, so binary fractions must not exclude them.
      def overlap?(one, other)
        [one.first, other.first].max <= [one.last, other.last].min * (1 + 1e-9)
      end
      private_class_method :overlap?
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    class Crossing
      # An even function of c in -1..1 from its values on a grid, in the angle whose sine c is: even
      # spaces up to the `knee`, from there on such as suit a function that leaves it like a square
      # root.
      class Curve
        # Angles.
        attr_reader :knee, :reach

        # The block is asked for the value at each c of the grid.
        #: (Integer, knee: Float, reach: Float) { (Float) -> Float } -> void
        def initialize(grid, knee:, reach:)
          @half = grid / 2
          @knee = knee
          @reach = reach
          @values = Array.new((2 * @half) + 1) { |i| yield(Math.sin(angle(i))) }
        end

        # Between the points of the grid: the cubic (Lagrange) through the four around, all on the
        # same side of the knee.
        #: (Float) -> Float
        def at(c)
          place = place(Math.asin(c.abs))
          first = place < @half ? 0 : @half
          base = (place.to_i - 1).clamp(first, first + @half - 3)
          x = place - base - 1
          left, middle, right, far = @values[base, 4]
          (((middle * (x + 1)) - (left * x / 3)) * (1 - x) * (2 - x) / 2) +
            (((right * (2 - x)) - (far * (1 - x) / 3)) * (x + 1) * x / 2)
        end

        private

        def angle(i)
          return knee * i / @half if i < @half

          knee + ((reach - knee) * ((i - @half).fdiv(@half)**2))
        end

        def place(angle)
          return @half * angle / knee if angle < knee

          @half * (1 + Math.sqrt((angle - knee) / (reach - knee)))
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Analysis
    class Explanation
      # One figure of both sides over the cohorts. The cohort is the unit, as it is for a verdict:
      # its servers' mean of B less that of A is one difference, and only the differences' spread
      # makes the interval. Absolute, since parts of a sum have to add up.
      class Figure
        # Of a count between two readings: both of its ends are rounded down, each with a variance
        # of a twelfth of a step.
        ROUNDING = 1 / 6.0

        attr_reader :name, :a, :b, :differences

        # sides: for each cohort, the amounts of its servers of A and those of B.
        #: (Symbol, Array[[Array[Analysis::Explanation::Costs::Amount], Array[Analysis::Explanation::Costs::Amount]]]) -> void
        def initialize(name, sides)
          @name = name
          means = sides.map { |pair| pair.map { |of| Stats::Center.mean(of.map(&:value)) } }
          @a, @b = [0, 1].map { |side| Stats::Center.mean(means.map { |pair| pair[side] }) }
          @differences = means.map { |one, other| other - one }
          @floor = Stats::Center.mean(sides.map { |pair| pair.sum { |of| rounding(of) } })
        end

        #: () -> Float
        def change = Stats::Center.mean(@differences)

        # B / A; nil unless both are more than nothing.
        #: () -> Float?
        def ratio = (b / a if a.positive? && b.positive?)

        # Are there cohorts enough for a test?
        #: () -> bool
        def tested? = @differences.size >= Stats::Interval::FEWEST

        # Chance of a change this large if there were none; nil without a test.
        #: () -> Float?
        def p = (effect.p if tested?)

        # [low, high] of the change at this level; nil without a test.
        #: (Float) -> [Float, Float]?
        def interval(alpha)
          half = effect.half_width(alpha) if tested?
          [change - half, change + half] if half
        end

        private

        def effect
          @effect ||= begin
            count = @differences.size
            variance = [Stats::Spread.variance(@differences), @floor].max
            error = Math.sqrt(variance / count)
            Stats::Effect.new(value: change, error:, df: count - 1, count:)
          end
        end

        # Variance of the mean of so many.
        def rounding(amounts)
          amounts.sum { |amount| ROUNDING * (amount.step**2) } / (amounts.size**2)
        end
      end
    end
  end
end

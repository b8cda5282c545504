# frozen_string_literal: true

module Mohs
  module Analysis
    class Explanation
      # One figure of both sides over the cohorts. The cohort is the unit, as it is for a verdict:
      # the mean of its B servers against that of its A servers is one difference, and only the
      # spread of these differences makes the interval. For times the difference is the logarithm of
      # the ratio, since hosts slow everything by a factor; for counts, and for what may be 0 or
      # less, it is the plain difference.
      class Figure
        # Variance of a count between two readings, in squared steps: both of its ends are rounded
        # down, each with a variance of a twelfth of a step.
        ROUNDING = 1 / 6.0

        # Units of figures that hosts change by a factor.
        FACTORS = %w[ns_per_request cores].freeze

        # The figures of a family that changed beyond chance, judged together (Holm 1979): the
        # smallest chance at the level of all of them, the next at that of one test fewer, up to the
        # first that fails. level: takes a number of tests and returns the level of each.
        #: (Array[Analysis::Explanation::Figure], ^(Integer) -> Float) -> Array[Analysis::Explanation::Figure]
        def self.marked(family, level)
          left = family.size
          family.select(&:p).sort_by(&:p).take_while do |one|
            one.p <= level.call(left).tap { left -= 1 }
          end
        end

        attr_reader :name

        # name: of a figure, or what distinguishes a part of a profile from others. sides: for each
        # cohort, the amounts of A's servers and those of B's.
        #: (Symbol | Hash[Symbol, untyped], Array[[Array[Analysis::Explanation::Costs::Amount], Array[Analysis::Explanation::Costs::Amount]]]) -> void
        def initialize(name, sides)
          @name = name
          @means = sides.map { |pair| pair.map { |of| Stats::Center.mean(of.map(&:value)) } }
          @rounding = sides.map { |pair| pair.map { |of| rounding(of) } }
          @ratios = FACTORS.include?(Costs.unit(name)) && @means.flatten.all?(&:positive?)
        end

        # The typical value of A: the mean over cohorts, for times the geometric mean.
        #: () -> Float
        def a = typical(0)

        #: () -> Float
        def b = typical(1)

        #: () -> Float
        def change = b - a

        # B / A; nil unless both are positive.
        #: () -> Float?
        def ratio = (b / a if a.positive? && b.positive?)

        # B - A of each cohort, as shares of what is given for the cohort: the shares of the parts
        # of a sum add up to it.
        #: (Array[Float]) -> Array[Float]
        def differences(of) = @means.zip(of).map { |(one, other), whole| (other - one) / whole }

        # The values of A in each cohort.
        #: () -> Array[Float]
        def bases = @means.map(&:first)

        # Are there enough cohorts for a test?
        #: () -> bool
        def tested? = @means.size >= Stats::Interval::FEWEST

        # Chance of a change this large if there were none; nil without a test.
        #: () -> Float?
        def p = (effect.p if tested?)

        # [low, high] of the change at this level; nil without a test.
        #: (Float) -> [Float, Float]?
        def interval(alpha)
          half = effect.half_width(alpha) if tested?
          return unless half

          ends = [effect.value - half, effect.value + half]
          @ratios ? ends.map { |log| a * (Math.exp(log) - 1) } : ends
        end

        private

        def typical(side)
          values = @means.map { |pair| pair[side] }
          return Stats::Center.mean(values) unless @ratios

          Math.exp(Stats::Center.mean(values.map { |value| Math.log(value) }))
        end

        def effect
          @effect ||= begin
            count = @means.size
            values = @means.map { |one, other| @ratios ? Math.log(other / one) : other - one }
            variance = [Stats::Spread.variance(values), Stats::Center.mean(least)].max
            error = Math.sqrt(variance / count)
            Stats::Effect.new(value: Stats::Center.mean(values), error:, df: count - 1, count:)
          end
        end

        # Variance of each cohort's difference by rounding alone; for logarithms, relative to the
        # value.
        def least
          @means.zip(@rounding).map do |means, variances|
            next variances.sum unless @ratios

            means.zip(variances).sum { |mean, variance| variance / (mean**2) }
          end
        end

        # Variance of the mean of these amounts by rounding.
        def rounding(amounts)
          amounts.sum { |amount| ROUNDING * (amount.step**2) } / (amounts.size**2)
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Bisect
    # On which side of half a known difference a value lies. This is the question of each step of a
    # bisection: the ends differ by D (a logarithm), and a point in between differs from the first
    # end by 0 or by D; so its mean is compared with D / 2.
    #
    #     t = (mean - D / 2) / (s / sqrt(n))
    #
    # has Student's distribution, with s the spread of `noise`, carried over from all earlier
    # comparisons, and of this one: so one or two cohorts may decide. The chance of naming the wrong
    # side is at most `alpha`, shared equally among the looks (Bonferroni): unlike the levels of
    # Stats::Sequential, that needs no table for each number of degrees of freedom carried over.
    #
    # D is taken as exact. Adding its own error (1 / 4 of its cohorts') under the root would leave
    # steps that no number of cohorts decides, in half or more of the simulated searches on a noisy
    # host; without it they named no wrong point. If chance made D twice too large, the confirmation
    # at the end contradicts the result.
    #
    # What both may be off by because servers still got faster is another matter. With gains of a at
    # the first end, b at the second and c at the point, the truth is c - a above what was measured
    # of the point, (b - a) / 2 above the middle, and c - (a + b) / 2 above their difference: the
    # first end is the same variant in both, and counts half.
    class SideTest
      # A step has to detect half the ends' distance, so it may need four times their cohorts.
      LOOKS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120].freeze

      # difference: D. noise: `squares` and `freedom` of a Stats::NoisePool. bias_of_difference: the
      # bounds of a Stats::Bias, how far D may be off; a question that was stored earlier has none.
      # All arguments survive JSON.
      #: (difference: Float, noise: Hash[Symbol, Numeric], alpha: Float, ?bias_of_difference: Hash[Symbol, Float]) -> void
      def initialize(difference:, noise:, alpha:, bias_of_difference: { below: 0.0, above: 0.0 })
        @difference = difference
        @ends = Stats::Bias.new(**bias_of_difference)
        @before = Stats::NoisePool.new(**noise)
        @tail = alpha / LOOKS.size
        freeze
      end

      # For the log differences so far, which may be off by `bias` in common: :first (on the side of
      # the first end), :second, :exhausted (that was the last look, or the bias covers all that
      # chance leaves open) or :continue. The answer changes only at looks.
      #: (Array[Float], ?bias: Float | Stats::Bias) -> Symbol
      def call(differences, bias: 0.0)
        count = differences.size
        decided = decided(differences, from_middle(Stats::Bias.of(bias))) if LOOKS.include?(count)
        decided || (next_look(count) ? :continue : :exhausted)
      end

      #: (Integer) -> Integer?
      def next_look(count) = LOOKS.find { |look| look > count }

      private

      # How far the distance from the middle may be off, given `bias`, of the point. `below` of both
      # biases is what the first end may gain.
      def from_middle(bias)
        first = bias.below - (@ends.below / 2)
        Stats::Bias.new(below: [first, 0.0].max + (@ends.above / 2),
                        above: bias.above + [-first, 0.0].max)
      end

      # The first end lies at 0.
      def side(above) = above.positive? == @difference.negative? ? :first : :second

      def decided(differences, bias)
        low, high = between(differences)
        return side(low) if low > bias.below
        return side(high) if high < -bias.above

        # Not at the first look: the bias is a mean, too.
        covered = low >= -bias.above && high <= bias.below
        :exhausted if covered && differences.size > LOOKS.first
      end

      # How far above the middle the value lies, as far as chance goes.
      def between(differences)
        above = Stats::Center.mean(differences) - (@difference / 2)
        reach = reach(differences)
        [above - reach, above + reach]
      end

      def reach(differences)
        noise = @before + Stats::NoisePool.of([differences])
        return Float::INFINITY if noise.freedom.zero?

        error = noise.sd / Math.sqrt(differences.size)
        Stats::StudentT.upper_quantile(@tail, noise.freedom) * error
      end
    end
  end
end

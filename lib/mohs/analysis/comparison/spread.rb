# frozen_string_literal: true

module Mohs
  module Analysis
    class Comparison
      # How far the deciding metric's difference varies from cohort to cohort, and how much of that
      # is the boots' own (method, section 4: what blocks vary by is averaged over a cohort's
      # blocks, what boots differ by is not).
      class Spread
        # Fewer say nothing about a spread.
        FEWEST = 3

        # From so many cohorts on a cohort's length follows what was seen, and grows to no more than
        # this many times what it was. The method (section 4) says four; but for the same variance a
        # second an interval after 4, 6 and 8 cohorts is 2.0, 1.3 and 1.1 times as wide as after 12
        # (Stats::Sequential#bound): many short ones decide sooner. (On a restless host cohorts of 6
        # and of 12 blocks of apps/primes told the same a second.)
        SETTLED = 8
        GROWTH = 2

        #: (Analysis::Comparison) -> void
        def initialize(comparison)
          @comparison = comparison
          @metric = comparison.metric
        end

        # { sd:, boots:, pace: }: of a cohort's difference, and of that what boots add to the
        # blocks', as shares of the metric (0.01 = 1 %); of what slices differ by, the share that
        # the pace of the cores explains and that is in none of the others. Each nil where it is not
        # known.
        #: () -> Hash[Symbol, Float?]
        def to_h
          differences = @comparison.differences(@metric)
          return { sd: nil, boots: nil, pace: nil } if differences.size < FEWEST

          sd = Stats::Spread.sd(differences)
          { sd:, boots: boots(sd), pace: }
        end

        # Blocks that the next cohort should have, so that a second spent on it tells the most
        # (Kalibera and Jones): more where blocks vary much and boots little. Nil before SETTLED
        # cohorts. It changes at looks alone.
        #: () -> Integer?
        def blocks
          seen = @comparison.sequential.last_look(@comparison.pairs.size)
          return if seen.nil? || seen < SETTLED || (between_sd = to_h[:boots]).nil?

          block_s = Stats::Center.mean(@comparison.pairs.map(&:block_s))
          boot_cost = [@comparison.cohort_s - (count * block_s), 0].max
          wanted = Stats::CostOptimal.blocks(boot_cost:, block_cost: block_s, within_sd:,
                                             between_sd:)
          [wanted, GROWTH * count].min
        end

        private

        def pace
          key = @metric.key
          @comparison.adjustment.explained(key) if Metric::OF_SLICES.include?(key)
        end

        # Of each cohort the blocks' differences, where each half has enough of them.
        def of_blocks
          @of_blocks ||= @comparison.pairs.map { |pair| pair.block_differences(@metric) }
                                    .select { |values| values.size >= 2 * FEWEST }
        end

        # Not what blocks vary by one by one: on apps/primes that is up to twice as much, would
        # leave nothing to the boots, and made cohorts longer for nothing.
        def within_sd
          variances = of_blocks.map { |of| Stats::CostOptimal.within_variance(of) }
          Math.sqrt(Stats::Center.mean(variances))
        end

        def count = Stats::Center.mean(of_blocks.map(&:size)).round

        def boots(sd)
          Stats::CostOptimal.between(sd:, within_sd:, blocks: count) if of_blocks.any?
        end
      end
    end
  end
end

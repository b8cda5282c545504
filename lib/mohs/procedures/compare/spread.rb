# frozen_string_literal: true

module Mohs
  module Compare
    # How much the deciding metric's difference varies from cohort to cohort, and how much of that
    # comes from boots (method, section 4: differences between blocks are averaged over a cohort's
    # blocks, those between boots are not).
    class Spread
      # Fewer say nothing about a spread.
      FEWEST = 3

      # From SETTLED cohorts on, the length of a cohort follows the observed spread, and grows to
      # at most GROWTH times the first length. The method (section 4) says four cohorts; but for
      # the same variance a second, the interval after 4, 6 and 8 cohorts is 2.0, 1.3 and 1.1
      # times as wide as after 12 (Stats::Sequential#bound): many short cohorts decide sooner. (On
      # a restless host, cohorts of 6 and of 12 blocks of apps/primes had the same variance a
      # second.)
      SETTLED = 8
      GROWTH = 2

      # Where each is alone, drift during a block does not affect both alike: it takes another block
      # to see it.
      FEWEST_ALONE = 2

      # Share of the noise that core speed has to explain to be worth mentioning.
      MUCH = 0.1

      #: (Compare::Result) -> void
      def initialize(comparison)
        @comparison = comparison
        @metric = comparison.metric
      end

      # { sd:, boots:, pace:, pace_much: }: the sd of a cohort's difference, and the part of it
      # that boots add to the blocks', as shares of the metric (0.01 = 1 %); the share of the
      # slices' variance that core speed explains, which is in none of the others, and whether
      # that is at least MUCH. Each is nil if unknown.
      #: () -> Hash[Symbol, (Float | bool)?]
      def to_h
        differences = @comparison.differences(@metric)
        return { sd: nil, boots: nil, pace: nil, pace_much: nil } if differences.size < FEWEST

        sd, explained = Stats::Spread.sd(differences), pace
        { sd:, boots: boots(sd), pace: explained, pace_much: explained && explained >= MUCH }
      end

      # Number of blocks with which the next cohort makes the best use of its time (Kalibera and
      # Jones): more if blocks vary much and boots little. nil before SETTLED cohorts. It changes
      # at looks only.
      #: () -> Integer?
      def blocks
        seen = Stats::Sequential.new.last_look(@comparison.pairs.size)
        return if seen.nil? || seen < SETTLED || (between_sd = to_h[:boots]).nil?

        block_s = Stats::Center.mean(@comparison.pairs.map(&:block_s))
        boot_cost = [@comparison.cohort_s - (count * block_s), 0].max
        wanted = Stats::CostOptimal.blocks(boot_cost:, block_cost: block_s, within_sd:,
                                           between_sd:)
        [wanted, GROWTH * count].min
      end

      # Number of blocks of the cohort in which each is alone: as many as the last one had side by
      # side, with slices as long. No more than the fewest of a fast application, since contention
      # is only tested for large differences. (Six blocks of a page of 43 ms took half as long as
      # the whole comparison before them.)
      #: () -> Integer
      def blocks_alone
        before = @comparison.pairs.last.trials.flat_map(&:measured_slices).map(&:block).uniq.size
        before.clamp(FEWEST_ALONE, Cohort::Schedule::BLOCKS.min)
      end

      private

      def pace
        key = @metric.key
        @comparison.adjustment.explained(key) if Analysis::Metric::OF_SLICES.include?(key)
      end

      # The block differences of each cohort, if each half has enough of them.
      def of_blocks
        @of_blocks ||= @comparison.pairs.map { |pair| pair.block_differences(@metric) }
                                  .select { |values| values.size >= 2 * FEWEST }
      end

      # Not the spread of single blocks: on apps/primes that is up to twice as large, would leave
      # nothing to the boots, and made cohorts longer to no effect.
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

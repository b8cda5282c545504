# frozen_string_literal: true

module Mohs
  module Tune
    # The rates of settings in the rounds of a race. A round is one cohort, or several that have
    # one setting in common. Pure.
    class RaceRounds
      # cohorts: those of the race, including any that are not done yet.
      #: (Array[Store::Cohort]) -> void
      def initialize(cohorts)
        @rounds = cohorts.group_by(&:round).sort.map(&:last).take_while { |round| over?(round) }
        @begun = (cohorts - @rounds.flatten).select { |one| one.spec.own[:opening] && one.done? }
      end

      # For each round up to the first that is not done: { name => log of its rate }, relative to
      # the rate of the common setting beside it, and the names that were to be measured. If one
      # of several cohorts lacks the common setting, the logs are not relative: drift is the
      # lesser evil.
      #: () -> Array[[Hash[String, Float], Array[String]]]
      def rounds
        @logs ||= @rounds.map do |cohorts|
          [logs(cohorts), cohorts.flat_map { |one| one.spec.variants }]
        end
      end

      # { name => requests/s } for each of these rounds, without the drift between its cohorts.
      #: () -> Array[Hash[String, Float]]
      def rates
        @rates ||= @rounds.map do |cohorts|
          common = cohorts.map { |cohort| absolute(cohort)[cohort.spec.baseline] }
          level = beside?(cohorts) && common.all? ? Stats::Center.mean(common) : 0.0
          logs(cohorts).transform_values { |value| Math.exp(value + level) }
        end
      end

      # The same for cohorts that have opened rounds (Tune::Planner) of which the rest was
      # not measured yet.
      #: () -> Array[Hash[String, Float]]
      def begun
        @begun.map { |cohort| absolute(cohort).transform_values { |value| Math.exp(value) } }
      end

      # How many servers of rounds that are not over were measured already, without the common one
      # of each, which is measured again.
      #: () -> Integer
      def ahead = @begun.sum { |cohort| cohort.spec.variants.size - 1 }

      # By how much `other` serves more than `one`, a logarithm: the median of the rounds that
      # have both, the highest of fewer than three; nil if there are none. Now and then one
      # process of a server accepts all connections, so that it serves far less.
      #: (String, String) -> Float?
      def lead(one, other)
        both = rounds.map { |logs, _| logs.values_at(one, other) }.select(&:all?)
        leads = both.map { |first, second| second - first }
        leads.size < Stats::Interval::FEWEST ? leads.max : Stats::Center.median(leads)
      end

      # From the lowest to the highest end, [low, high], of the intervals that the boots of a
      # setting have by themselves, with the same drift as its rate, `per_s`. Variation between
      # boots is not included. nil if no boot has an interval.
      #: (String, Float) -> [Float, Float]?
      def ends_on_boots_per_s(name, per_s)
        boots = [*@rounds.flatten, *@begun].flat_map { |cohort| measured(cohort) }
        found = boots.select { |one| one.variant == name }.filter_map { |one| of_boot_per_s(one) }
        return if found.empty?

        drift = per_s / Stats::Interval.of_positive(found.map(&:value)).value
        [found.map(&:low).min * drift, found.map(&:high).max * drift]
      end

      # The rate of a setting in a typical round; nil if it has none.
      #: (String) -> Float?
      def typical(name)
        known = rates.filter_map { |round| round[name] }
        Stats::Center.median(known) if known.any?
      end

      private

      # The interval of the rate of this boot alone, by its slices; nil with too few of them.
      def of_boot_per_s(trial)
        logs = trial.measured_slices.filter_map { |one| Stats::Sample.log(one, :throughput_per_s) }
        found = Stats::Interval.of(logs)
        found.map { |log| Math.exp(log) * 1e9 } if found.low
      end

      # The rest of an opened round is planned when the round before it is over.
      def over?(round) = round.all?(&:done?) && !round.all? { |one| one.spec.own[:opening] }

      def logs(cohorts)
        beside = beside?(cohorts)
        cohorts.map { |cohort| beside ? relative(cohort) : absolute(cohort) }.inject(:merge)
      end

      def beside?(cohorts)
        cohorts.map { |cohort| cohort.spec.baseline }.uniq.one? &&
          cohorts.all? { |cohort| slices(cohort).key?(cohort.spec.baseline) }
      end

      def relative(cohort)
        all = slices(cohort)
        all.transform_values do |own|
          Stats::Effect.difference(all[cohort.spec.baseline], own, :throughput_per_s)
        end.compact
      end

      def absolute(cohort)
        rates = measured(cohort).to_h { |one| [one.variant, Analysis::Figures.new(one).throughput_per_s] }
        rates.compact.transform_values { |rate| Math.log(rate) }
      end

      def slices(cohort) = measured(cohort).to_h { |one| [one.variant, one.measured_slices] }

      def measured(cohort) = cohort.trials.select(&:measured?)
    end
  end
end

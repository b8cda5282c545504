# frozen_string_literal: true

module Mohs
  module Tune
    # Plans a tuning: first a round of its race (Stats::Race), of all settings; later rounds one by
    # one, of the settings that are left. A few settings open the first rounds, one round after
    # another, before the others follow, so that the user soon sees an interval. Then come rounds
    # that search for the highest rate within the limit, of the settings that the race has left.
    # Each round is drawn from the seed and its number alone, so that an interrupted run continues
    # as it would have gone on.
    class Planner
      # Maximum servers alive at the same time: with more, each slice would be too far from its
      # mirror.
      MOST = 8

      # Threads of the setting that opens the first rounds besides the present one: the default of
      # Rails since 7.2. It has as many processes as possible. With a third setting the first
      # interval would come after 90 s instead of 50, for a small application on two cores.
      USUAL_THREADS = 3

      # With fewer settings, three whole rounds take hardly longer than three openings.
      FEWEST_FOR_OPENING = 4

      # With fewer cores than this none can be spared for the driver.
      APART = 4

      # Between the seeds of two rounds.
      STEP = 1_000_003

      # How many cores each server has, given Study#cores.
      #: (Integer | Array[Integer] | nil, ?Array[Integer]) -> Integer
      def self.server_cores(asked, available = Process::CpuSet.available)
        return Study::Cores.of(asked, available).size if asked

        (apart?(available) ? Process::CpuSet.plan(available)[:server] : available).size
      end

      # Does the driver have a core of its own?
      #: (Array[Integer]) -> bool
      def self.apart?(available) = available.size >= APART

      #: (Study, seed: Integer, ?costs: Plan::Costs, ?available: Array[Integer]) -> void
      def initialize(study, seed:, costs: Plan::Costs.new, available: Process::CpuSet.available)
        @study = study
        @seed = seed
        @costs = costs
        apart = study.cores.nil? && self.class.apart?(available)
        @scheme = apart ? Plan::Scheme::APART : Plan::Scheme::WHOLE
      end

      # The first round: how long it takes decides what fits after it. The announced time is the
      # budget, which the searches use up. Raises UsageError if the budget has no room for this.
      #: () -> Plan
      def call
        refused, able = @study.variants.partition(&:refusal)
        names = able.map(&:name)
        cohorts = race(1, names, common: @study.baseline)
        estimate_s = whole_s(seconds(cohorts), able.size)
        cohorts = opened(able, estimate_s) || cohorts
        cohorts = Plan::CohortSpec.numbered([*cohorts, *Plan::CohortSpec.refusals(refused)])
        Plan.new(seed: @seed, rounds: 1, cohorts:, estimate_s:, dropped: [])
      end

      # The plan with a further round of the race, of the settings that are left; `common` is one of
      # them.
      #: (Plan, Array[String], common: String) -> Plan
      def longer(plan, names, common:)
        round = plan.cohorts.reject { |one| one.own[:opening] }.map(&:round).max + 1
        opened = plan.cohorts.select { |one| one.own[:opening] && one.round == round }
        rest = names - opened.flat_map(&:variants)
        extended(plan, round, race(round, rest.empty? ? names : rest, common:))
      end

      # The plan with rounds of searches of `search_s` seconds for each server.
      #: (Plan, names: Array[String], rounds: Integer, search_s: Numeric) -> Plan
      def searching(plan, names:, rounds:, search_s:)
        first = last(plan) + 1
        cohorts = Array.new(rounds) { |index| search(first + index, names, search_s) }
        extended(plan, first + rounds - 1, cohorts)
      end

      private

      # The openings of the first rounds, then what is left of the first round; nil if openings are
      # not needed, or there is no time for them.
      def opened(able, whole_s)
        return if able.size < FEWEST_FOR_OPENING || able.none? { |one| one.name == @study.baseline }

        first = openers(able)
        openings = (1..Stats::Race::LOOKS.first).map { |round| opening(round, first) }
        cohorts = [*openings, *race(1, able.map(&:name) - first, common: @study.baseline)]
        cohorts if seconds(cohorts) < Rules::RACE_SHARE * whole_s
      end

      def opening(round, names)
        random = Random.new(@seed - (STEP * round))
        cohort(round, names.shuffle(random:), random, baseline: @study.baseline, opening: true)
      end

      def openers(able)
        others = able.reject { |one| one.name == @study.baseline }
        usual = others.min_by do |one|
          [-one.processes.to_i, (one.threads.to_i - USUAL_THREADS).abs]
        end
        [@study.baseline, usual.name]
      end

      def seconds(cohorts) = cohorts.sum { |one| one[:estimate_s] }

      # Leaves as much time again as a round takes for the searches.
      def whole_s(round_s, settings)
        least_s = (2 * round_s).ceil
        given_s = @study.rules.budget_s or return [Rules::BUDGET_S, least_s].max
        return given_s.ceil if given_s >= least_s

        raise UsageError, "the budget of #{given_s.ceil} s is too short: a round of #{settings} " \
                          "settings takes about #{round_s.ceil} s, and the searches behind it as " \
                          "long. Give #{Report::Numbers.typed(budget_s: least_s)} or more, or " \
                          "fewer --settings."
      end

      # The last round that has a cohort.
      def last(plan) = plan.cohorts.map(&:round).max

      def extended(plan, rounds, cohorts)
        added = Plan::CohortSpec.numbered(cohorts, from: plan.cohorts.size)
        Plan.new(**plan.each_pair.to_h, rounds:, cohorts: plan.cohorts + added)
      end

      # The cohorts of a round, as many as needed, each with the common setting.
      def race(round, names, common:)
        random = random(round)
        others = (names - [common]).shuffle(random:)
        groups = Plan::CohortSpec.even_parts(others, most: MOST - 1)
        groups = [[]] if groups.empty?
        groups.map do |group|
          cohort(round, [common, *group].shuffle(random:), random, baseline: common)
        end
      end

      def search(round, names, search_s)
        random = random(round)
        cohort(round, names.shuffle(random:), random, baseline: names.first, search_s:)
      end

      def random(round) = Random.new(@seed + (STEP * round))

      def cohort(round, variants, random, **values)
        estimate_s = @costs.cohort_s(variants.map { |name| @study.variant(name) }) +
                     (variants.size * values.fetch(:search_s, 0))
        { round:, variants:, scheme: @scheme, seed: random.rand(Plan::SEEDS), brief: true,
          estimate_s:, **values }
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  class Plan
    # Plans a tuning: first a round of its race (Stats::Race), of all settings; later rounds one by
    # one, of those that are left. A few settings open the first rounds, one after another, before
    # the others follow: so a person soon sees an interval. Then rounds in which the highest rate
    # within the limit is searched for those that the race has left. Each round is drawn from the
    # seed and its number alone, so that a run which was interrupted goes on as it would have.
    class TuningRounds
      # Servers alive at the same time: of more, each slice would be too far from its mirror.
      MOST = 8

      # Threads of the setting that opens the first rounds beside the present one: those that Rails
      # has by default since 7.2. With as many processes as may be. A third setting would bring the
      # first interval after 90 s in place of 50, of a small application on two cores.
      USUAL_THREADS = 3

      # Of fewer settings, three whole rounds take hardly longer than three openings.
      FEWEST_FOR_OPENING = 6

      # Fewer cores than that can't spare one for the driver.
      APART = 4

      # Of the seeds of two rounds.
      STEP = 1_000_003

      # How many cores each server has, by what was asked (Study#cores).
      #: (Integer | Array[Integer] | nil, ?Array[Integer]) -> Integer
      def self.server_cores(asked, available = Process::CpuSet.available)
        return Study::Cores.of(asked, available).size if asked

        (apart?(available) ? Process::CpuSet.plan(available)[:server] : available).size
      end

      # Has the driver a core of its own?
      #: (Array[Integer]) -> bool
      def self.apart?(available) = available.size >= APART

      #: (Study, seed: Integer, ?costs: Plan::Costs, ?available: Array[Integer]) -> void
      def initialize(study, seed:, costs: Costs.new, available: Process::CpuSet.available)
        @study = study
        @seed = seed
        @costs = costs
        apart = study.cores.nil? && self.class.apart?(available)
        @scheme = apart ? Scheme::ROUNDS : Scheme::WHOLE
      end

      # The first round: how long it takes decides what fits behind it. The whole is announced to
      # take the budget, which the searches use up. Raises UsageError for one that has no room for
      # this.
      #: () -> Plan
      def call
        refused, able = @study.variants.partition(&:refusal)
        names = able.map(&:name)
        cohorts = race(1, names, common: @study.baseline)
        estimate_s = whole_s(seconds(cohorts), able.size)
        cohorts = opened(able, estimate_s) || cohorts
        cohorts = CohortSpec.numbered([*cohorts, *CohortSpec.refusals(refused)])
        Plan.new(seed: @seed, rounds: 1, cohorts:, estimate_s:, dropped: [])
      end

      # The plan with a further round of the race, of the settings that are left; `common` one of
      # them.
      #: (Plan, Array[String], common: String) -> Plan
      def longer(plan, names, common:)
        round = plan.cohorts.reject(&:opening).map(&:round).max + 1
        opened = plan.cohorts.select { |one| one.opening && one.round == round }
        rest = names - opened.flat_map(&:variants)
        extended(plan, round, race(round, rest.empty? ? names : rest, common:))
      end

      # The plan with rounds of searches, so many seconds for each server.
      #: (Plan, names: Array[String], rounds: Integer, search_s: Numeric) -> Plan
      def searching(plan, names:, rounds:, search_s:)
        first = last(plan) + 1
        cohorts = Array.new(rounds) { |index| search(first + index, names, search_s) }
        extended(plan, first + rounds - 1, cohorts)
      end

      private

      # The first rounds' openings, then what is left of the first; nil if there is no need for
      # them, or no time.
      def opened(able, whole_s)
        return if able.size < FEWEST_FOR_OPENING || able.none? { |one| one.name == @study.baseline }

        first = openers(able)
        openings = (1..Stats::Race::LOOKS.first).map { |round| opening(round, first) }
        cohorts = [*openings, *race(1, able.map(&:name) - first, common: @study.baseline)]
        cohorts if seconds(cohorts) < Study::Tuning::RACE_SHARE * whole_s
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

      # As long again as a round takes is left for the searches.
      def whole_s(round_s, settings)
        least_s = (2 * round_s).ceil
        given_s = @study.budget_s or return [Study::Tuning::BUDGET_S, least_s].max
        return given_s.ceil if given_s >= least_s

        raise UsageError, "the budget of #{given_s.ceil} s is too short: a round of #{settings} " \
                          "settings takes about #{round_s.ceil} s, and the searches behind it as " \
                          "long. Give --budget #{least_s}s or more, or fewer --settings."
      end

      # The last round that has a cohort.
      def last(plan) = plan.cohorts.map(&:round).max

      def extended(plan, rounds, cohorts)
        added = CohortSpec.numbered(cohorts, from: plan.cohorts.size)
        Plan.new(**plan.each_pair.to_h, rounds:, cohorts: plan.cohorts + added)
      end

      # In as many cohorts as needed, each with the common one.
      def race(round, names, common:)
        random = random(round)
        groups = Round.even_parts((names - [common]).shuffle(random:), most: MOST - 1)
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
        costs = variants.map { |name| @costs.for(@study.variant(name)).total_s }
        estimate_s = costs.sum + (variants.size * values.fetch(:search_s, 0))
        { round:, variants:, scheme: @scheme, seed: random.rand(Builder::SEEDS), brief: true,
          estimate_s:, **values }
      end
    end
  end
end

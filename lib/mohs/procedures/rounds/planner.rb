# frozen_string_literal: true

module Mohs
  module Rounds
    # Makes the plan: first what fits in the budget (Budget), then the cohorts of each round, drawn
    # in order from one seeded generator. Variants refused before the start form a cohort of their
    # own at the end, which costs nothing.
    class Planner
      #: (Study, seed: Integer, costs: Plan::Costs) -> void
      def initialize(study, seed:, costs:)
        @asked = study.rules.rounds
        @costs = costs
        @seed = seed
        @baseline = study.variant(study.baseline)
        @refused, able = study.variants.partition(&:refusal)
        @budget = Budget.new(baseline: @baseline, candidates: able - [@baseline], costs:,
                             rounds: @asked, budget_s: study.rules.budget_s, chosen: !study.named,
                             cold_start: !study.cold_start.nil?)
        @random = Random.new(seed)
        @draw = Draw.new(baseline: @baseline, candidates: @budget.candidates, random: @random)
      end

      # Without its estimate (Plan#estimated).
      #: () -> Plan
      def call
        rounds = (1..@budget.rounds).map { |round| cohorts(round) }
        numbered = Plan::CohortSpec.numbered([*rounds.flat_map(&:first), *rounds.flat_map(&:last),
                                              *Plan::CohortSpec.refusals(@refused)])
        Plan.new(seed: @seed, rounds: @budget.rounds, cohorts: numbered, dropped: @budget.dropped)
      end

      # Cohorts of the rounds after those of a plan, as if they had been planned with it: for a run
      # that goes faster than expected. Of rounds that the user asked for, those that the budget
      # seemed to have no room for. Empty if variants were cut, or one takes a minute to get warm.
      # Called on a new builder with the plan's seed and costs.
      #: (Plan) -> Array[Plan::CohortSpec]
      def further(plan)
        most = @asked || Budget::MOST_ROUNDS
        return [] if plan.rounds >= most || @budget.candidates.any?(&:lingers?) ||
                     (@asked ? !Budget.rounds_alone?(plan.dropped) : plan.dropped.any?)

        drawn = (1..most).flat_map { |round| cohorts(round).first }
        behind = drawn.select { |values| values[:round] > plan.rounds }
        Plan::CohortSpec.numbered(behind, from: plan.cohorts.size)
      end

      # Seconds of the smallest run that gives a result; 0 if nothing can run.
      #: () -> Numeric
      def least_s = @baseline.refusal ? 0 : @budget.least_s

      private

      # [quick cohorts, slow cohorts]. The quick cohorts of all rounds run before the first slow
      # one: the first intervals don't wait for a slow variant, and a user who doesn't want to wait
      # for a JVM or MJIT has complete results of the rest. No comparison suffers: each is within a
      # cohort.
      def cohorts(round)
        return [[], []] if @baseline.refusal # nothing can run, or there would be another baseline

        recorded = []
        @draw.groups.fetch_values(:quick, :slow).map do |groups|
          groups.map do |group|
            cohort(round, group, recorded).tap { recorded = @budget.recorded_again }
          end
        end
      end

      def cohort(round, group, recorded)
        { round:, baseline: @baseline.name, variants: group.map(&:name), recorded:,
          seed: @random.rand(Plan::SEEDS), estimate_s: @costs.cohort_s(group, recorded:),
          brief: group.all? { |variant| @costs.brief?(variant) } }
      end
    end
  end
end

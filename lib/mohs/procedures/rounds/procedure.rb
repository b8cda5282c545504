# frozen_string_literal: true

module Mohs
  # `mohs` itself: every variant in every round.
  module Rounds
    # Measures a planned number of rounds.
    class Procedure < Mohs::Procedure
      #: () -> String?
      def command = "run"

      #: (seed: Integer, ?costs: Plan::Costs, ?hosts: Integer) -> Plan
      def plan(seed:, costs: Plan::Costs.new, hosts: 1)
        plan = Planner.new(@study, seed:, costs:).call
        plan.estimated(plan.cohorts.size, hosts:)
      end

      #: (Store::Run) -> Rounds::Result
      def result(stored) = Result.new(stored)

      #: (Analysis::Run) -> bool
      def over?(run) = super || run.result.decided?

      # Seconds of the smallest run that gives a result (Budget#least_s); 0 if the baseline is
      # refused, which takes no time.
      #: (Plan::Costs) -> Numeric
      def least_s(costs) = Planner.new(@study, seed: 0, costs:).least_s

      #: () -> Class
      def document = Document

      #: () -> Class
      def plan_text = PlanText

      #: () -> Class
      def progress_text = ProgressText

      #: () -> bool
      def planned? = true

      #: (**untyped) -> Rounds::Timekeeper
      def timekeeper(...) = Timekeeper.new(...)

      #: (Store::Run, Plan::Costs) -> Plan
      def rest(stored, costs)
        cohorts = left(stored)
        estimator = Plan::Estimator.new(@study.variants, costs)
        seconds = cohorts.select(&:baseline).sum { |cohort| estimator.cohort_s(cohort) }
        stored.plan.rest(cohorts, seconds)
      end
    end
  end
end

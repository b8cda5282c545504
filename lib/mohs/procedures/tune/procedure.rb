# frozen_string_literal: true

module Mohs
  # `mohs tune`: which processes and threads serve most within a limit of response times.
  module Tune
    # Measures rounds of a race, then searches for the highest rates of the settings that are left.
    class Procedure < Mohs::Procedure
      # The announced time is that of the budget, on however many hosts.
      #: (seed: Integer, ?costs: Plan::Costs, ?hosts: Integer) -> Plan
      def plan(seed:, costs: Plan::Costs.new, **)
        Planner.new(@study, seed:, costs:).call
      end

      #: () -> Tune::Loading
      def loading = Loading.new(@study)

      #: (Store::Run) -> Tune::Result
      def result(stored) = Result.new(stored)

      #: () -> Class
      def document = Document

      #: () -> Class
      def plan_text = PlanText

      #: () -> Class
      def progress_text = ProgressText

      #: () -> String?
      def writes = @study.rules.write

      #: (Hash[Symbol, untyped]) -> Mohs::Procedure::Contents
      def contents(document) = Document.contents(document)

      # It fills its budget.
      #: (Plan) -> Numeric?
      def whole_s(plan) = plan.estimate_s

      #: () -> bool
      def plans_as_it_goes? = true

      # The plan with another round, or with all searches, from what the cohorts have shown, on this
      # machine's cores; nil if nothing is left to do.
      #: (Analysis::Run) -> Plan?
      def further(run)
        plan, schedule = run.stored.plan, run.result.schedule
        planner = Planner.new(@study, seed: plan.seed)
        case schedule.next
        when :race then planner.longer(plan, schedule.racers, common: schedule.common)
        when :search then planner.searching(plan, **schedule.searches.to_h)
        end
      end

      #: (Store::Run, Plan::Costs) -> Plan
      def rest(stored, _costs)
        seconds = [stored.plan.estimate_s - result(stored).spent_s, 0.0].max
        stored.plan.rest(left(stored), seconds)
      end
    end
  end
end

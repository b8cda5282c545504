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

      # Also if every difference is decided, between candidates, too, and known well enough to be
      # of use: its interval is no wider than the difference itself.
      #: (Analysis::Run) -> bool
      def over?(run)
        return true if super
        return false unless run.result.may_end? && run.groups.empty?

        compared = run.rows.reject do |row|
          row.name == run.baseline || @study.variant(row.name).refusal
        end
        compared.any? && compared.all? { |row| settled?(run.verdict(row)) }
      end

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

      #: () -> Class
      def time_left = TimeLeft

      #: () -> bool
      def fixed_rounds? = true

      # The study's own command, if it has one, with a budget that measures everything.
      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def beside_cut(values)
        enough_s = values[:enough_s]
        enough_s ? { command: again(budget_s: enough_s)&.to_s } : {}
      end

      # Does a run end as soon as every difference is decided? What else measures rounds has rules
      # of its own, and measures all of them.
      #: () -> bool
      def until_decided? = @study.rules.to_h[:until_decided] == true

      #: (**untyped) -> Rounds::Timekeeper
      def timekeeper(...) = Timekeeper.new(...)

      #: (Store::Run, Plan::Costs) -> Plan
      def rest(stored, costs)
        cohorts = left(stored)
        estimator = Plan::Estimator.new(@study.variants, costs)
        seconds = cohorts.select(&:baseline).sum { |cohort| estimator.cohort_s(cohort) }
        stored.plan.rest(cohorts, seconds)
      end

      private

      def settled?(verdict)
        return verdict.outcome == :equivalent unless verdict.differs?

        Math.log(verdict.high / verdict.low) <= Math.log(verdict.effect).abs
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  # `mohs compare`: two variants, until the difference between them is decided.
  module Compare
    # Measures one cohort of both variants after another. Its plan has enough of them for the last
    # look, and one cohort of each variant alone.
    class Procedure < Mohs::Procedure
      #: () -> String
      def command = @study.rules.question.command

      #: (seed: Integer, ?costs: Plan::Costs, ?hosts: Integer) -> Plan
      def plan(seed:, costs: Plan::Costs.new, hosts: 1)
        plan = Planner.new(@study, seed:, costs:).call
        plan.estimated(@study.rules.question.looks.first, hosts:)
      end

      #: () -> Compare::Loading
      def loading = Loading.new(@study)

      #: (Store::Run) -> Compare::Result
      def result(stored) = Result.new(stored)

      #: (Analysis::Run, Store) -> void
      def finished(run, store) = @study.rules.question.finished(run, store)

      #: (Analysis::Run, points: ^(String) -> Array[Hash[Symbol, untyped]], **untyped) -> Hash[Symbol, untyped]?
      def answer(run, points:, **) = @study.rules.question.answer(run, points:)

      #: (Store) -> untyped
      def version(store) = @study.rules.question.version(store)

      #: () -> Class
      def document = Document

      #: () -> Class
      def plan_text = PlanText

      #: () -> Class
      def progress_text = ProgressText

      #: () -> bool
      def ends_at_a_look? = true

      #: (Analysis::Run) -> bool
      def over?(run) = run.result.over? && !run.result.wants_solo?

      # Neither side is measured again if it could not be measured once: then it is over.
      #: (Analysis::Run, Array[Store::Cohort], out: Array[String]) -> Array[Store::Cohort]
      def due(run, queued, **)
        queued.select { |cohort| run.result.over? == solo?(cohort.spec) }
      end

      # If it is decided: none, or the cohort that measures each variant alone. Else until the next
      # look, as at its start.
      #: (Store::Run, Plan::Costs) -> Plan
      def rest(stored, _costs)
        found = result(stored)
        cohorts = left(stored)
        cohorts = found.wants_solo? ? cohorts.select { |one| solo?(one) } : [] if found.over?
        count = found.over? ? 1 : [found.next_look.to_i - found.pairs.size, 1].max
        stored.plan.rest(cohorts, cohorts.first(count).sum { |one| seconds(found, one) })
      end

      # The earlier cohorts determine how long the next one should be.
      #: (Analysis::Run, Store::Cohort) -> Integer?
      def blocks(run, cohort)
        spread = Spread.new(run.result)
        solo?(cohort.spec) ? spread.blocks_alone : spread.blocks
      end

      # What is left of the budget.
      #: (Analysis::Run) -> Numeric?
      def left_s(run) = run.result.budget_s && (run.result.budget_s - run.result.spent_s)

      # Only the first cohort's: no other one begins for which the budget has no room.
      #: (Plan::CohortSpec) -> bool
      def cuts_warm_ups?(spec) = spec.position.zero?

      # Until the first look each cohort has the same share: a look with short slices says more than
      # no look.
      #: (Analysis::Run) -> Numeric?
      def aim_s(run)
        missing = @study.rules.question.first_look - run.result.pairs.size
        left_s = left_s(run)
        left_s / (Forecast::SPARE * missing) if left_s && missing.positive?
      end

      #: () -> bool
      def stand_in? = false

      #: (Analysis::Run) -> Array[Compare::Look]
      def looks(run) = run.result.looks

      private

      # Is each variant measured alone in it, to be compared with the cohorts side by side?
      def solo?(spec) = spec.own.fetch(:solo, false)

      def seconds(found, cohort) = (found.cohort_s unless solo?(cohort)) || cohort.estimate_s.to_f
    end
  end
end

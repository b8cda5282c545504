# frozen_string_literal: true

module Mohs
  module Bisect
    # The Progress of a bisection: prints each step and its result, but not each step's plan.
    # Events in addition to a run's: :step { kind:, a:, b:, left:, suspects: }, :step_done {
    # step: }.
    module StepProgress
      private

      def on_plan(facts) = begin_run(facts)

      def on_step(facts)
        renew
        a, b = facts.fetch_values(:a, :b)
        @pair = "#{b.name}#{" #{b.title.inspect}" if b.title} against #{a.name}"
        say(@style.cut([@pair, *about(facts)].join(" · ")))
      end

      # The confirmation is not counted as a step left.
      def about(facts)
        return ["the two ends"] if facts[:kind] == :ends
        return ["to confirm it"] if facts[:kind] == :confirm

        ["#{facts[:suspects]} suspects", "#{Report::Numbers.counted(facts[:left], 'step')} at most"]
      end

      def on_step_done(facts)
        step = facts[:step]
        reason = ": #{Report::Render.call(step.finding)}" if step.verdict == "skipped"
        cohorts = Report::Numbers.counted(step.cohorts, "cohort")
        took = Report::Numbers.duration(step.seconds)
        say("  #{@style.wrap("#{step.verdict}#{reason} · #{cohorts} · #{took}", indent: 2)}")
      end
    end
  end
end

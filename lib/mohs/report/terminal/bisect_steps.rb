# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What a Progress becomes for a bisection: it says each step and what came of it, and not the
      # plan of each. Events besides a run's: :step { kind:, a:, b:, left:, suspects: }, :step_done
      # { step: }.
      module BisectSteps
        private

        def on_plan(facts) = replan(facts)

        def on_step(facts)
          @compared = nil
          a, b = facts.fetch_values(:a, :b)
          @told = "#{b.name}#{" #{b.title.inspect}" if b.title} against #{a.name}"
          say(@style.cut([@told, *about(facts)].join(" · ")))
        end

        # The confirmation comes on top.
        def about(facts)
          return ["the two ends"] if facts[:kind] == :ends
          return ["to confirm it"] if facts[:kind] == :confirm

          left = facts[:left]
          ["#{facts[:suspects]} suspects", "#{left} step#{'s' unless left == 1} at most"]
        end

        def on_step_done(facts)
          step = facts[:step]
          reason = ": #{Phrase.call(step.finding)}" if step.verdict == "skipped"
          cohorts = "#{step.cohorts} cohort#{'s' unless step.cohorts == 1}"
          took = Numbers.duration(step.seconds)
          say("  #{@style.wrap("#{step.verdict}#{reason} · #{cohorts} · #{took}", indent: 2)}")
        end
      end
    end
  end
end

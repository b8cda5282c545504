# frozen_string_literal: true

module Mohs
  class Runner
    # The next rounds of a tuning, from what its cohorts have shown, on this machine's cores.
    class TuningSteps
      #: (Analysis::Run) -> void
      def initialize(run)
        @plan = run.stored.plan
        @schedule = run.tuning.schedule
        @rounds = Plan::TuningRounds.new(run.stored.study, seed: @plan.seed)
      end

      # The plan with another round, or with all searches; nil if nothing is left to do.
      #: () -> Plan?
      def plan
        case @schedule.next
        when :race then @rounds.longer(@plan, @schedule.racers, common: @schedule.common)
        when :search then @rounds.searching(@plan, **@schedule.searches.to_h)
        end
      end
    end
  end
end

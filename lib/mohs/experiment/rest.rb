# frozen_string_literal: true

module Mohs
  class Experiment
    # The rest of a run that is resumed, as a plan, and how long it takes, judged by the run's own
    # cohorts. For a comparison, the time until its next look, as at its start. Pure.
    class Rest
      #: (Store::Run, Plan::Costs) -> void
      def initialize(result, costs)
        @run = result
        @costs = costs
      end

      #: () -> Plan
      def plan
        cohorts, seconds = @run.study.procedure.rest(@run, @costs)
        Plan.new(**@run.plan.each_pair.to_h, cohorts:, estimate_s: seconds.ceil)
      end
    end
  end
end

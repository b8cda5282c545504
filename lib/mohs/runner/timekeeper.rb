# frozen_string_literal: true

module Mohs
  class Runner
    # Follows the events of a run of rounds and keeps the time that was announced: what
    # Plan::Promise cuts is cut from the stored plan, and reported as the event :cut. It asks once
    # the first servers have booted, and after each cohort: never while load runs.
    class Timekeeper
      #: (store: Store, run: Store::Run, costs: Plan::Costs, announced_s: Numeric, on_event: Proc, ?clock: Module) -> void
      def initialize(store:, run:, costs:, announced_s:, on_event:, clock: Clock)
        @store = store
        @run_id = run.id
        estimator = Plan::Estimator.new(run.study.variants, costs)
        @promise = Plan::Promise.new(run.study, run.plan, estimator, announced_s:)
        @time = Plan::TimeLeft.new(run.plan, estimator, clock:)
        @on_event = on_event
      end

      # Takes an event of the run.
      #: (Symbol, Hash[Symbol, untyped]) -> void
      def call(name, facts)
        case name
        when :cohort_started then @time.started(facts[:cohort])
        when :trial then trial(facts)
        when :cohort_finished then finished
        when *INSTALLING then @time.waits
        end
      end

      private

      def trial(facts)
        return @time.waits if facts[:stage] == :wait

        @time.trial(facts)
        first_boots if facts[:stage] == :attest
      end

      def first_boots
        keep unless @booted
        @booted = true
      end

      def finished
        @time.finished
        keep
      end

      def keep
        queued = @store.cohorts(@run_id).select(&:queued?).map(&:position)
        change = @promise.call(@time.sunk_s, queued) or return

        @store.replan(@run_id, change.plan) if change.cut.any?
        @time.replan(change.plan)
        @on_event.call(:cut, change.to_h)
      end
    end
  end
end

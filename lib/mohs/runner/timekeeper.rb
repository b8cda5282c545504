# frozen_string_literal: true

module Mohs
  class Runner
    # Follows the events of a run of rounds and keeps the time that was announced: what
    # Plan::Promise cuts or adds changes the stored plan, and is reported as the event
    # :plan_changed. It asks once the first servers have booted, and after each cohort: never while
    # load runs.
    class Timekeeper
      #: (store: Store, run: Store::Run, costs: Plan::Costs, announced_s: Numeric, on_event: Proc, ?clock: Module) -> void
      def initialize(store:, run:, costs:, announced_s:, on_event:, clock: Clock)
        @store = store
        @run_id = run.id
        estimator = Plan::Estimator.new(run.study.variants, costs)
        further = Plan::Builder.new(run.study, seed: run.plan.seed, costs:).further(run.plan)
        @promise = Plan::Promise.new(run.study, run.plan, estimator, announced_s:, further:)
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
        change(@promise.call(@time.sunk_s, queued, sure: false)) unless @booted
        @booted = true
      end

      def finished
        @time.finished
        change(@promise.call(@time.sunk_s, queued) || more)
      end

      # Once: later there is less to gain than a person's idea of the end is worth.
      def more
        @promise.more(@time.sunk_s, queued) unless @finished
      ensure
        @finished = true
      end

      def queued = @store.cohorts(@run_id).select(&:queued?).map(&:position)

      def change(change)
        return unless change

        @store.replan(@run_id, change.plan)
        @time.replan(change.plan, anew: !change.announced_s.nil?)
        @on_event.call(:plan_changed, change.to_h)
      end
    end
  end
end

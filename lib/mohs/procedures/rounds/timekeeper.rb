# frozen_string_literal: true

module Mohs
  module Rounds
    # Follows the events of a run of rounds and keeps to the time that was announced: what
    # Rounds::TimeCap cuts or adds changes the stored plan, and is reported as the event
    # :plan_changed. If no time was announced, since variants were never measured before, the first
    # change announces it. It asks once the first servers have booted, while those of the first
    # cohort get warm one after the other, and after each cohort: never while load runs.
    class Timekeeper
      # Warm-ups of the first cohort after which the duration of the others can be predicted.
      TELLING = 2

      # budget_s: for the rest of a resumed run (nil: as its study says). open: is announced_s only
      # an assumption, which nobody was told? waiting: returns the cohorts that are still to be
      # measured: a run may end before its last queued one.
      #: (store: Store, run: Store::Run, costs: Plan::Costs, announced_s: Numeric, on_event: Proc, waiting: ^() -> Array[Store::Cohort], ?open: bool, ?budget_s: Numeric?, ?clock: Module) -> void
      def initialize(store:, run:, costs:, announced_s:, on_event:, waiting:, open: false,
                     budget_s: nil, clock: Clock)
        @store = store
        @run_id = run.id
        @waiting = waiting
        @budget_s = budget_s
        estimator = Plan::Estimator.new(run.study.variants, costs)
        further = Planner.new(run.study, seed: run.plan.seed, costs:).further(run.plan)
        study = budget_s ? run.study.within(budget_s) : run.study
        @time_cap = TimeCap.new(study, run.plan, estimator, announced_s:, further:, open:)
        @time = TimeLeft.new(run.plan, estimator, clock:)
        @open = open
        @on_event = on_event
      end

      # Called before the first cohort: the plan of a resumed run does not know its new budget.
      #: () -> void
      def start
        change(@time_cap.call(@time.sunk_s, queued)) if @budget_s && !@open
      end

      # Takes an event of the run.
      #: (Symbol, Hash[Symbol, untyped]) -> void
      def call(name, facts)
        case name
        when :cohort_started then started(facts)
        when :trial then trial(facts)
        when :cohort_finished then finished
        when *Trial::Installation::EVENTS then @time.waits
        end
      end

      # Called before a server of a cohort is warmed up. Of the variants that are not warm yet,
      # returns those to leave out because the run would take too long. Only in the first cohort:
      # for later ones the plan is known.
      #: (Array[String]) -> Array[String]
      def late(cold)
        return [] if @finished || @variants - cold.size < TELLING

        @time.between
        change = @time_cap.call(@time.sunk_s, queued, cold:)
        change(change)
        change ? change.cut.filter_map { |cut| cut[:name] } & cold : []
      end

      private

      def started(facts)
        @variants = facts[:variants].size
        @time.started(facts[:cohort])
      end

      def trial(facts)
        return @time.waits if facts[:stage] == :wait

        @time.trial(facts)
        first_boots if facts[:stage] == :attest
      end

      def first_boots
        change(@time_cap.call(@time.sunk_s, queued, sure: false)) unless @booted || @open
        @booted = true
      end

      def finished
        @time.finished
        @finished = true
        change(announced || @time_cap.more(@time.sunk_s, queued)) unless ended?
      end

      # Does the run end although cohorts are queued?
      def ended? = queued.empty? && @store.cohorts(@run_id).any?(&:queued?)

      # The first announcement, or what keeps the time that was announced; nil if nothing changes.
      def announced
        return @time_cap.call(@time.sunk_s, queued) unless @open

        @open = false
        @time_cap.first(@time.sunk_s, queued)
      end

      def queued = @waiting.call.map(&:position)

      def change(change)
        return unless change

        @store.replan(@run_id, change.plan)
        @time.replan(change.plan, announced_s: change.announced_s)
        @on_event.call(:plan_changed, change.to_h)
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  # Walks a run's cohorts in their order until none is left, and says what happens. Starting and
  # resuming are the same walk: what is done stays done, and a cohort whose process died is queued
  # again first.
  class Runner
    # on_event: called with a name and a hash, for whoever shows progress: :cohort_started, :trial,
    # :cohort_finished, :finished.
    #: (store: Store, run_id: Integer, ?on_event: Proc, ?setups: Trial::Setups) -> void
    def initialize(store:, run_id:, on_event: ->(*) {}, setups: Trial::Setups.new)
      @store = store
      @run_id = run_id
      @on_event = on_event
      @setups = setups
    end

    # The run's document at its end, or at Ctrl-C (its state is then "interrupted").
    #: () -> Hash[Symbol, untyped]
    def call
      @store.release_stale(@run_id) { |token| !Cohort::Token.alive?(token) }
      walk
      @store.finish_run(@run_id, "finished")
      document.tap { |document| @on_event.call(:finished, { document: }) }
    rescue Interrupt
      @store.finish_run(@run_id, "interrupted")
      document
    end

    private

    # What can be said so far.
    def document = Report::Model.build(@store.result(@run_id))

    def walk
      total = @store.cohorts(@run_id).size
      while (cohort = @store.next_cohort(@run_id))
        facts = { cohort: cohort[:position], of: total, round: cohort[:round],
                  variants: cohort[:spec][:variants] }
        @on_event.call(:cohort_started, facts)
        execute(cohort)
        @on_event.call(:cohort_finished, { **facts, document: })
      end
    end

    def execute(cohort)
      emit = ->(**stage) { @on_event.call(:trial, stage) }
      Cohort::Execution.new(store: @store, cohort_id: cohort[:id], setups: @setups, emit:).call
    end
  end
end

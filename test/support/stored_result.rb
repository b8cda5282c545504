# frozen_string_literal: true

module Mohs
  # Writes made-up results (SampleResult#to_h and the like) into a real store, as a runner would.
  module StoredResult
    TRIAL = %i[state reason log_tail boot_ns requests].freeze

    module_function

    # Returns the run. state: how it ends; "running": this process holds its last cohort.
    # recording: of each measured trial; nil: none.
    #: (Store, Hash[Symbol, untyped], ?state: String, ?recording: Load::Recording?) -> Store::Run
    def write(store, result, state: "finished", recording: nil)
      specs = result[:cohorts].each_with_index.map { |one, at| spec(one, at) }
      specs << { **specs.last, position: specs.size } if state == "running"
      plan = { **result[:run].fetch(:plan, {}), cohorts: specs }
      study = Stored.study(result[:run].fetch(:study))
      run = store.create_run(study:, plan:, **result[:run].slice(:fingerprint, :provenance))
      result[:cohorts].each { |made| cohort(store, run, made, recording) }
      end_run(store, run, state)
      store.run(run.id)
    end

    def spec(made, position)
      { round: made[:round] || (position + 1), position:,
        variants: made[:trials].map { |one| one[:variant] }.uniq,
        **made[:spec].to_h }
    end

    def cohort(store, run, made, recording)
      id = store.cohorts(run.id).find(&:queued?).id
      store.claim(id, Cohort::Token.own)
      made[:trials].each { |one| trial(store, id, one, recording) }
      store.finish_cohort(id, "done", host: made[:host].to_h)
      store.keep_look(id, made[:look]) if made[:look]
    end

    def trial(store, cohort_id, made, recording)
      id = store.start_trial(cohort_id, made[:variant])
      store.finish_trial(id, { **made.slice(*TRIAL).compact, **made[:facts].to_h })
      store.add_slices(id, made[:slices].to_a)
      store.add_observations(id, recording.encode, recording.size) if
        recording && made[:state] == "measured"
    end

    def end_run(store, run, state)
      return store.finish_run(run.id, state) unless state == "running"

      store.claim(store.cohorts(run.id).find(&:queued?).id, Cohort::Token.own)
    end
    private_class_method :spec, :cohort, :trial, :end_run
  end
end

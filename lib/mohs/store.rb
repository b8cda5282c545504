# frozen_string_literal: true

module Mohs
  # What has been declared, planned and measured, in SQLite's file or in PostgreSQL: the only room
  # that outlives a process. Hashes with Symbol keys go in (docs/store.md has their keys), frozen
  # structs come out: Store::Run, Cohort, Trial and Slice. What the database refuses is a
  # StoreError.
  class Store
    # A runner shows life every few seconds; one silent for this long is taken for dead.
    STALE_S = 30

    # The store at `url` (postgres://..., sqlite://FILE or a path), else at MOHS_DATABASE_URL, else
    # in the person's data folder; made, or brought up to date, where needed.
    #: (?String?, ?env: Hash[String, String], ?clock: Module, ?busy_s: Numeric) -> Store
    def self.open(url = nil, env: ENV.to_h, clock: Clock, busy_s: Watch::BUSY_S)
      location = Location.new(url, env)
      watch = Watch.new(location, busy_s: busy_s)
      database = watch.watch { Connection.new(location).open }
      new(database, watch: watch, clock: clock)
    end

    #: (Sequel::Database, watch: Watch, clock: Module) -> void
    def initialize(database, watch:, clock:)
      @database = database
      @watch = watch
      @runs = Runs.new(database, clock: clock)
      @cohorts = Cohorts.new(database, clock: clock)
      @trials = Trials.new(database, clock: clock)
      @slices = Slices.new(database)
      @observations = Observations.new(database)
    end

    # A new run, with its plan's cohorts queued.
    #: (study: untyped, plan: untyped, **untyped) -> Store::Run
    def create_run(study:, plan:, fingerprint:, provenance:)
      study, plan = Plain.call(study), Plain.call(plan)
      facts = { fingerprint: fingerprint, provenance: provenance }
      transaction do
        id = @runs.add(app: study[:app], study: study, plan: plan, **facts)
        @cohorts.add(id, plan.fetch(:cohorts))
        @runs.find(id)
      end
    end

    # By number, or by the first characters of its key. UsageError where there is none, or more than
    # one.
    #: (Integer | String) -> Store::Run
    def run(key_or_id) = watch { @runs.find(key_or_id) }

    # All of them, newest first.
    #: () -> Array[Store::Run]
    def runs = watch { @runs.all }

    # `state` is finished, interrupted or failed; a cohort that is claimed makes the run running.
    #: (Integer, String | Symbol) -> void
    def finish_run(run_id, state) = watch { @runs.finish(run_id, state) }

    # Seconds that trials of this application took before, by variant: what a plan's estimate needs.
    #: (String) -> Hash[String, Hash[Symbol, Float]]
    def costs(app) = watch { Costs.new(@database).of(app) }

    #: (Integer) -> Array[Store::Cohort]
    def cohorts(run_id) = watch { @cohorts.of(run_id) }

    #: (Integer) -> Store::Cohort
    def cohort(cohort_id) = watch { @cohorts.find(cohort_id) }

    # The first queued one, or nil.
    #: (Integer) -> Store::Cohort?
    def next_cohort(run_id) = watch { @cohorts.next_of(run_id) }

    # Takes a queued cohort for the holder of `token` (at most 255 characters): true for one caller
    # only.
    #: (Integer, String) -> bool
    def claim(cohort_id, token)
      transaction do
        taken = @cohorts.claim(cohort_id, token)
        @runs.began(@cohorts.find(cohort_id).run_id) if taken
        taken
      end
    end

    # Shows that the holder lives. false when it has lost the cohort, and should stop.
    #: (Integer, String) -> bool
    def heartbeat(cohort_id, token) = watch { @cohorts.heartbeat(cohort_id, token) }

    # `state` is done or failed; `host` what was noticed of the host meanwhile. StoreError when the
    # claim is lost.
    #: (Integer, String | Symbol, ?token: String?, ?host: Hash[Symbol, untyped]?) -> void
    def finish_cohort(cohort_id, state, token: nil, host: nil)
      watch { @cohorts.finish(cohort_id, state, token: token, host: host) }
    end

    # Queues again the run's cohorts whose runner is silent for `older_than_s`, or dead by the
    # block's word (given the token: a process of this host can be looked up); their started trials
    # become lost. Their numbers.
    #: (Integer, ?older_than_s: Numeric) ?{ (String) -> bool } -> Array[Integer]
    def release_stale(run_id, older_than_s: STALE_S, &dead)
      transaction do
        released = @cohorts.release_stale(run_id, older_than_s: older_than_s, &dead)
        @trials.lose(released)
        released
      end
    end

    # Names of the variants out of the race: refused or invalid in a cohort of this run.
    #: (Integer) -> Array[String]
    def out_of_race(run_id)
      watch { @trials.refused(@cohorts.of(run_id).map(&:id)) }
    end

    # How each trial of the run ended so far, in their order: variants and states alone.
    #: (Integer) -> Array[Store::Trial]
    def outcomes(run_id)
      watch { @trials.outcomes(@cohorts.of(run_id).map(&:id)) }
    end

    # Before the server is spawned, so that every life leaves a row.
    #: (Integer, String) -> Integer
    def start_trial(cohort_id, variant) = transaction { @trials.start(cohort_id, variant) }

    # `state` is measured, refused, failed or invalid; any other fact is kept under its key.
    # StoreError when it has ended.
    #: (Integer, Hash[Symbol, untyped]) -> void
    def finish_trial(trial_id, facts) = watch { @trials.finish(trial_id, facts) }

    # Each a Hash or Load::StepResult, with :block, :position and :warm_up.
    #: (Integer, Array[untyped]) -> void
    def add_slices(trial_id, slices) = transaction { @slices.add(trial_id, slices) }

    # `encoded` by Core::Codec, all of a trial's or the next part of them; `count` of the records in
    # it.
    #: (Integer, String, Integer) -> void
    def add_observations(trial_id, encoded, count)
      transaction { @observations.add(trial_id, encoded, count) }
    end

    # Encoded, whole.
    #: (Integer) -> String
    def observations(trial_id) = watch { @observations.of(trial_id) }

    # Everything of a run but its observations, in four queries: its cohorts, their trials, their
    # slices.
    #: (Integer) -> Store::Run
    def result(run_id)
      watch do
        cohorts = @cohorts.of(run_id)
        trials = @trials.of(cohorts.map(&:id))
        slices = @slices.of(trials.map(&:id))
        trials = nest(trials, slices: slices, by: :trial_id)
        @runs.find(run_id).with(cohorts: nest(cohorts, trials: trials, by: :cohort_id))
      end
    end

    # All that the block writes, or none of it: a cohort's trials are written in one, after load has
    # stopped, so that a report sees the whole cohort or none, and what is killed meanwhile leaves
    # started trials, never half ones.
    #: [T] () { (Object) -> T } -> T
    def transaction(&block) = watch { @database.transaction(&block) }

    #: () -> void
    def close = @database.disconnect

    private

    def watch(&block) = @watch.watch(&block)

    # Each parent with its children under their name.
    def nest(parents, by:, **children)
      name, rows = children.first
      rows = rows.group_by { |row| row[by] }
      parents.map { |parent| parent.with(name => rows.fetch(parent.id, [])) }
    end
  end
end

# frozen_string_literal: true

module Mohs
  # What has been declared, planned and measured, in SQLite's file or in PostgreSQL: the only room
  # that outlives a process. Hashes with Symbol keys go in (docs/store.md has their keys), frozen
  # structs come out: Store::Run, Cohort, Trial and Slice. What the database refuses is a
  # StoreError.
  class Store
    include Runs
    include Cohorts
    include Trials
    include Observations

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
      @clock = clock
    end

    # Seconds that trials of this application took before, by variant: what a plan's estimate needs.
    #: (String) -> Hash[String, Hash[Symbol, Float]]
    def costs(app) = watch { Costs.new(@database).of(app) }

    # Everything of a run but its observations, in four queries: its cohorts, their trials, their
    # slices.
    #: (Integer) -> Store::Run
    def result(run_id)
      watch do
        trials = loaded_trials(run_id).group_by(&:cohort_id)
        cohorts = cohorts(run_id).map { |one| one.with(trials: trials.fetch(one.id, [])) }
        run(run_id).with(cohorts:)
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
  end
end

# frozen_string_literal: true

require "test_helper"

module Mohs
  class ExperimentRetentionTest < TestCase
    include StoreHelper

    DAY_MS = 86_400_000
    NOW_MS = 1000 * DAY_MS

    # Records whose secrets are forgotten.
    class Vault
      attr_reader :forgotten

      def forget(study) = (@forgotten ||= []) << study.app
    end

    def store
      with_files do |folder|
        @clock = FakeClock.new(NOW_MS)
        @vault = Vault.new
        store = open_store(File.join(folder, "mohs.db"), clock: @clock)
        yield store, Experiment::Retention.new(store:, vault: @vault, clock: @clock)
      ensure
        close_stores
      end
    end

    # A run that began so many days ago, and ended a day later if it has a state.
    def kept(store, days, state: "finished", app: "/srv/shop")
      @clock.real_ms = NOW_MS - (days * DAY_MS)
      run = create_run(store, app:)
      yield store.cohorts(run.id).first.id if block_given?
      @clock.real_ms += DAY_MS
      store.finish_run(run.id, state) if state
      @clock.real_ms = NOW_MS
      run.key
    end

    def keys(runs) = runs.map(&:key)

    test "runs that ended long ago go" do
      store do |store, retention|
        old, = [9, 8, 1].map { |days| kept(store, days) }

        assert_equal [old], keys(retention.choose(older_than_s: 7.5 * 86_400).go)
        assert_empty retention.choose(older_than_s: 8.5 * 86_400).go
      end
    end

    test "all but the newest of each application go, or of these the old ones" do
      store do |store, retention|
        shop = [9, 8, 7].map { |days| kept(store, days) }
        blog = [6, 5].map { |days| kept(store, days, app: "/srv/blog") }

        assert_equal [blog[0], shop[1], shop[0]], keys(retention.choose(keep: 1).go)
        assert_equal [shop[0]], keys(retention.choose(keep: 2).go)
        assert_equal [shop[0]], keys(retention.choose(keep: 1, older_than_s: 7.5 * 86_400).go)
      end
    end

    test "a run that was not finished goes by its beginning, with its secrets" do
      store do |store, retention|
        old = [kept(store, 9, state: nil), kept(store, 8, state: "interrupted", app: "/srv/blog")]
        choice = retention.choose(older_than_s: 5 * 86_400)

        assert_equal old.reverse, keys(choice.go)
        refute_predicate retention, :busy?
        assert_equal old.reverse, keys(retention.delete(choice.go))
        assert_equal %w[/srv/blog /srv/shop], @vault.forgotten.sort
        assert_empty store.listed
      end
    end

    test "a run that may be under way stays: just planned, running, or with a heartbeat" do
      store do |store, retention|
        planned = kept(store, 0, state: nil)
        held = kept(store, 9, state: nil) { |cohort| store.claim(cohort, Cohort::Token.own) }
        beating = kept(store, 9, state: nil) do |cohort|
          store.claim(cohort, "elsewhere:1:2")
          @clock.real_ms = NOW_MS - 1
          store.heartbeat(cohort, "elsewhere:1:2")
          @clock.real_ms = NOW_MS - (9 * DAY_MS)
        end
        choice = retention.choose(older_than_s: -1)

        assert_empty choice.go
        assert_equal [planned, held, beating].sort, keys(choice.under_way).sort
        assert_predicate retention, :busy?
      end
    end

    # A run that came as a file, begun so many days ago.
    def imported(store, folder, days, state)
      file = File.join(folder, "x.mohs")
      head = { key: "abcd", state:, app: "/srv/shop", created_ms: NOW_MS - (days * DAY_MS),
               finished_ms: nil, study: { app: "/srv/shop", requests: [], variants: [], env: {} },
               plan: { seed: 1, cohorts: [] }, fingerprint: {}, provenance: {} }
      lines = [{ mohs_run: 1, mohs: "0.1.0" }, { run: head }]
      File.binwrite(file, Archived.pack(lines.map { |line| "#{JSON.generate(line)}\n" }))
      store.import_run(Store::ArchiveReader.new(file)).run
    end

    test "an imported run is never under way, whatever its file says, and has no secrets here" do
      store do |store, retention|
        with_files do |folder|
          imported(store, folder, -9, "planned")
          imported(store, folder, 0, "planned")

          refute_predicate retention, :busy?
          go = retention.choose(older_than_s: -99 * 86_400).go
          assert_equal 2, go.size
          assert_equal go, retention.delete(go)
          assert_nil @vault.forgotten
        end
      end
    end

    test "a clock that was ahead keeps no run under way for ever" do
      store do |store, retention|
        kept(store, -9, state: nil)

        refute_predicate retention, :busy?
        assert_equal 1, retention.choose(older_than_s: -99 * 86_400).go.size
      end
    end

    test "a run whose mohs was killed goes" do
      store do |store, retention|
        killed = kept(store, 9, state: nil) do |cohort|
          store.claim(cohort, "#{Socket.gethostname}:1:0")
        end
        go = retention.choose(older_than_s: 1).go

        assert_equal [killed], keys(go)
        assert_equal [killed], keys(retention.delete(go))
        assert_empty store.listed
      end
    end

    test "so does one that another host has not been heard of for days" do
      store do |store, retention|
        silent = kept(store, 9, state: nil) { |cohort| store.claim(cohort, "elsewhere:1:2") }
        refute_predicate retention, :busy?
        go = retention.choose(older_than_s: 1).go

        assert_equal [silent], keys(retention.delete(go))
        assert_empty store.listed
      end
    end

    test "a run that is taken up again while it is deleted stays" do
      store do |store, retention|
        kept(store, 9, state: "interrupted")
        go = retention.choose(older_than_s: 1).go
        store.claim(store.cohorts(go.first.id).first.id, Cohort::Token.own)

        assert_empty retention.delete(go)
        assert_empty retention.delete(go, recordings_only: true)
        assert_equal 1, store.listed.size
        assert_nil @vault.forgotten
      end
    end

    test "without their recordings, runs and secrets stay" do
      store do |store, retention|
        trial = nil
        kept(store, 9, state: "interrupted") { |cohort| trial = store.start_trial(cohort, "a") }
        store.add_observations(trial, Core::Codec.encode("\0" * 64), 2)
        go = retention.choose(older_than_s: 1).go

        assert_equal go, retention.delete(go, recordings_only: true)
        assert_equal ["", 1, nil], [store.observations(trial), store.listed.size, @vault.forgotten]
      end
    end
  end
end

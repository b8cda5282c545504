# frozen_string_literal: true

module Mohs
  # What tests of the store share: opening and closing it, and shortcuts to its rows.
  module StoreHelper
    # A clock that tests move on.
    FakeClock = Struct.new(:real_ms)

    # Opens another store on this test's database; all are closed at the test's end.
    def open_store(url = @url, **options)
      (@stores ||= []) << Store.open(url, **options)
      @stores.last
    end

    def close_stores
      @stores&.each(&:close)
      @stores = []
    end

    # others: further members of its study.
    def create_run(store, cohorts: 1, app: "/apps/hello", **others)
      specs = Array.new(cohorts) { |index| { round: 1, position: index, variants: %w[a b] } }
      study = { app: app, requests: [], variants: [], env: {}, **others }
      plan = { seed: 1, cohorts: specs }
      store.create_run(study: study, plan: plan, fingerprint: {}, provenance: {})
    end

    # A claimed cohort of a new run: [run id, cohort id].
    def claimed(store, token: "me")
      run_id = create_run(store)[:id]
      cohort_id = store.cohorts(run_id).find(&:queued?).id
      assert store.claim(cohort_id, token)
      [run_id, cohort_id]
    end

    # All trials of a run, in their order.
    def trials(store, run_id)
      store.result(run_id).trials
    end

    # Runs the block in a forked process that ends without at_exit hooks (the tests' own among
    # them). Returns its pid.
    def in_child
      fork do
        yield
        exit!(0)
      rescue StandardError => error
        warn error.full_message
        exit!(1)
      end
    end

    def await(pids)
      pids.each { |pid| assert_predicate ::Process.wait2(pid).last, :success? }
    end
  end
end

# frozen_string_literal: true

module Mohs
  module StoreContract
    # Cohorts: who may run what.
    module Cohorts
      def self.define(base) = base.class_eval(&TESTS)

      TESTS = proc do
        test "cohorts wait in the plan's order" do
          store = open_store
          id = create_run(store, cohorts: 3)[:id]
          order = Array.new(3) do
            store.cohorts(id).find(&:queued?).tap { |cohort| store.claim(cohort[:id], "me") }
          end

          assert_equal([0, 1, 2], order.map { |cohort| cohort[:position] })
          assert_equal Plan::CohortSpec.new(round: 1, position: 0, variants: %w[a b]),
                       order.first.spec
          assert_nil store.cohorts(id).find(&:queued?)
          assert_equal(%w[running] * 3, store.cohorts(id).map { |cohort| cohort[:state] })
        end

        test "a cohort has one holder, and only its holder keeps it alive" do
          store = open_store
          _, id = claimed(store, token: "me")

          refute store.claim(id, "other")
          assert store.heartbeat(id, "me")
          refute store.heartbeat(id, "other")
          assert_equal "me", store.cohort(id)[:token]
        end

        test "what a comparison was decided by is kept with a cohort, and the first stays" do
          store = open_store
          run, id = claimed(store)
          look = { cohorts: 3, differences: [0.1, -0.02, 1e-17], decision: "continue" }
          store.keep_look(id, look)
          store.keep_look(id, { **look, decision: "differs" })

          assert_equal [look, nil], [store.cohort(id).look, store.cohorts(run)[1]&.look]
        end

        test "a cohort ends once, by its holder" do
          store = open_store
          _, id = claimed(store)

          assert_raises(StoreError) { store.finish_cohort(id, "done", token: "other") }
          assert_raises(ArgumentError) { store.finish_cohort(id, "asleep") }
          store.finish_cohort(id, :done, token: "me", host: { foreign_cpu: 0.25 })
          cohort = store.cohort(id)
          assert_equal ["done", { foreign_cpu: 0.25 }], [cohort.state, cohort.host]
          assert_raises(StoreError) { store.finish_cohort(id, "done") }
          refute store.heartbeat(id, "me")
        end

        test "a cohort that is not there is said to be not there" do
          assert_match(/no cohort 99/, assert_raises(StoreError) { open_store.cohort(99) }.message)
        end

        test "a silent runner's cohort is queued again and its unfinished trials are lost" do
          clock = StoreHelper::FakeClock.new(1_000_000)
          store = open_store(clock: clock)
          run_id, id = claimed(store)
          whole, half = %w[a b].map { |variant| store.start_trial(id, variant) }
          store.finish_trial(whole, state: "measured")
          clock.real_ms += 30_000

          assert_empty store.release_stale(run_id)
          clock.real_ms += 1
          assert_equal [id], store.release_stale(run_id)
          assert_equal id, store.cohorts(run_id).find(&:queued?)[:id]
          states = trials(store, run_id).to_h { |trial| [trial[:id], trial[:state]] }
          assert_equal({ whole => "measured", half => "lost" }, states)
        end

        test "a runner known to be dead need not be waited for" do
          store = open_store
          run_id, id = claimed(store, token: "host:42:1")

          assert_empty(store.release_stale(run_id) { |token| token == "host:43:1" })
          assert_equal([id], store.release_stale(run_id) { |token| token == "host:42:1" })
        end

        test "who was taken for dead cannot write any more, and what it wrote is undone" do
          store = open_store
          run_id, id = claimed(store)
          trial = store.start_trial(id, "a")
          store.release_stale(run_id, older_than_s: -1)
          late = lambda do
            store.transaction do
              store.add_slices(trial, [{ block: 0, good: 1 }])
              store.finish_trial(trial, state: "measured")
            end
          end
          error = assert_raises(StoreError, &late)

          assert_match(/has ended before \(lost\).*took its cohort over/, error.message)
          assert_empty trials(store, run_id).first[:slices]
        end
      end
    end
  end
end

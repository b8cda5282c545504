# frozen_string_literal: true

module Mohs
  module StoreContract
    # Hosts of a fleet, and their attempts at cohorts.
    module Fleet
      def self.define(base) = base.class_eval(&TESTS)

      TESTS = proc do
        test "a host is known by what it said last, and for how long it has been silent" do
          clock = StoreHelper::FakeClock.new(1_000_000)
          store = open_store(clock:)
          store.see_host("b", fingerprint: { cores: 2 }, queues: ["host_b"], cohort: 7)
          store.see_host("a", fingerprint: { cores: 4 }, queues: ["host_a"])
          clock.real_ms += 3_000
          store.see_host("b", fingerprint: { cores: 2 }, queues: ["host_b"], cohort: nil)

          assert_equal [["a", 3.0], ["b", 0.0]],
                       (store.hosts.map { |one| [one.name, one.silent_s] })
          assert_equal [{ cores: 2 }, ["host_b"], nil],
                       store.hosts.last.to_h.values_at(:fingerprint, :queues, :cohort)
          assert_equal ["b"], store.hosts(within_s: 2).map(&:name)
          store.forget_host("b")
          assert_equal ["a"], store.hosts.map(&:name)
        end

        test "an attempt is open until it ends, and keeps what was said then" do
          store = open_store
          _run, id = claimed(store)
          first = store.begin_attempt(id, host: "a", token: "a:1:2")
          store.begin_attempt(id, host: "b", token: "b:1:2")
          store.end_attempt(first, "failed", reason: "no space")

          assert_raises(ArgumentError) { store.end_attempt(first, "asleep") }
          ended, open = store.attempts(id)
          assert_equal ["a", "failed", "no space"], ended.to_h.values_at(:host, :outcome, :reason)
          assert_operator ended.ended_ms, :>=, ended.started_ms
          assert_equal [true, "b"], [open.open?, open.host]
          assert_empty store.attempts(id + 1)
        end

        test "a cohort that is taken back waits again, and its holder is out" do
          store = open_store
          run, id = claimed(store, token: "gone")
          store.start_trial(id, "a")
          store.take_back(id)

          assert_equal ["queued", nil], store.cohort(id).to_h.values_at(:state, :token)
          assert_equal ["lost"], trials(store, run).map(&:state)
          refute store.heartbeat(id, "gone")
          assert_raises(StoreError) { store.finish_cohort(id, "done", token: "gone") }
          assert store.claim(id, "next")
        end

        test "who holds a cohort is known whatever its study says" do
          store = open_store
          run, id = claimed(store, token: "me")
          store.beside { |database| database[:runs].where(id: run).update(study: '{"newer":1}') }
          claim = store.claim_of(id)

          assert_raises(KeyError) { store.run(run) }
          assert_equal [run, "running", "running", "me", true, true],
                       [*claim.to_h.values_at(:run_id, :run_state, :state, :token), claim.open?,
                        claim.wanted?]
          assert_operator claim.heartbeat_ms, :>, 0
          assert_nil store.claim_of(id + 1)
        end

        test "attempts go with their run" do
          store = open_store
          run, id = claimed(store, token: "me")
          store.begin_attempt(id, host: "a", token: "me")
          store.finish_cohort(id, "done", token: "me")
          store.finish_run(run, "finished")
          store.delete_runs([run])

          assert_empty store.attempts(id)
        end
      end
    end
  end
end

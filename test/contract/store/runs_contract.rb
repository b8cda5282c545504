# frozen_string_literal: true

module Mohs
  module StoreContract
    # Runs: what is declared, and how it is found again.
    module Runs
      def self.define(base) = base.class_eval(&TESTS)

      TESTS = proc do
        test "an empty store has no runs and says what to do" do
          store = open_store
          error = assert_raises(UsageError) { store.run("7c1a") }

          assert_empty store.runs
          assert_match(/nothing .*measured/, error.message)
        end

        test "a run comes back as it was declared" do
          study = Study.new(app: "/srv/shop", requests: [], env: { "A" => "1" },
                            variants: [Study::Variant.new(name: "yjit", env: { "B" => "2" })])
          plan = Plan.new(seed: 1 << 40, cohorts: [])
          run = open_store.create_run(study:, plan:, fingerprint: { cores: 2 },
                                      provenance: { argv: ["/"] })

          assert_equal [study, plan], [run.study, run.plan]
          assert_equal [{ cores: 2 }, { argv: ["/"] }], [run.fingerprint, run.provenance]
          assert_equal ["/srv/shop", "planned", nil], [run.app, run.state, run.finished_ms]
          assert_in_delta Clock.real_ms, run.created_ms, 60_000
          assert_match(/\A\h{4}\z/, run.key)
          assert_predicate run, :frozen?
        end

        test "a run is found by number, by key and by the key's beginning" do
          store = open_store
          run = create_run(store)
          ways = [run[:id], run[:key], run[:key].upcase, run[:key][0, 2]]

          ways.each { |way| assert_equal run, store.run(way) }
        end

        test "runs come in pages, newest first, by application and state, with their number" do
          store = open_store
          ids = Array.new(5) { |index| create_run(store, app: index.odd? ? "/a" : "/b")[:id] }
          store.finish_run(ids[0], "failed")
          pages = [{ limit: 2 }, { limit: 2, offset: 4 }, { limit: 9, apps: %w[/a] },
                   { limit: 9, states: %w[failed] }, { limit: 9, states: [], ids: ids.first(2) },
                   { limit: 9, states: %w[planned], except: ids.last(2) }].map do |asked|
            [store.listed(**asked).map(&:id), store.count_runs(**asked.except(:limit, :offset))]
          end

          assert_equal [[ids.values_at(4, 3), 5], [[ids[0]], 5], [ids.values_at(3, 1), 2],
                        [[ids[0]], 1], [ids.values_at(1, 0), 2], [ids.values_at(2, 1), 2]], pages
          assert_equal %w[/a /b], store.apps
        end

        test "a run is given a name, keeps its key, and loses the name again" do
          store = open_store
          run = create_run(store)
          store.label_run(run.id, "before \0 the <upgrade>")
          named = store.run(run.key)
          store.label_run(run.id, nil)

          assert_equal [run.key, "before  the <upgrade>"], [named.key, named.label]
          assert_nil store.run(run.key).label
        end

        test "a run keeps the sentence that it ended with, for lists" do
          store = open_store
          run = create_run(store)
          assert_nil store.run(run.key).answer
          store.answer_run(run.id, "b \0 is <faster>")

          assert_equal ["b  is <faster>"] * 2,
                       [store.run(run.key), store.listed.first].map(&:answer)
        end

        test "a deleted run takes what was measured in it along, but no point of a history" do
          store = open_store
          kept = create_run(store)
          run_id, cohort_id = claimed(store)
          trial_id = store.start_trial(cohort_id, "a")
          store.add_slices(trial_id, [{ block: 1, position: 0 }])
          store.add_point("shop", run_id:, at_ms: 1, run: "7c1a")
          store.finish_cohort(cohort_id, "done")
          store.delete_runs([run_id])

          assert_equal [kept.id], store.runs.map(&:id)
          assert_raises(StoreError) { store.cohort(cohort_id) }
          assert_empty trials(store, kept.id)
          assert_equal [["7c1a", nil]],
                       store.points("shop").map { |one| one.values_at(:run, :run_id) }
        end

        test "the runs of a procedure are found, with their rules" do
          store = open_store
          create_run(store)
          study = { app: "/x", requests: [], variants: [], env: {},
                    published: { name: "gc", file: "/studies/gc/study.yml" } }
          run = store.create_run(study:, plan: { cohorts: [] }, fingerprint: {}, provenance: {})

          found, last = store.rules_of("repro")

          assert_equal [{ run.id => "/studies/gc/study.yml" }, run.id],
                       [found.transform_values(&:file), last]
          assert_equal [{}, run.id], store.rules_of("repro", after: run.id)
        end

        test "runs that are being measured are found" do
          store = open_store
          create_run(store)
          run_id, = claimed(store)

          assert_equal [run_id], store.running.map(&:id)
        end

        test "a beginning that fits several runs is refused with their keys" do
          store = open_store
          keys = Array.new(17) { create_run(store)[:key] } # 16 first characters at most
          first, = keys.group_by { |key| key[0] }.find { |_, same| same.size > 1 }
          error = assert_raises(UsageError) { store.run(first) }

          assert_match(/"#{first}": #{first}\h+, #{first}\h/, error.message)
          assert_equal keys.uniq, keys
        end

        test "an unknown run is refused with the newest ones, and wildcards are no wildcards" do
          store = open_store
          keys = Array.new(6) { create_run(store)[:key] }
          %w[% _ zzz].each do |key|
            error = assert_raises(UsageError) { store.run(key) }

            assert_includes error.message, keys.reverse.first(5).join(", ")
          end
          assert_raises(UsageError) { store.run(99) }
        end

        test "runs are listed newest first" do
          store = open_store
          ids = Array.new(3) { create_run(store)[:id] }

          assert_equal(ids.reverse, store.runs.map { |run| run[:id] })
        end

        test "a run runs from its first claim to its end" do
          store = open_store(clock: StoreHelper::FakeClock.new(5))
          id = create_run(store, cohorts: 2)[:id]
          states = [:interrupted, "finished"].map do |state|
            store.claim(store.cohorts(id).find(&:queued?)[:id], "me")
            running = store.run(id).to_h.values_at(:state, :finished_ms)
            store.finish_run(id, state)
            [running, store.run(id).to_h.values_at(:state, :finished_ms)]
          end

          assert_equal [["running", nil], ["interrupted", 5]], states.first
          assert_equal [["running", nil], ["finished", 5]], states.last
          assert_raises(ArgumentError) { store.finish_run(id, "asleep") }
        end

        test "a run that has finished ended when it did, whoever resumes it" do
          clock = StoreHelper::FakeClock.new(5)
          store = open_store(clock:)
          id = create_run(store)[:id]
          store.finish_run(id, "finished")
          clock.real_ms = 9
          %w[finished interrupted].each { |state| store.finish_run(id, state) }

          assert_equal ["finished", 5], store.run(id).to_h.values_at(:state, :finished_ms)
        end

        test "a plan that is changed under way: what is queued follows it, what was begun stays" do
          store = open_store
          id = create_run(store, cohorts: 4)[:id]
          other = create_run(store, cohorts: 4)[:id]
          store.claim(store.cohorts(id).first.id, "me")
          cohorts = { 0 => %w[a], 2 => %w[b], 9 => %w[c] }.map do |position, variants|
            { round: 1, position:, variants: }
          end
          store.replan(id, { seed: 1, rounds: 2, cohorts: })

          cohorts = store.cohorts(id)
          assert_equal [[0, "running", %w[a b]], [2, "queued", %w[b]],
                        [9, "queued", %w[c]]],
                       cohorts.map { |one| [one.position, one.state, one.spec.variants] }
          assert_equal 2, store.run(id).plan.rounds
          assert_equal 4, store.cohorts(other).size
          assert_equal 4, store.run(other).plan.cohorts.size
        end

        test "a cohort that is cut keeps the trials that it lost, and is not run again" do
          store = open_store
          id = create_run(store, cohorts: 2)[:id]
          lost = store.cohorts(id).last.id
          store.claim(lost, "me")
          store.start_trial(lost, "a")
          store.release_stale(id) { true }
          store.replan(id, { seed: 1, cohorts: [{ round: 1, position: 0, variants: %w[a b] }] })

          assert_equal %w[queued failed], store.cohorts(id).map(&:state)
          assert_equal %w[lost], store.result(id).cohorts.last.trials.map(&:state)
        end

        test "a store of a newer mohs is refused" do
          open_store
          raw { |database| database[:schema_info].update(version: 999) }
          error = assert_raises(StoreError) { open_store }

          assert_match(/newer mohs \(its schema is 999, this one knows \d+\)/, error.message)
          assert_match(/Update mohs/, error.message)
        end

        test "a store from before the first release is refused, with whose it is" do
          open_store
          [1, 11].each do |version|
            raw { |database| database[:schema_info].update(version:) }
            error = assert_raises(StoreError) { open_store }

            assert_match(/mohs before 0\.1\.0 \(its schema is #{version}, /, error.message)
            assert_match(/Move it away/, error.message)
          end
        end
      end
    end
  end
end

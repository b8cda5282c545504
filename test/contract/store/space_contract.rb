# frozen_string_literal: true

module Mohs
  module StoreContract
    # What the store takes, and what becomes of runs that are deleted.
    module Space
      def self.define(base) = base.class_eval(&TESTS)

      TESTS = proc do
        def recorded(store, requests: 300)
          run, cohort = claimed(store)
          trial = store.start_trial(cohort, "a")
          store.finish_trial(trial, { state: "measured", notes: ["x" * 1000] })
          store.add_slices(trial, [{ block: 1, position: 0, errors: {}, good: 5 }])
          packed = Random.new(1).bytes(32 * requests)
          store.add_observations(trial, Core::Codec.encode(packed), requests)
          store.add_profile(trial, "profile")
          store.finish_cohort(cohort, "done")
          store.finish_run(run, "finished")
          [run, trial]
        end

        test "an empty store takes little, and has nothing to delete" do
          store = open_store
          size = store.size

          assert_operator size.bytes, :>, 0
          assert_equal({ runs: 0, recorded: 0, recordings_bytes: 0, requests: 0 },
                       size.to_h.except(:bytes))
          assert_empty store.contents([])
          assert_empty store.delete_runs([])
        end

        test "what each run takes, and all of them" do
          store = open_store
          first, second = [300, 20].map { |requests| recorded(store, requests:).first }
          create_run(store)
          contents = store.contents([first, second])
          size = store.size

          assert_equal [300, 20], contents.values_at(first, second).map(&:requests)
          assert_operator contents[first].recordings_bytes, :>, 32 * 250
          contents.each_value { |one| assert_operator one.bytes - one.recordings_bytes, :>, 1000 }
          assert_equal [3, 2, 320], [size.runs, size.recorded, size.requests]
          assert_equal contents.values.sum(&:recordings_bytes), size.recordings_bytes
          assert_operator size.bytes, :>, size.recordings_bytes
        end

        test "observations go, and the rest of the run stays" do
          store = open_store
          (run, trial), (other, kept) = Array.new(2) { recorded(store) }

          assert_equal [run], store.delete_observations([run])
          assert_equal ["", "profile"], [store.observations(trial), store.profile(trial)]
          assert_equal [1], trials(store, run).map { |one| one.slices.size }
          refute_empty store.observations(kept)
          assert_equal [0, 300], store.contents([run, other]).values.map(&:requests)
        end

        test "a run goes with all that belongs to it, but for its point in a history" do
          store = open_store
          (run, trial), (other, kept) = Array.new(2) { recorded(store) }
          [run, other].each do |id|
            store.add_point("shop", run_id: id, at_ms: id, **StoreContract::Points::FACTS)
          end

          assert_equal [run], store.delete_runs([run])
          assert_equal [other], store.listed.map(&:id)
          assert_equal [[], "", nil],
                       [store.cohorts(run), store.observations(trial), store.profile(trial)]
          assert_equal [nil, other], store.points("shop").map { |one| one[:run_id] }
          refute_empty store.observations(kept)
          tables = %i[runs cohorts trials slices observations profiles]
          assert_equal [1] * 6, raw { |database| tables.map { |name| database[name].count } }
        end

        test "a run that is running stays" do
          store = open_store
          running, = claimed(store)
          idle = create_run(store).id

          assert_equal [idle], store.delete_observations([running, idle])
          assert_equal [idle], store.delete_runs([running, idle])
          assert_equal [running], store.listed.map(&:id)
        end

        test "a run that is taken up in the same moment stays" do
          store, other = open_store, open_store
          run = create_run(store)
          cohort = store.cohorts(run.id).first.id
          inside = Thread::Queue.new
          taking = Thread.new do
            other.transaction { other.claim(cohort, "me") && (inside << true) && sleep(0.2) }
          end
          inside.pop

          assert_empty store.delete_runs([run.id])
          taking.join
          assert_equal "running", store.cohort(cohort).state
        end

        test "many runs are deleted in several transactions" do
          store = open_store
          ids = Array.new(Store::Space::RUNS_AT_ONCE + 3) { create_run(store).id }

          assert_equal ids, store.delete_runs(ids)
          assert_equal 0, store.size.runs
        end

        test "the space of what was deleted is given back, or kept for what will come" do
          store = open_store
          run, = recorded(store, requests: 40_000)
          before = store.size.bytes
          store.delete_runs([run])
          kept = store.give_back

          assert_includes [nil, :reused], kept
          assert_operator store.size.bytes, :<, before - 1_000_000 unless kept
        end
      end
    end
  end
end

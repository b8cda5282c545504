# frozen_string_literal: true

module Mohs
  module StoreContract
    # Trials and slices: what was measured, and what went wrong.
    module Trials
      FACTS = {
        reason: Reason.new(summary: "died\ntwice", remedy: "try a\nor b", code: "dead",
                           values: { gems: ["x"] }), boot_ns: 3 << 40, requests: 12,
        facts: { attested: { jit: "yjit" }, memory: { peak_rss_bytes: 1 << 33 } },
      }.freeze

      def self.define(base) = base.class_eval(&TESTS)

      TESTS = proc do
        test "a trial is there from its start and keeps every fact" do
          store = open_store
          run_id, id = claimed(store)
          trial = store.start_trial(id, "3.4.5 --yjit")
          before = trials(store, run_id).first
          given = FACTS.merge(state: :failed, log_tail: "a\0b\xFF", **FACTS[:facts]).except(:facts)
          store.finish_trial(trial, given)
          after = trials(store, run_id).first

          assert_equal ["started", 1, "3.4.5 --yjit", {}, []],
                       [before.state, before.ordinal, before.variant, before.attested,
                        before.checks]
          assert_equal({ **FACTS.except(:facts), **FACTS[:facts] },
                       after.to_h.slice(*FACTS.keys, *FACTS[:facts].keys))
          assert_equal ["failed", "ab\u{FFFD}"], [after.state, after.log_tail]
        end

        test "readings keep their figures, and an older row has none" do
          store = open_store
          run_id, id = claimed(store)
          rows = [{ block: nil, sent: 0, good: 0, kernel: { user_ns: 1 << 40 }, inside: nil },
                  { block: 0, sent: 9, good: 8, kernel: {}, inside: { gc_count: 3 } }]
          readings = rows.map { |row| Store::Reading.of(row) }
          2.times { |index| store.start_trial(id, "a#{index}") }
          first, second = trials(store, run_id).map(&:id)
          store.finish_trial(first, state: "measured", readings: readings)
          store.finish_trial(second, state: "measured")
          found = trials(store, run_id).map(&:readings)

          assert_equal [readings, []], found
          assert_predicate found.first, :frozen?
        end

        test "a trial ends once, in a state that exists" do
          store = open_store
          _, id = claimed(store)
          trial = store.start_trial(id, "a")

          assert_raises(ArgumentError) { store.finish_trial(trial, state: "started") }
          store.finish_trial(trial, state: "refused")
          assert_raises(StoreError) { store.finish_trial(trial, state: "measured") }
          error = assert_raises(StoreError) { store.finish_trial(99, state: "failed") }
          assert_match(/no such row/, error.message)
        end

        test "variants that were refused or invalid are given up, in their run" do
          store = open_store
          run_id, id = claimed(store)
          ends = [%w[d refused], %w[d refused], %w[c invalid], %w[b failed], %w[a measured]]
          ends.each do |variant, state|
            store.finish_trial(store.start_trial(id, variant), state: state)
          end

          stopped, wrong = %w[little_law answers].map { |name| { name:, level: "invalid" } }
          { "e" => [stopped], "f" => [stopped, wrong] }.each do |variant, checks|
            store.finish_trial(store.start_trial(id, variant), state: "invalid", checks:)
            ends << [variant, "invalid"]
          end

          assert_equal %w[c d f], store.given_up(run_id), "the driver of e was stopped"
          assert_empty store.given_up(create_run(store)[:id])
          report = store.outcomes(run_id).map { |trial| [trial.variant, trial.state] }
          assert_equal ends, report
          assert_empty store.outcomes(create_run(store)[:id])
        end

        test "a variant that was measured as often as it was refused is still tried" do
          store = open_store
          run_id, id = claimed(store)
          end_as = ->(variant, state) { store.finish_trial(store.start_trial(id, variant), state:) }
          %w[measured refused].each { |state| end_as.call("base", state) }
          %w[measured refused refused].each { |state| end_as.call("worse", state) }
          %w[measured invalid].each { |state| end_as.call("wrong", state) }

          assert_equal %w[worse wrong], store.given_up(run_id)
          end_as.call("base", "refused")
          assert_equal %w[base worse wrong], store.given_up(run_id)
        end

        test "a server that seldom still rose is tried again, unless its warm-up took minutes" do
          store = open_store
          run_id = create_run(store, cohorts: 2)[:id]
          one, two = store.cohorts(run_id).map(&:id)
          checks = [{ name: "steady", level: "invalid", code: "steady.rising" }]
          rises = lambda do |id, variant, seconds, also = []|
            store.finish_trial(store.start_trial(id, variant),
                               state: "invalid", checks: checks + also, warm_up: { seconds: })
          end
          2.times { rises.call(one, "page", 30) } # in one cohort, by the same noise
          rises.call(one, "jvm", 600)
          rises.call(one, "wrong", 30, [{ name: "answers", level: "invalid", code: "wrong" }])

          assert_equal %w[jvm wrong], store.given_up(run_id)
          2.times { store.finish_trial(store.start_trial(one, "page"), state: "measured") }
          rises.call(two, "page", 30)
          assert_equal %w[jvm page wrong], store.given_up(run_id)
          20.times { store.finish_trial(store.start_trial(two, "page"), state: "measured") }
          assert_equal %w[jvm wrong], store.given_up(run_id), "two of twenty"
        end

        test "slices keep their order, their numbers and what has no column" do
          store = open_store
          run_id, id = claimed(store)
          trial = store.start_trial(id, "a")
          slices = Array.new(4) do |index|
            { block: index / 2, position: index, wall_ns: (1 << 35) + index,
              good: index, p50_ns: nil, errors: { "wrong_body" => index } }
          end
          store.add_slices(trial, slices.map { |slice| slice.merge(pulse: { spins: 4 }) })
          found = trials(store, run_id).first.slices

          assert_equal(slices, found.map { |slice| slice.to_h.slice(*slices.first.keys) })
          assert_equal([{ spins: 4 }] * 4, found.map(&:pulse))
        end

        test "the trials of cohorts that were done are not read again, all others are" do
          store = open_store
          run_id = create_run(store, cohorts: 2)[:id]
          first, second = store.cohorts(run_id).map(&:id)
          { first => "me", second => "you" }.each { |id, token| store.claim(id, token) }
          ids = [first, second].map { |id| store.start_trial(id, "x") }
          store.add_slices(ids.first, [{ good: 7 }])
          store.finish_cohort(first, "done", token: "me")
          known = store.result(run_id)
          store.add_slices(ids.last, [{ good: 8 }])
          store.finish_cohort(second, "done", token: "you")
          now = store.result(run_id, known:)

          assert_same known.cohorts.first.trials, now.cohorts.first.trials
          assert_equal %w[done done], now.cohorts.map(&:state)
          assert_equal [[7], [8]], (now.cohorts.map { |one| one.trials.first.slices.map(&:good) })
          assert_equal store.result(run_id), now
        end

        test "a result nests cohorts, trials and slices in their order" do
          store = open_store
          store.start_trial(claimed(store).last, "of another run")
          run_id = create_run(store, cohorts: 2)[:id]
          store.cohorts(run_id).reverse_each do |cohort|
            ids = %w[x y].map { |name| store.start_trial(cohort.id, name) }
            ids.each { |id| store.add_slices(id, [{ good: cohort.position }]) }
          end
          run = store.result(run_id)
          seen = run.cohorts.map do |cohort|
            cohort.trials.map { |trial| [trial.variant, trial.slices.map(&:good)] }
          end

          assert_equal run_id, run.id
          assert_equal [[["x", [0]], ["y", [0]]], [["x", [1]], ["y", [1]]]], seen
        end

        test "the variants of an application's runs are known, as they were declared last" do
          store = open_store
          plan = { seed: 1, cohorts: [] }
          [%w[a ruby], %w[b ruby], %w[a jruby]].each do |name, engine|
            study = { app: "/apps/hello", requests: [], env: {}, baseline: name,
                      baseline_named: true,
                      variants: [Study::Variant.new(name:, engine:).to_h] }
            store.create_run(study:, plan:, fingerprint: {}, provenance: {})
          end
          found = store.variants("/apps/hello").map { |one| [one.name, one.engine] }

          assert_equal [%w[a jruby], %w[b ruby]], found
          assert_empty store.variants("/apps/other")
        end

        test "earlier trials of an application tell what the next will cost" do
          store = open_store
          id = claimed(store).last
          [1, 9, 3].each do |seconds|
            trial = store.start_trial(id, "a")
            store.add_slices(trial, ([{ wall_ns: 10**9 }] * 2) + [{ block: 0, wall_ns: 7 }])
            store.finish_trial(trial, state: "measured", boot_ns: seconds * (10**9))
          end
          store.finish_trial(store.start_trial(id, "b"), state: "measured")
          store.finish_trial(store.start_trial(id, "c"), state: "failed", boot_ns: 1)
          costs = { "a" => { boot_s: 3.0, warm_up_s: 2.0, measure_s: 7e-9 }, "b" => {} }

          assert_equal costs, store.costs("/apps/hello")
          assert_empty store.costs("/apps/other")
        end

        test "cold starts cost what cold starts of the same size did, others what others did" do
          store = open_store
          cold = Study::ColdStart.new(batches: 64, requests: 1024)
          [[nil, 2], [cold.to_h, 300]].each do |cold_start, seconds|
            run = store.create_run(study: { app: "/apps/hello", requests: [], variants: [],
                                            env: {}, cold_start: }, fingerprint: {},
                                   plan: { seed: 1, cohorts: [{ round: 1, variants: ["a"] }] },
                                   provenance: {})
            trial = store.start_trial(store.cohorts(run.id).first.id, "a")
            store.add_slices(trial, [{ wall_ns: seconds * (10**9) }])
            store.finish_trial(trial, state: "measured")
          end
          other = Study::ColdStart.new(batches: 6, requests: 1024)

          assert_equal [[300.0], [2.0], []], [cold, nil, other].map { |one|
            store.costs("/apps/hello", cold_start: one).values.map { |cost| cost[:warm_up_s] }
          }
        end

        test "of a cold start each first boot in a round tells, the others by themselves" do
          store = open_store
          cold = Study::ColdStart.new(batches: 64, requests: 1024)
          cohorts = [1, 1, 2].map.with_index do |round, position|
            { round:, position:, variants: %w[a b] }
          end
          run = store.create_run(study: { app: "/apps/hello", requests: [], variants: [], env: {},
                                          cold_start: cold.to_h }, fingerprint: {},
                                 plan: { seed: 1, cohorts: }, provenance: {})
          store.cohorts(run.id).zip([%w[a b], %w[b c], %w[b]], [[9, 300], [2, 400], [300]])
               .each do |cohort, names, seconds|
            names.zip(seconds) do |name, took|
              trial = store.start_trial(cohort.id, name)
              store.add_slices(trial, [{ wall_ns: took * (10**9) }])
              store.finish_trial(trial, state: "measured")
            end
          end

          costs = { "a" => { warm_up_s: 9.0 }, "b" => { warm_up_s: 300.0, usual_s: 2.0 },
                    "c" => { warm_up_s: 400.0 } }
          assert_equal costs, store.costs("/apps/hello", cold_start: cold)
        end

        test "sampled servers and scenarios tell nothing of others" do
          store = open_store
          scenario = Study::ScenarioFile.new(path: "/a.yml", digest: "a")
          kinds = [{}, { profile: true }, { scenario: }]
          kinds.each.with_index(1) do |kind, seconds|
            study = { app: "/apps/hello", requests: [], variants: [], env: {}, profile: false,
                      **kind.transform_values { |value| value == true || value.to_h } }
            run = store.create_run(study:, fingerprint: {}, provenance: {},
                                   plan: { seed: 1, cohorts: [{ round: 1, variants: ["a"] }] })
            trial = store.start_trial(store.cohorts(run.id).first.id, "a")
            store.finish_trial(trial, state: "measured", boot_ns: seconds * (10**9))
          end

          assert_equal [1.0, 2.0, 3.0, 1.0], [*kinds, { profile: nil }].map { |kind|
            store.costs("/apps/hello", **kind).fetch("a").fetch(:boot_s)
          }
        end

        test "so do jobs, of the same count, worker and API" do
          store = open_store
          kinds = [nil, { worker: "a 'b%' -c 5" }, { worker: "a 'b_' -c 5" },
                   { count: 3, limit: "60s" }].map { |given| given && Study::Jobs.parse(**given) }
          kinds.each.with_index(1) do |jobs, seconds|
            run = store.create_run(study: { app: "/apps/hello", requests: [], variants: [],
                                            env: {}, jobs: jobs&.to_h }, fingerprint: {},
                                   plan: { seed: 1, cohorts: [{ round: 1, variants: ["a"] }] },
                                   provenance: {})
            trial = store.start_trial(store.cohorts(run.id).first.id, "a")
            store.add_slices(trial, [{ wall_ns: seconds * (10**9) }])
            store.finish_trial(trial, state: "measured")
          end
          wild = Study::Jobs.parse(worker: "% '_%' -c 5")
          same = Study::Jobs.parse(count: 3)

          assert_equal [[1.0], [2.0], [3.0], [4.0], [4.0], []], [*kinds, same, wild].map { |jobs|
            store.costs("/apps/hello", jobs:).values.map { |cost| cost[:warm_up_s] }
          }
        end
      end
    end
  end
end

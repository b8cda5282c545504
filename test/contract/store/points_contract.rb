# frozen_string_literal: true

module Mohs
  module StoreContract
    # Points of histories.
    module Points
      def self.define(base) = base.class_eval(&TESTS)

      FACTS = { run: "7c1a", reference: "@v1", reference_id: "@0f3a", requested: ["GET /"],
                connections: 4, load_id: "5e1f", finding: nil,
                commit: { id: "9c1d", short: "9c", date: "2026-11-02", title: "Cache", changes: 0 },
                effects: { throughput_per_s: [0.01, -0.01, 0.03] },
                biases: { throughput_per_s: [0.0, 0.02] } }.freeze

      TESTS = proc do
        test "points come back in the order in which they were measured" do
          store = open_store
          late, early = [20, 10].map do |at_ms|
            run = create_run(store).id
            store.add_point("shop", run_id: run, at_ms:, **FACTS)
            run
          end
          points = store.points("shop")

          assert_equal [early, late], points.map { |one| one[:run_id] }
          assert_equal({ track: "shop", at_ms: 10, **FACTS },
                       points.first.slice(:track, :at_ms, *FACTS.keys))
          assert_equal [[], [0.01, -0.01, 0.03]],
                       [store.points("other"), points.first[:effects][:throughput_per_s]]
        end

        test "a run has one point, the last one stored" do
          store = open_store
          run = create_run(store).id
          2.times { |at_ms| store.add_point("shop", run_id: run, at_ms:, **FACTS) }

          assert_equal [1], store.points("shop").map { |one| one[:at_ms] }
        end

        test "histories are listed with their points, the newest first" do
          store = open_store
          { "old" => 1, "new" => 9, "old two" => 2 }.each do |track, at_ms|
            store.add_point(track[/\w+/], run_id: create_run(store).id, at_ms:, **FACTS)
          end

          assert_equal [["new", 1], ["old", 2]], store.tracks.to_a
        end

        test "a point outlives its run" do
          store = open_store
          run = create_run(store).id
          store.add_point("shop", run_id: run, at_ms: 1, **FACTS)
          raw { |database| database[:runs].where(id: run).delete }

          assert_equal [[nil, "7c1a"]],
                       store.points("shop").map { |one| one.values_at(:run_id, :run) }
        end
      end
    end
  end
end

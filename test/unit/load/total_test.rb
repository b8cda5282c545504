# frozen_string_literal: true

require "test_helper"

module Mohs
  # Steps of an open loop, together and apart.
  class TotalTest < TestCase
    MS = 1_000_000

    # [results, recording] of 100/s and 300/s for 0.2 s each, of 1 ms and 3 ms.
    def played
      target = Load::Target.new(host: "127.0.0.1", port: 1)
      script = ->(_, number) { number < 20 ? MS : 3 * MS }
      driver = Drivers::Mock.new(targets: [target], script:)
      steps = [100, 300].map do |rate_per_s|
        arrivals = Load::Arrivals.new(kind: :constant, rate_per_s:)
        Load::Step.new(duration_ns: 200 * MS, arrivals:)
      end
      [driver.run(steps), driver.recording(0)]
    end

    test "counts add up, the worst stays, quantiles are of all" do
      results, recording = played
      total = Load::Total.of(results, recording)

      assert_equal [80, 80, 80], [total.sent, total.good, total.offered]
      assert_equal results.sum(&:wall_ns), total.wall_ns
      assert_equal [3 * MS, 3 * MS], [total.p50_ns, total.max_ns]
      assert_equal [nil, nil], total.connections.values_at(:requests_min, :requests_max)
      failing = results.map { |one| Load::StepResult.from_h(**one.to_h, errors: { "reset" => 2 }) }
      assert_equal({ "reset" => 4 }, Load::Total.of(failing, recording).errors)
    end

    test "of outages the longest stays, from the first step's start" do
      results, recording = played
      assert_nil Load::Total.of(results, recording).outage
      outages = [{ from_ns: 1, ns: 5 * MS }, { from_ns: 2 * MS, ns: 9 * MS }]
      failing = results.zip(outages).map do |one, outage|
        Load::StepResult.from_h(**one.to_h, outage:)
      end
      from_ns = (2 * MS) + results.last.started_ns - results.first.started_ns
      assert_equal({ from_ns:, ns: 9 * MS }, Load::Total.of(failing, recording).outage)
    end

    test "thread statistics add up, and are unknown where a part of them is" do
      results, recording = played
      assert_nil Load::Total.of(results, recording).thread_stats
      one = { spins: false, steal_share: 0.1, windows: 2, events_max: 7, waited_ns: 5 }
      other = { spins: false, steal_share: 0.1, windows: 3, events_max: 4, waited_ns: nil }
      parts = results.zip([one, other]).map do |result, pulse|
        Load::StepResult.from_h(**result.to_h, pulse:)
      end
      assert_equal({ spins: false, steal_share: 0.1, windows: 5, events_max: 7, waited_ns: nil },
                   Load::Total.of(parts, recording).thread_stats)
    end

    test "a recording is cut by when requests were due" do
      results, recording = played
      from = results.last.started_ns
      parts = [[0, from], [from, from + (1000 * MS)]].map { |ends| recording.due_between(*ends) }

      assert_equal [20, 60], parts.map(&:size)
      assert_equal [[MS], [3 * MS]], parts.map { |part| part.quantiles(:response, [1.0]) }
      assert_equal [MS] * 20, parts.first.responses.map(&:last)
      assert_operator parts.last.responses.map(&:first).min, :>=, from
    end
  end
end

# frozen_string_literal: true

require "test_helper"

module Mohs
  # The figures of loads whose every time is known.
  class LoadResultTest < TestCase
    include SampleLoad

    MS = 1_000_000

    def changed(load, **changes) = Load::Result.new(**load.to_h, **changes)

    def load(times, asked: {}, **options)
      result = sample_load(times, **options)
      LoadRun::Result.of(changed(result, asked: { **result.asked, **asked }))
    end

    def codes(load) = load.checks.map(&:member)

    test "the rate counts right answers alone, over the time of all" do
      assert_in_delta 100, load([10 * MS] * 5).rate_per_s, 1e-6
      assert_in_delta 4 / 0.041, load([*[10 * MS] * 4, "refused"]).rate_per_s, 1e-6
    end

    # Ten that end every 10 ms, of which the last three came when some connections had no more to
    # send. Those near the ends of the 75 ms count in part.
    test "in a closed loop by time, what came after the load, and the rate by a plain count" do
      sample = sample_load([10 * MS] * 10)
      step = Load::StepResult.from_h({ **sample.step.to_h, loaded_ns: 75 * MS, span_ns: 50 * MS })
      timed = LoadRun::Result.of(changed(sample, step:, asked: { **sample.asked, count: nil,
                                                                 duration_s: 0.07 }))

      assert_equal [200.0, 3], [timed.rate_per_s, timed.drained]
      assert_in_delta 7 / 0.075, timed.plain_per_s
      assert_equal [0, nil], [load([MS] * 3).drained, load([MS] * 3).plain_per_s]
    end

    test "a closed loop has service times, and no offered rate, lag or open loop" do
      closed = load([1, 2, 3, 4].map { |ms| ms * MS })

      assert_equal({ kind: "service", min: 1.0, p50: 2.0, p90: 4.0, p99: 4.0, p999: 4.0, max: 4.0,
                     unanswered: 0, more_than: {} }, closed.latency_ms)
      assert_equal closed.latency_ms, closed.service_ms
      assert_equal [nil] * 3, [closed.offered_per_s, closed.send_lag_ms, closed.open_loop]
    end

    test "a load fails if any response of its requests is wrong or missing" do
      outcomes = [[MS], [MS, "refused"], ["refused"]].map do |times|
        LoadRun::Document.outcome(LoadRun::Document.document(sample_load(times)))
      end

      assert_equal %i[ok failed failed], outcomes
    end

    test "an open loop has response times, the wait for a connection included" do
      arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: 1000)
      open = load([3 * MS] * 20, arrivals:)

      assert_equal %w[response service], [open.latency_ms[:kind], open.service_ms[:kind]]
      assert_in_delta 3, open.service_ms[:max]
      assert_in_delta 3 + (19 * 2), open.latency_ms[:max], 1
      assert_equal ["constant", 1000, 19], open.open_loop.values_at(:arrivals, :rate_per_s, :queued)
    end

    test "what was offered is the rate asked for of a number, and counted of a time" do
      arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: 500)

      assert_equal 500, load([MS] * 30, arrivals:).offered_per_s
      timed = load([MS] * 30, arrivals:, asked: { count: nil, duration_s: 0.05 })
      assert_in_delta 30 / 0.05, timed.offered_per_s
    end

    test "the histogram holds every right answer once, between the fastest and the slowest" do
      bars = load([*sample_times(500), "refused"]).histogram
      good = sample_times(500).grep(Integer)

      assert_equal good.size, bars.sum { |bar| bar[:count] }
      assert_in_delta good.min / 1e6, bars.first[:from_ms]
      assert_operator bars.size, :<=, LoadRun::Result::BARS
      assert_empty load(%w[refused]).histogram
    end

    test "the driver's cores are its CPU time over the time of the load" do
      assert_in_delta 1000.0 / (10 * MS), load([10 * MS] * 5).driver_cores, 1e-9
    end

    test "Little's law is asked of busy connections, not of clients that may think" do
      plain = sample_load([MS] * 50)
      scenario = changed(plain, scenario: { file: "s.yml", steps: [{ action: "a" }] })

      assert_includes codes(LoadRun::Result.of(plain)), "little_law"
      refute_includes codes(LoadRun::Result.of(scenario)), "little_law"
    end

    test "the requests of a scenario are counted each by itself" do
      scenario = { file: "s.yml", steps: [{ action: "a" }, { action: "b" }] }
      result = changed(sample_load([MS, 3 * MS, "refused"]), scenario:)
      first, second = LoadRun::Result.of(result).requests

      assert_equal ["a", 3, 2, 3.0, nil, { p99: 3.0 },
                    { total: 1, by_class: { "refused" => 1 } }],
                   first.values_at(:action, :sent, :good, :p50_ms, :p99_ms, :more_than, :errors)
      assert_equal ["b", 0, 0, nil], second.values_at(:action, :sent, :good, :p50_ms)
    end

    test "of another tool only its own share of a core is judged, where its threads are ours" do
      tools = [true, false].map { |threads| { name: "t", caveat: "c", threads: } }
      ours, theirs = tools.map { |tool| LoadRun::Result.of(changed(sample_load([MS] * 9), tool:)) }

      assert_equal [%w[driver_share], 1], [codes(ours), ours.threads]
      assert_equal [[], nil], [codes(theirs), theirs.threads]
      assert_empty ours.histogram
    end
  end
end

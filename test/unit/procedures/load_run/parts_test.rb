# frozen_string_literal: true

require "test_helper"

module Mohs
  # Loads of several steps, of scenarios, and what is known of their driver.
  class LoadPartsTest < TestCase
    include SampleLoad

    MS = 1_000_000
    RATES = [100, 500].freeze

    def changed(load, **changes) = Load::Result.new(**load.to_h, **changes)

    def with(step, **changes)
      Load::StepResult.new(**step.to_h.except(:pulse), thread_stats: step.thread_stats, **changes)
    end

    def even(rate_per_s) = Load::Arrivals.new(kind: :constant, rate_per_s:)

    def of(result, **changes) = LoadRun::Result.of(changed(result, **changes))

    # Two steps of an open loop, one after the other; all requests of a step take as long.
    def stages(times, count: 50)
      times.zip(RATES).map do |ms, rate|
        result = sample_load([ms * MS] * count, arrivals: even(rate), connections: 8)
        [result.step, result.recording]
      end
    end

    def stepped(times = [4, 9], **asked)
      result = sample_load([MS] * 100, arrivals: even(RATES.first))
      arrivals = RATES.map { |rate| even(rate).facts }
      of(result, stages: stages(times), asked: { **result.asked, arrivals:, **asked })
    end

    test "each step tells its rate, its time and its latencies" do
      first, second = stepped.steps

      assert_equal [[100, nil, 50, 0, 0], [500, nil, 50, 0, 0]],
                   [first, second].map { |step|
                     step.values_at(:rate_per_s, :to_per_s, :offered, :late, :errors)
                   }
      assert_equal [{ p50: 4.0, p99: 4.0, max: 4.0 }, { p50: 9.0, p99: 9.0, max: 9.0 }],
                   [first, second].map { |step| step[:response_ms].slice(:p50, :p99, :max) }
      assert_equal [[0, {}]] * 2,
                   [first, second].map { |step|
                     step[:response_ms].values_at(:unanswered, :more_than)
                   }
      assert_in_delta (49 / 100.0) + 0.004, first[:duration_s], 1e-9
      assert_in_delta 50 / ((49 / 500.0) + 0.009), second[:answered_per_s], 1e-6
    end

    test "what a step could not send in time, or at all, is late; what failed is an error" do
      step, recording = stages([4]).first
      step = with(step, late: 3, unsent: 2, errors: { "timeout" => 4, "reset" => 1 })
      result = sample_load([MS], arrivals: even(100))
      report = of(result, stages: [[step, recording]]).steps.first

      assert_equal [5, 5], report.values_at(:late, :errors)
    end

    test "of several steps each has its rate, of one the load has it" do
      report = stepped.open_loop

      assert_equal [nil, nil, "constant", 1],
                   report.values_at(:rate_per_s, :to_per_s, :arrivals, :burst)
      ramp = Load::Arrivals.new(kind: :constant, rate_per_s: 300, to_per_s: 100).facts
      result = sample_load([MS] * 10, arrivals: even(300))
      asked = { **result.asked, count: nil, duration_s: 0.05, arrivals: [ramp] }
      alone = of(result, asked:).open_loop
      assert_equal [300, 100], alone.values_at(:rate_per_s, :to_per_s)
    end

    # Of ten requests in a closed loop two fail, one at once and one after 40 ms.
    test "where a rank is held by what failed, the figure is null, and the bound is told" do
      records = [*1..8].map { |ms| { sent_ns: 0, done_ns: ms * MS, status: 200 } }
      records += [["refused", 0], ["wrong_status", 40]].map do |error, ms|
        { sent_ns: 0, done_ns: ms * MS, error: Core::ERRORS.index(error) }
      end
      recording = Load::Recording.of(records.map { |one| Core::Records.pack(one) }.join)
      times = LoadRun::Result.times_ms(recording, :service)
      assert_equal({ min: 1.0, p50: 5.0, p90: nil, p99: nil, p999: nil, max: nil, unanswered: 2,
                     more_than: { p90: 40.0, p99: 40.0, p999: 40.0, max: 40.0 } }, times)
    end

    # The ages of what is in flight when somebody stops a load say nothing about how slow it is.
    test "what was given up early is slower than the slowest, and moves others by its share" do
      records = Array.new(2000) { |at| { done_ns: (at + 1) * MS } }
      records += Array.new(4) { { done_ns: 1000, error: Core::ERRORS.index("in_flight_at_end") } }
      recording = Load::Recording.of(records.map { |one| Core::Records.pack(one) }.join)
      times = LoadRun::Result.times_ms(recording, :response)
      assert_equal [1.0, 1002.0, 1804.0, 1984.0], times.values_at(:min, :p50, :p90, :p99)
      assert_equal({ p999: 2000.0, max: 2000.0 }, times[:more_than])
    end

    test "connections that waited for a thread are found in a closed loop that keeps them" do
      result = sample_load([MS] * 100, connections: 2)
      records = Array.new(100) { { done_ns: MS } }
      error = Core::ERRORS.index("in_flight_at_end")
      records << { done_ns: 2000 * MS, connection: 1, error: }
      recording = Load::Recording.of(records.map { |one| Core::Records.pack(one) }.join)
      [:on, "on"].each do |keep_alive| # as a file has it
        asked = { **result.asked, keep_alive: }
        assert_equal({ connections: 1, longest_ms: 2000.0 }, of(result, recording:, asked:).starved)
      end
      assert_nil of(result, recording:, asked: { **result.asked, keep_alive: :fin }).starved
      assert_nil of(result, asked: { **result.asked, keep_alive: :on }).starved
      late = records + Array.new(3) { { sent_ns: 1000 * MS, done_ns: 1001 * MS } }
      queued = Load::Recording.of(late.map { |one| Core::Records.pack(one) }.join)
      assert_nil of(result, recording: queued, asked: { **result.asked, keep_alive: :on }).starved,
                 "by then it was tried again"
      open = sample_load([MS] * 100, connections: 2, arrivals: even(100))
      assert_nil of(open, recording:, asked: { **open.asked, keep_alive: :on }).starved
    end

    # Each of two takes turns at one thread, which closes its connection after 100 requests.
    test "connections that take turns at the threads are found, too" do
      fresh = Load::Recording::FLAGS.fetch(:fresh)
      records = (0...6).flat_map do |turn|
        own = { connection: turn % 2, status: 200 }
        first = { due_ns: [turn - 1, 0].max * 2000 * MS, flags: fresh }
        kept = (1..99).map { |at| ((turn * 2000) + (at * 20)) * MS }
        [{ **own, **first, done_ns: (turn.zero? ? 20 : 2020) * MS },
         *kept.map { |due_ns| { **own, due_ns:, done_ns: 20 * MS } }]
      end
      recording = Load::Recording.of(records.map { |one| Core::Records.pack(one) }.join)
      result = sample_load([MS] * 100, connections: 2)
      asked = { **result.asked, keep_alive: :on }

      assert_equal({ connections: 1, longest_ms: 2020.0 }, of(result, recording:, asked:).starved)
    end

    test "an open loop tells what became of its requests" do
      arrivals = even(1000)
      result = sample_load([3 * MS] * 20, arrivals:)
      report = LoadRun::Result.of(result).open_loop

      assert_equal [20, 0, 13, 19, 13],
                   report.values_at(:offered, :unsent, :late, :queued, :waiting_max)
      assert_equal({ p50: 20.0, p99: 38.0 }, report[:queue_ms])
      assert_nil report[:dispersion], "20 requests are too few"
      assert_equal({ p50: 0.0, p99: 0.0 }, LoadRun::Result.of(result).send_lag_ms)
    end

    # One that is even, and one in which all of 40 ms come at once.
    test "dispersion is that of all steps, each by its windows" do
      step = Load::StepResult.new(started_ns: 0, wall_ns: 4_000_000_000, offered: 2000, sent: 2000,
                                  good: 2000, errors: {}, late: 0, unsent: 0)
      parts = [0, 1].map do |clumped|
        due = even(500).due_ns(duration_ns: 4_000_000_000)
        due = due.map { |ns| ns - (ns % 40_000_000) } if clumped == 1
        packed = due.map { |ns| Core::Records.pack({ due_ns: ns, done_ns: MS }) }.join
        [step, Load::Recording.of(packed)]
      end
      arrivals = [even(500).facts] * 2
      indices = [parts.first(1), parts.last(1), parts].map do |stages|
        result = sample_load([MS], arrivals: even(500))
        asked = { **result.asked, count: nil, duration_s: 4 * stages.size, arrivals: }
        of(result, stages:, asked: { **asked, arrivals: arrivals.first(stages.size) })
          .open_loop[:dispersion]
      end

      assert_operator indices[0], :<, 0.02
      assert_operator indices[1], :>, 5
      assert_in_delta indices.first(2).sum / 2, indices[2], 1e-9
    end

    test "the offered rate of a time is over that time, or over the load if that ended before" do
      result = sample_load([MS] * 30, arrivals: even(500))
      rates = [0.05, 0.058, 10].map do |duration_s|
        of(result, asked: { **result.asked, count: nil, duration_s: }).offered_per_s
      end

      [0.05, 0.058, 0.059].zip(rates) { |seconds, rate| assert_in_delta 30 / seconds, rate, 1e-6 }
    end

    test "a load that took no time has no rate, and no share of a core" do
      result = sample_load([MS])
      step = with(result.step, wall_ns: 0, loaded_ns: 0, span_ns: 0)
      none = of(result, step:)

      assert_equal [nil, nil, 0.0], [none.rate_per_s, none.driver_cores, none.duration_s]
      assert_in_delta 0.001, LoadRun::Result.of(result).duration_s, 1e-9
      assert_nil of(result, step: with(step, good: nil, wall_ns: 5, span_ns: 5)).rate_per_s
    end

    test "how long events waited in the driver, in ms; nothing of a driver that does not tell" do
      result = sample_load([MS])
      aged = lambda do |**stats|
        of(result, step: with(result.step, thread_stats: { **DRIVER_PULSE, **stats })).event_age_ms
      end

      assert_equal({ mean: 0.001, max: 0.04 }, aged.call)
      assert_equal({ mean: nil, max: 0.0 }, aged.call(events: 0, age_sum_ns: 0, age_max_ns: 0))
      assert_nil LoadRun::Result.of(result).event_age_ms
    end

    test "bars of the histogram grow by the same factor, and each holds its own times" do
      times = [*[MS] * 3, *[2 * MS] * 5, *[100 * MS] * 2]
      bars = LoadRun::Result.of(sample_load(times)).histogram
      widths = bars.each_cons(2).map { |one, other| other[:from_ms] / one[:from_ms] }

      assert_equal [40, 3, 2], [bars.size, bars.first[:count], bars.last[:count]]
      assert_in_delta widths.min, widths.max, 1e-4
      assert_in_delta 100**(1 / 40.0), widths.first, 1e-4
      held = bars.find { |bar| bar[:count] == 5 }
      assert_in_delta 2.0, held[:from_ms], 2.0 * (widths.first - 1)
      assert_operator held[:from_ms], :<=, 2.0
    end

    test "all alike are one bar" do
      assert_equal [{ from_ms: 1.0, count: 4 }],
                   LoadRun::Result.of(sample_load([MS] * 4)).histogram
    end

    def scenario(login: nil)
      result = sample_load([MS, 3 * MS, "refused"], connections: 2)
      of(result, login:, scenario: { file: "s.yml", steps: [{ action: "a" }] })
    end

    test "the connections of a scenario are those of its logins too" do
      login = with(sample_load([MS] * 2).step, connections: { asked: 2, opened: 5, lost: 1 })

      assert_equal [2, 2, 0], scenario.connections.values_at(:asked, :opened, :lost)
      assert_equal [2, 7, 1], scenario(login:).connections.values_at(:asked, :opened, :lost)
    end

    test "requests of logins are recorded, and so counted" do
      counts = ->(load) { load.checks.find { |one| one.member == "counts" } }
      found = [nil, sample_load([MS] * 2).step].map { |login| counts.call(scenario(login:)) }

      assert_equal [[:ok, 3], [:bad, 5]], found.map { |one| [one.severity, one.values[:sent]] }
    end

    test "what an empty server answered is the driver's headroom" do
      result = sample_load([10 * MS] * 10)
      found = [nil, 300.0, 299.0].map do |empty_per_s|
        of(result, empty_per_s:).checks.find { |one| one.member == "headroom" }&.severity
      end

      assert_equal [nil, :ok, :warn], found
    end
  end
end

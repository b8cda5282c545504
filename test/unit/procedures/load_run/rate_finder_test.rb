# frozen_string_literal: true

require "test_helper"

module Mohs
  # The search on played servers and a played clock.
  class RateFinderTest < TestCase
    MS = 1_000_000

    # Goes on by what the mock driver plays.
    class PlayedClock
      attr_accessor :mono_ns

      def initialize
        @mono_ns = 0
      end
    end

    # The mock driver, whose play moves the clock; `changes` are of its results.
    class Player < SimpleDelegator
      def initialize(clock, changes, **options)
        super(Drivers::Mock.new(**options))
        @clock = clock
        @changes = changes
      end

      def run(steps)
        results = super
        @clock.mono_ns += results.sum(&:wall_ns)
        results.map { |one| Load::StepResult.from_h(**one.to_h, **(one.offered ? @changes : {})) }
      end
    end

    def find(text = "p90 < 20ms", budget_s: 12, connections: 2, changes: {}, script: nil,
             on_driver: ->(_) {}, **options)
      clock = PlayedClock.new
      events = []
      target = Load::Target.new(host: "127.0.0.1", port: 1, connections:)
      driver = lambda do |**asked|
        on_driver.call(asked)
        Player.new(clock, changes, script: script || ->(*) { 10 * MS }, **asked)
      end
      finder = LoadRun::RateFinder.new(target:, limit: Load::Limit.parse(text), budget_s:, driver:,
                                    clock:, on_event: ->(name, _) { events << name }, **options)
      [finder.call, events]
    end

    test "two connections of 10 ms each have 200 requests/s, and less below 20 ms" do
      found, events = find

      assert_equal "found", found.outcome
      assert_in_delta 200, found.capacity_per_s, 3
      # an M/D/2 queue, by a simulation of 300 000 requests: 123/s
      assert_operator found.interval.low, :<, 135
      assert_operator found.interval.high, :>, 119
      assert_operator found.interval.high, :<, 200
      assert_equal %i[closed_loop capacity probe probed], (events.uniq - %i[live])
      assert_operator found.seconds, :<, 20
    end

    test "each probe is told, and where it was not held, so it is" do
      found, = find(arrivals: :constant)
      held, not_held = found.probes.partition { |probe| probe.outcome != "not_held" }

      assert_equal :constant, found.arrivals
      assert(held.all? { |probe| (probe.outcome == "below") == (probe.figure_ns < 20 * MS) })
      assert(not_held.all? { |probe| probe.rate_per_s > 200 && probe.late.positive? })
      assert_in_delta 200, found.interval.value, 20
    end

    test "a limit that nothing meets, and one that everything meets" do
      none, = find("p50 < 1ms")
      assert_equal "none", none.outcome
      assert_empty none.probes.map(&:outcome) - %w[above not_held]
      all, = find("p50 < 100s")
      assert_equal "at_least", all.outcome
    end

    test "its capacity is what it served with all threads busy, or in the closed loop if more" do
      assert_in_delta 200, find(busy_per_s: 100).first.capacity_per_s, 3
      assert_equal 300, find(busy_per_s: 300).first.capacity_per_s
    end

    test "no rate beyond as many times its capacity as it is told is tried" do
      free, most = [{ busy_per_s: 150 }, { most: 1.1 }].map do |options|
        find("p50 < 100s", budget_s: 60, **options).first.probes.map(&:rate_per_s).max
      end

      assert_operator free, :>, 1.2 * 203
      assert_operator most, :<=, 1.1 * 203 * Math.exp(Analysis::RateSearch::STEP)
    end

    test "of two closed loops, each on connections of its own, the better one is its capacity" do
      [1, 2].each do |slow|
        drivers = 0
        script = ->(*) { (drivers == slow ? 20 : 10) * MS }

        assert_in_delta 200, find(script:, on_driver: ->(_) { drivers += 1 }).first
                               .capacity_per_s, 3
      end
    end

    test "a driver that sends late, or has no time left, spoils the probes, and is told" do
      late, = find(changes: { lag_ns: { p50: 30_000, p99: 5 * MS } })
      busy, = find(changes: { driver_cpu_ns: 10**12 })

      assert_equal [%w[spoiled], "spoiled", nil],
                   [late.probes.map(&:outcome).uniq, late.outcome, late.interval]
      assert_equal ["send_lag.late_for_limit", { quantile: "p99", lag_ns: 5 * MS }],
                   late.probes.first.reason.to_h.values_at(:code, :values)
      assert_equal "driver_share.full", busy.probes.first.reason.code
      assert_equal Analysis::RateSearch::SPOILED, busy.probes.size
    end

    test "what is known of the time before the first probe is the finding of the result" do
      findings = ["p99.9 < 20ms", "mean < 20ms"].map do |limit|
        events = {}
        result, = find(limit, on_event: events.method(:store))
        assert_equal result.checks, [events[:capacity].fetch(:finding)].compact
        events[:capacity][:finding]&.code
      end

      assert_equal ["short_probes", nil], findings
    end

    test "a late p99 is nothing to a median" do
      found, = find("p50 < 15ms", changes: { lag_ns: { p50: 30_000, p99: 5 * MS } })
      assert_equal "found", found.outcome
    end

    test "requests without a right answer are endless" do
      found, = find("p90 < 20ms", script: ->(_, number) { number % 4 == 3 ? "refused" : MS })
      assert_equal ["none", nil], [found.outcome, found.probes.first.figure_ns]
      assert_operator found.probes.first.errors["refused"], :positive?
    end

    test "a server that answers nothing, and one that ceases to" do
      dead, = find(script: ->(*) { "refused" })
      assert_equal ["gone", nil, []], [dead.outcome, dead.capacity_per_s, dead.probes]
      dying, = find(changes: { gone: true })
      assert_equal ["gone", 1], [dying.outcome, dying.probes.size]
    end

    # Answers so many requests, over all its connections, and then never again.
    def hangs_after(count)
      ->(*) { (count -= 1).negative? ? "in_flight_at_end" : 10 * MS }
    end

    test "a server that hangs has no rate, whatever held before, and ends the search" do
      found, events = find(script: hangs_after(800))

      assert_equal ["gone", nil], [found.outcome, found.interval]
      assert_includes found.probes.map(&:outcome), "below"
      assert_operator found.seconds, :<, 12
      refute_equal :probe, events.last
      at_once, = find(script: hangs_after(0))
      assert_equal ["gone", []], [at_once.outcome, at_once.probes]
    end

    test "a server that leaves some requests unanswered, and answers others, is not gone" do
      found, = find(script: ->(_, number) { number % 40 == 39 ? "in_flight_at_end" : 10 * MS })

      assert_equal "found", found.outcome
      assert_operator found.probes.size, :>, 3
    end

    test "a server whose first answers take longer than a load waits for them is not gone" do
      loads = 0
      found, = find(on_driver: ->(_) { loads += 1 },
                    script: ->(*) { loads == 1 ? "in_flight_at_end" : 10 * MS })

      assert_equal "found", found.outcome
    end

    test "what is in flight has the time that is left, but the limit in any case" do
      { "p90 < 20ms" => 1.0, "p90 < 3s" => 3.0 }.each do |limit, least_s|
        waits = []
        find(limit, budget_s: 4, on_driver: ->(asked) { waits << asked[:drain_s] })
        assert_operator waits.max, :<=, [2 * least_s, 4].min, limit
        assert_operator waits.last, :<, least_s + 0.01, limit
        assert_operator waits.min, :>=, limit[/\d+ms/] ? 0.02 : 3.0
      end
    end
  end
end

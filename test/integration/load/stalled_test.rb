# frozen_string_literal: true

require "test_helper"

module Mohs
  # A server that answers for a while and then never again: percentiles are of all that fell due,
  # not of those that were answered. In a closed and an open loop, on connections that last and on
  # new ones.
  class StalledTest < TestCase
    include CLIHelper
    include LoadHelper

    NATIVE = ->(**options) { Drivers.fetch("native").new(**options) }
    MS = 1_000_000
    SHARES = [0.5, 0.9, 0.99, 1.0].freeze

    def stalls_after(number) = ->(at) { at > number ? :hang : :fine }

    # [result, recording]
    def run_load(script, step, drain_s: 0.3, **target)
      FakeServer.open(script) do |server|
        with_driver([target_on(server, **target)], drain_s:) do |driver|
          return [driver.run([step]).first, driver.recording(0)]
        end
      end
    end

    # Of [ns, is it a lower bound?] of shares.
    def ranked(recording, kind) = recording.ranked(kind, SHARES).map(&:to_a)

    test "mohs load counts the time in which every request fails, and says so" do
      FakeServer.open(->(at) { at > 50 ? :reset : :fine }) do |server|
        Dir.mktmpdir("mohs-test") do |folder|
          load = mohs("load", "http://127.0.0.1:#{server.port}", "-d", "800ms", "-c", "2",
                      "--quiet", "--raw", "#{folder}/x", driver: NATIVE)
          shown = mohs("show", "#{folder}/x", "--json").json
          assert_match(/outage: .* 0\.\d+ s, from/, load.out)
          assert_operator shown[:duration_s], :>=, 0.8
          assert_in_delta shown[:duration_s], shown[:outage].values.sum, 1e-6
        end
      end
    end

    %i[on asked fin].each do |keep_alive|
      test "an open loop, keep-alive #{keep_alive}: what was never sent counts, and waited" do
        arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: 100)
        step = Load::Step.new(duration_ns: 500 * MS, arrivals:)
        result, recording = run_load(stalls_after(20), step, keep_alive:)

        assert_equal [50, 20, { "in_flight_at_end" => 4 }],
                     [result.offered, result.good, result.errors]
        assert_equal [26, 26], [result.unsent, recording.unsent_size]
        assert_operator result.queued, :>=, 26
        assert_equal [30, 4], %i[response service].map { |kind| recording.unanswered(kind) }
        times = ranked(recording, :response)
        assert_equal [true] * 4, times.map(&:last)
        assert_equal times, times.sort
        assert_operator times.first.first, :>=, 300 * MS, "all that was never sent waited so long"
        assert_includes (580 * MS)..., times.last.first, "20 were answered: the next was due at 200"
        assert_equal [false, true], recording.ranked(:service, [0.8, 0.9]).map(&:more)
      end

      test "a closed loop, keep-alive #{keep_alive}: what is in flight in the end counts" do
        step = Load::Step.new(duration_ns: 500 * MS)
        result, recording = run_load(stalls_after(20), step, keep_alive:)

        assert_equal [20, { "in_flight_at_end" => 4 }], [result.good, result.errors]
        assert_equal [4, 0], [recording.unanswered(:service), recording.unsent_size]
        assert_operator result.wall_ns, :>=, 500 * MS, "no 20 answers in the time up to the last"
        times = ranked(recording, :service)
        assert_equal [false, true, true, true], times.map(&:last)
        assert_operator times[1].first, :>=, 290 * MS
        assert_operator times.first.first, :<, 290 * MS
      end

      test "a closed loop, keep-alive #{keep_alive}: what timed out counts" do
        result, recording = run_load(stalls_after(40), Load::Step.new(count: 44), keep_alive:,
                                     timeout_s: 1)

        assert_equal [40, { "timeout_first_byte" => 4 }], [result.good, result.errors]
        times = ranked(recording, :service)
        assert_equal [false, false, true, true], times.map(&:last)
        assert_includes (1000 * MS)..(10_000 * MS), times.last.first
      end
    end

    test "a search for a rate ends when its server hangs, and has none" do
      script = ->(at) { at > 300 ? :hang : (sleep(0.002) && :fine) }
      FakeServer.open(script) do |server|
        started = Clock.mono_ns
        found = LoadRun::RateFinder.new(target: target_on(server), budget_s: 4, driver: NATIVE,
                                        limit: Load::Limit.parse("p90 < 100ms")).call

        assert_equal ["gone", nil], [found.outcome, found.interval]
        assert_operator Clock.mono_ns - started, :<, 8_000 * MS
      end
    end

    test "an undisturbed load has the same times in both ways" do
      arrivals = Load::Arrivals.new(kind: :poisson, rate_per_s: 1000)
      [nil, arrivals].each do |due|
        _, recording = run_load(->(_) { :fine }, Load::Step.new(count: 200, arrivals: due))
        %i[service response].each do |kind|
          assert_equal recording.quantiles(kind, SHARES).map { |ns| [ns, false] },
                       ranked(recording, kind)
        end
      end
    end

    test "each step of several has its own unsent ones" do
      steps = [20, 100].map do |rate_per_s|
        arrivals = Load::Arrivals.new(kind: :constant, rate_per_s:)
        Load::Step.new(duration_ns: 300 * MS, arrivals:)
      end
      FakeServer.open(stalls_after(6)) do |server|
        with_driver([target_on(server, connections: 2)], drain_s: 0.1) do |driver|
          results = driver.run(steps)
          parts = Load::Total.stages(results, driver.recording(0)).map(&:last)
          assert_equal [[6, 0], [30, 28]], results.map { |result| [result.offered, result.unsent] }
          assert_equal [0, 28], parts.map(&:unsent_size)
          assert_equal [0, 30], parts.map { |part| part.unanswered(:response) }
          assert_equal 28, Load::Total.of(results, driver.recording(0)).unsent
        end
      end
    end

    test "requests that were never sent are no fault of the driver's" do
      arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: 500)
      step = Load::Step.new(duration_ns: 600 * MS, arrivals:)
      result, recording = run_load(stalls_after(30), step, drain_s: 0.1)
      found = LoadRun::Dispersion.new(arrivals.facts, duration_ns: 600 * MS)
                                  .call(result, recording)
      checked = Analysis::Checks.fetch("arrivals").new
                                .call({ arrivals: { kind: "constant", **found } })
      assert_equal "arrivals.on_time", checked.code
      late = Analysis::Checks.fetch("offered_rate").new
                             .call({ slices: [{ **result.to_h, block: 0 }] })
      assert_equal "offered_rate.never", late.code
    end

    # Two threads that keep to their connections, as Puma's do, and four connections.
    def two_threads
      places = SizedQueue.new(2)
      lambda do |socket|
        places << true
        loop { reply(socket) && sleep(0.002) }
      end
    end

    test "connections that wait for a thread are seen while they wait, and told afterwards" do
      open_raw(two_threads) do |port|
        target = Load::Target.new(host: "127.0.0.1", port:, connections: 4)
        with_driver([target], drain_s: 0.2) do |driver|
          longest = []
          step = Load::Step.new(duration_ns: 1300 * MS)
          result, = driver.run([step]) { |live| longest << live.waiting.quantile(1.0).to_i }
          assert_operator longest.max, :>=, 900 * MS
          found = driver.recording(0).starved(1000 * MS)
          assert_equal [2, true], [found[:connections], found[:longest_ns] >= 1300 * MS]
          assert_equal 2, result.errors["in_flight_at_end"]
        end
      end
    end

    test "an open loop's requests that wait for a connection are seen" do
      arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: 100)
      step = Load::Step.new(duration_ns: 700 * MS, arrivals:)
      seen = []
      FakeServer.open(stalls_after(5)) do |server|
        with_driver([target_on(server)], drain_s: 0.1) do |driver|
          driver.run([step]) { |live| seen << [live.waiting.size, live.waiting.quantile(1.0)] }
        end
      end
      assert_operator seen.map(&:first).max, :>=, 40
      assert_operator seen.map { |_, ns| ns.to_i }.max, :>=, 400 * MS
    end
  end
end

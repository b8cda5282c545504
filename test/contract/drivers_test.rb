# frozen_string_literal: true

require "support/local_agent"
require "test_helper"

module Mohs
  # What every driver does (drivers/base.rb), held against each member, and ours on another machine,
  # on a server of its own.
  class DriversTest < TestCase
    include LoadHelper

    test "the family knows its members, and the manual every tool among them" do
      page = File.read(File.join(Mohs.root, "docs/driver.md"))

      assert_empty %w[mock native wrk] - Drivers.names
      assert_empty(PEERS.reject { |name| page.match?(/\b#{name}\b/) })
      assert_match(/native/, assert_raises(UsageError) { Drivers.fetch("natve") }.message)
    end

    PEERS = Drivers.names.select { |name| Drivers.fetch(name) < Drivers::Peer::Base }

    FAR = "agent"

    [*(Drivers.names - PEERS), FAR].each do |name|
      test "#{name}: can do all, and has no caveat" do
        member = name == FAR ? Agent::Driver : Drivers.fetch(name)
        assert_equal [Drivers::Base::ALL, nil], [member.capabilities, member.caveat]
        with_member(name) { |driver| assert_kind_of Load::Recording, driver.summary(0) }
      end

      test "#{name}: one result for each step and target, in order" do
        with_member(name, targets: 2) do |driver|
          results = driver.run([Load::Step.new(targets: [1], count: 7),
                                Load::Step.new(targets: [0, 1], count: 5)])
          assert_equal [[0, 1], [1, 0], [1, 1]], results.map { |result|
            [result.step, result.target]
          }
          assert_equal results, driver.results
          assert_equal [7, 5, 5], results.map(&:sent)
        end
      end

      test "#{name}: counts add up, and to what was recorded" do
        with_member(name) do |driver|
          results = driver.run([Load::Step.new(count: 50), Load::Step.new(duration_ns: 20_000_000)])
          results.each do |result|
            assert_equal result.sent, result.good + result.errors.values.sum
            assert_operator result.completed, :>=, result.good
            assert_operator result.latency_sum_ns, :<=, result.wall_ns * 4
            assert_operator result.p50_ns, :<=, result.max_ns
            assert_equal 4, result.connections[:asked]
          end
          assert_equal results.sum(&:sent), driver.recording(0).size
          assert_operator results.last.started_ns, :>=,
                          results.first.started_ns + results.first.wall_ns
        end
      end

      test "#{name}: records count from its epoch, which lies behind" do
        with_member(name) do |driver|
          driver.run([Load::Step.new(count: 3)])
          due_ns = driver.recording(0).each.first.due_ns
          assert_operator driver.epoch_ns, :<=, Clock.mono_ns - due_ns
          assert_in_delta Clock.real_ms, Clock.real_ns(Clock.mono_ns) / 1e6, 1000
        end
      end

      test "#{name}: warm-up is recorded and stays out of quantiles" do
        with_member(name) do |driver|
          driver.run([Load::Step.new(count: 10, warm_up: true)])
          assert_equal [10, 0, [nil]],
                       [driver.recording(0).size, driver.recording(0).good,
                        driver.recording(0).quantiles(:service, [0.5])]
          driver.run([Load::Step.new(count: 5)])
          assert_equal [15, 5], [driver.recording(0).size, driver.recording(0).good]
        end
      end

      test "#{name}: CPU time of watched processes, nil without" do
        with_member(name) do |driver|
          assert_nil driver.run([Load::Step.new(count: 5)]).first.cpu_ns
          driver.watch(0, [::Process.pid])
          result = driver.run([Load::Step.new(count: 5)]).first
          assert_operator result.cpu_ns, :>, 0
          assert_equal [result.cpu_ns], result.processes_cpu_ns
        end
      end

      test "#{name}: a step that it can set aside is a warm-up from then on" do
        with_member(name) do |driver|
          result = driver.run([Load::Step.new(count: 5)]).first
          driver.set_aside(result) if driver.sets_aside?
          assert_equal driver.sets_aside? ? 0 : 5, driver.recording(0).good
        end
      end

      test "#{name}: an open loop sends what is due, and tells what was offered" do
        with_member(name) do |driver|
          arrivals = Load::Arrivals.new(kind: :poisson, rate_per_s: 5000, seed: 3)
          steps = [Load::Step.new(count: 40, arrivals:),
                   Load::Step.new(duration_ns: 20_000_000, arrivals:), Load::Step.new(count: 9)]
          *open, closed = driver.run(steps)
          assert_equal [40, arrivals.due_ns(duration_ns: 20_000_000).size], open.map(&:offered)
          open.each do |result|
            assert_equal [result.offered, 0], [result.sent, result.unsent]
            assert_equal %i[p50 p99], result.lag_ns.keys & result.queue_ns.keys
            assert_operator result.queued, :<=, result.sent
          end
          assert_equal arrivals.due_ns(count: 40), dues(driver, open.first)
          assert_equal [9, nil, nil], closed.to_h.values_at(:sent, :offered, :lag_ns)
        end
      end

      test "#{name}: a counted step begins no request after its limit, and may end sooner" do
        with_member(name) do |driver|
          few, many = driver.run([Load::Step.new(count: 9, limit_ns: 30_000_000_000),
                                  Load::Step.new(count: 1_000_000_000, limit_ns: 50_000_000)])
          assert_equal 9, few.sent
          assert_operator few.wall_ns, :<, 30_000_000_000
          assert_includes 1..999_999_999, many.sent
          assert_equal many.sent, many.good
          assert_operator many.wall_ns, :>=, 40_000_000
        end
      end

      test "#{name}: steps that cannot be are refused before anything is sent" do
        with_member(name) do |driver|
          ramp = Load::Arrivals.new(kind: :constant, rate_per_s: 1, to_per_s: 2)
          [{}, { count: 0 }, { count: 1, duration_ns: 1 }, { count: 1, targets: [1] },
           { count: 1, targets: [] }, { duration_ns: -1 }, { count: 1, arrivals: ramp },
           { arrivals: ramp },
           { duration_ns: 1 << 48 }].each do |bad|
            steps = [Load::Step.new(count: 1), Load::Step.new(**bad)]
            assert_raises(ArgumentError) { driver.run(steps) }
          end
          assert_equal 0, driver.recording(0).size
        end
      end

      test "#{name}: what the block raises ends the run, and what was measured stays" do
        with_member(name) do |driver|
          steps = Array.new(50) { Load::Step.new(duration_ns: 100_000_000) }
          assert_raises(KeyError) { driver.run(steps) { raise KeyError } }
          assert_operator driver.recording(0).size, :>, 0
          assert_operator driver.results.size, :<, 50
          assert_nil driver.first_failed(0) if driver.recording(0).errors.empty?
        end
      end
    end

    test "mock: plays errors, and a clock of its own" do
      script = ->(_, number) { number == 3 ? "wrong_body" : 2_000_000 }
      driver = Drivers.fetch("mock").new(targets: [Load::Target.new(connections: 2)], script:)
      step = Load::Step.new(duration_ns: 10_000_000)
      result = driver.run([step]) { |live| assert_equal 1, live.failed }.first
      assert_equal({ "wrong_body" => 1 }, result.errors)
      assert_equal [10, 2_000_000], [result.good, result.p50_ns]
      assert_equal "wrong_body", driver.first_failed(0).error
      driver.close
      failing = Drivers.fetch("mock").new(targets: [Load::Target.new(connections: 2)],
                                          script: ->(*) { "wrong_body" })
      assert_nil failing.run([step]).first.p50_ns
      failing.close
    end

    test "mock: requests wait for a connection in an open loop" do
      driver = Drivers.fetch("mock").new(targets: [Load::Target.new(connections: 1)])
      arrivals = Load::Arrivals.new(kind: :times, times: [0, 0, 500_000, 9_000_000])
      result = driver.run([Load::Step.new(duration_ns: 2_500_000, arrivals:)]).first
      assert_equal [3, 2, 0, 2_500_000], [result.offered, result.queued, result.late, result.max_ns]
      assert_equal({ p50: 1_000_000, p99: 1_500_000 }, result.queue_ns)
      longest = %i[service response].flat_map { |kind| driver.recording(0).quantiles(kind, [1]) }
      assert_equal [1_000_000, 2_500_000], longest
    end

    private

    # Of the requests of a result, from its beginning on.
    def dues(driver, result)
      driver.recording(0).each.map { |one| one.due_ns - result.started_ns }.sort.first(result.sent)
    end

    def with_member(name, targets: 1)
      FakeServer.open do |server|
        all = Array.new(targets) { target_on(server) }
        with_maker(name) do |maker|
          driver = maker.call(targets: all, capacity: 1000)
          yield driver
        ensure
          driver&.close
        end
      end
    end

    def with_maker(name)
      return yield Drivers.fetch(name).method(:new) unless name == FAR

      LocalAgent.open { |link| yield link.driver }
    end
  end
end

# frozen_string_literal: true

require "test_helper"

module Mohs
  # Open loops against a server that keeps its own record of when it answered, and with a driver
  # that is kept from its work. Bounds are wide enough for a busy machine, and far narrower than
  # what a due time taken from anywhere else would give.
  class OpenLoopTest < TestCase
    MS = 1_000_000

    def arrivals(rate_per_s, kind: :constant, **more)
      Load::Arrivals.new(kind:, rate_per_s:, **more)
    end

    # [result, recording, ns that the server took, when its answers left as due_ns has it] of a step
    # on a TruthServer.
    def load(mode, step, connections: 32, **options, &meanwhile)
      result = recording = epoch_ns = nil
      server = TruthServer.open(*mode) do |truth|
        pieces = mode.first == :slow_body ? mode.last : 1
        check = Load::Check.new(mode: :exact, body: TruthServer::BODY * pieces)
        target = Load::Target.new(host: "127.0.0.1", port: truth.port, connections:,
                                  requests: [Load::Request.new(check:)])
        driver = Drivers.fetch("native").new(targets: [target], capacity: 5000, **options)
        result = driver.run([step], &meanwhile).first
        recording = driver.recording(0)
        epoch_ns = driver.epoch_ns
      ensure
        driver&.close
      end
      [result, recording, server.times, server.record.map { |_, left| left - epoch_ns }.sort]
    end

    def assert_truth(recording, times, share, within_ms:)
      truth = quantile(times, share)
      measured = recording.quantiles(:service, [share]).first
      assert_in_delta truth / 1e6, measured / 1e6, within_ms, "p#{share * 100}"
    end

    def assert_all_good(result)
      assert_equal [result.offered, 0, {}], [result.good, result.unsent, result.errors]
    end

    test "a fixed delay and a mixture are told as the server knows them" do
      { [:delay, 1 * MS] => 1, [:mixture, 1 * MS, 20 * MS, 20] => 20 }.each do |mode, slow_ms|
        step = Load::Step.new(duration_ns: 500 * MS, arrivals: arrivals(800, kind: :poisson))
        result, recording, times = load(mode, step)
        assert_all_good result
        assert_equal result.good, times.size
        assert_truth recording, times, 0.5, within_ms: 1
        assert_truth recording, times, 0.99, within_ms: 10
        assert_operator recording.quantiles(:service, [0.99]).first, :>=, slow_ms * MS
      end
    end

    test "a slow body is waited for, and its first byte told apart" do
      step = Load::Step.new(count: 60, arrivals: arrivals(400))
      result, recording, times = load([:slow_body, 2 * MS, 5], step)
      assert_all_good result
      assert_truth recording, times, 0.5, within_ms: 3
      first, whole = %i[first service].map { |kind| recording.quantiles(kind, [0.5]).first }
      assert_operator whole - first, :>=, 7 * MS
    end

    # 100 ms of every 500 nothing is answered: whoever falls due at x in a stall waits 100 - x. With
    # 32 connections only 64 requests are under way then (on a busy machine a few more are slow),
    # the other 340 wait to be sent.
    test "a stall is seen by all who fell due in it" do
      step = Load::Step.new(duration_ns: 1000 * MS, arrivals: arrivals(2000))
      result, recording, _, left = load([:stall, 500 * MS, 100 * MS], step)
      assert_all_good result
      shares = [0.5, 0.85, 0.9, 0.95, 0.99]
      measured = recording.quantiles(:response, shares)
      shares.zip(measured, waited(recording, left, shares), stall_waits(shares)) do |share, *times|
        measured, waited, model = times.map { |time| time / 1e6 }
        assert_in_delta waited, measured, 2, "p#{share * 100}"
        assert_operator measured, :>, model - 2, "p#{share * 100}: whoever falls due in it waits"
      end
      assert_operator recording.count_between(:service, 50 * MS, 1 << 40), :<, 100
      assert_operator result.queued, :>=, 250
      assert_operator result.waiting_max, :>=, 100
    end

    test "a rate that the server cannot take is told" do
      step = Load::Step.new(duration_ns: 200 * MS, arrivals: arrivals(1000))
      result, recording, = load([:delay, 10 * MS], step, connections: 2, drain_s: 0.2)
      assert_equal 200, result.offered
      assert_equal 200, result.sent + result.unsent
      assert_operator result.unsent, :>=, 110 # 2 connections x 400 ms / 10 ms = 80 sent at most
      assert_operator recording.quantiles(:queue, [1]).first, :>=, 100 * MS
      facts = { slices: [result.to_h.merge(block: 0)] }
      found = Analysis::Checks.fetch("offered_rate").new.call(facts)
      assert_equal ["offered_rate.never", 200, result.unsent],
                   [found.code, *found.values.values_at(:offered, :unsent)]
    end

    test "more connections are opened where that was asked for" do
      TruthServer.open(:delay, 20 * MS) do |server|
        target = Load::Target.new(host: "127.0.0.1", port: server.port, connections: 2,
                                  max_connections: 100)
        driver = Drivers.fetch("native").new(targets: [target])
        result = driver.run([Load::Step.new(count: 200, arrivals: arrivals(1000))]).first
        assert_equal 200, result.good
        assert_includes 15..100, result.connections[:opened]
        assert_operator result.max_ns, :<, 150 * MS # two connections would need 2 s
        driver.close
      end
    end

    test "a driver that is kept from its core says that it sent late, and blames no server" do
      result, recording, times = starved(arrivals(1000))
      assert_operator result.lag_ns[:p99], :>, 1 * MS
      slices = [result.to_h.merge(block: 0)]
      assert_equal "send_lag.late", Analysis::Checks.fetch("send_lag").new.call({ slices: }).code
      assert_truth recording, times, 0.75, within_ms: 1
    end

    test "in a closed loop it asks less often, and blames no server either" do
      _, recording, times = starved(nil)
      assert_truth recording, times, 0.75, within_ms: 1
      assert_operator recording.count_between(:lag, 1 * MS, 1 << 40), :>=, 5
    end

    private

    # What the server made those wait who fell due: its answers left in their order, but for what
    # was under way together.
    def waited(recording, left, shares)
      waits = left.zip(recording.responses.map(&:first).sort).map { |at, due| at - due }.sort
      shares.map { |share| quantile(waits, share) }
    end

    # What the stall alone makes them wait.
    def stall_waits(shares)
      waits = Array.new(2000) do |number|
        into = (500_000 * number).modulo(500 * MS) - (400 * MS)
        into.positive? ? (100 * MS) - into : 0
      end.sort
      shares.map { |share| quantile(waits, share) }
    end

    # As Load::Recording#quantiles has it, of what is sorted.
    def quantile(times, share) = times[(share * times.size).ceil - 1]

    # As #load has it, of a second. The driver's thread gets only what a busy process on its core
    # leaves it: next to nothing.
    def starved(arrivals)
      cpu = Process::CpuSet.available.last
      step = Load::Step.new(duration_ns: 1000 * MS, arrivals:)
      hog = ::Process.spawn("taskset", "-c", cpu.to_s, "sh", "-c", "while :; do :; done")
      before = threads
      load([:delay, 0], step, connections: 8, cpus: [cpu]) do
        (threads - before).each { |thread| starve(thread) }
      end
    ensure
      ::Process.kill("KILL", hog)
      ::Process.wait(hog)
    end

    def threads = Dir.children("/proc/self/task")

    def starve(thread)
      system("chrt", "--idle", "--pid", "0", thread, out: File::NULL, err: File::NULL)
    end
  end
end

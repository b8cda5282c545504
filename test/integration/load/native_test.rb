# frozen_string_literal: true

require "test_helper"

module Mohs
  class NativeTest < TestCase
    include LoadHelper

    test "a count is exact, whatever the connections and threads" do
      FakeServer.open do |server|
        with_driver([target_on(server, connections: 7)], threads: 2) do |driver|
          result = driver.run([Load::Step.new(count: 100)]).first
          assert_equal [100, 100, 100], [result.sent, result.completed, result.good]
          assert_equal(
            { asked: 7, opened: 7, lost: 0, served: 7, requests_min: 14,
              requests_max: 15 }, result.connections)
          assert_equal 100, server.requests
          assert_equal 1100, result.bytes
        end
      end
    end

    test "what the core is not given by its name is refused" do
      error = assert_raises(KeyError) { Core::Engine.new(targets: [{}], cpus: []) }
      assert_equal :workers, error.key
      options = { workers: 1, drain_ns: 0, gone_ns: 0, spin: false, paced: false }
      error = assert_raises(KeyError) { Core::Engine.new(targets: [{}], cpus: [], **options) }
      assert_equal :address, error.key
      assert_raises(TypeError) { Core::Engine.new(targets: [1], cpus: [], **options) }
    end

    test "its threads report on themselves" do
      FakeServer.open do |server|
        with_driver([target_on(server)], threads: 2) do |driver|
          steps = [Load::Step.new(count: 100), Load::Step.new(duration_ns: 250_000_000)]
          short, long = driver.run(steps).map(&:thread_stats)
          assert_operator short[:events], :>=, 100
          assert_operator long[:windows], :>=, 2 # of each thread, the last one not whole
          [short, long].each do |stats|
            refute stats[:spins]
            assert_operator stats[:events], :>=, stats[:wakeups]
            assert_operator stats[:age_sum_ns], :>=, stats[:age_max_ns]
            assert_operator stats[:stalled_ns], :>=, 20_000_000 * stats[:stalls]
            kept_ns = stats[:gaps_ns] + stats[:held_ns]
            assert_operator kept_ns, :>=, stats[:stalled_ns] - (400_000 * stats[:stalls])
            assert_equal stats[:stalls].positive?, stats[:gap_max_ns] > 20_000_000
          end
        end
      end
    end

    test "what a step adds up is found again in its records" do
      %i[on asked].each do |keep_alive|
        FakeServer.open do |server|
          with_driver([target_on(server, keep_alive:)]) do |driver|
            result = driver.run([Load::Step.new(count: 60)]).first
            tally = Load::Tally.new(driver.recording(0), connections: 4, open_loop: false).to_h
            tally.each { |key, value| assert_equal value, result[key], key }
            assert_includes 1..result.latency_sum_ns, result.service_sum_ns
            opened = result.service_sum_ns == result.latency_sum_ns
            assert_equal keep_alive == :asked, opened, "opening a connection is service too"
          end
        end
      end
    end

    test "it takes the pace of its core where that is asked for, also while it waits" do
      FakeServer.open(->(_) { sleep(0.05) && :fine }) do |server|
        [[{ paced: true }, Float], [{}, NilClass]].each do |asked, kind|
          with_driver([target_on(server, connections: 1)], **asked) do |driver|
            stats = driver.run([Load::Step.new(count: 4)]).first.thread_stats
            assert_kind_of kind, stats[:pace_ns]
            assert_operator stats[:wakeups], :<=, 6 # with events: those to take the pace have none
          end
        end
      end
    end

    test "a driver whose core something else keeps busy says how long it waited" do
      cpu = Process::CpuSet.available.last
      busy = Process::Spawner.new.spawn(
        Process::Command.new(argv: ["sh", "-c", "while :; do :; done"]), log: File::NULL,
                                                                             cpus: [cpu])
      # Where everything is busy, it begins late.
      sleep 0.01 until Probes::Cpu.ticks([busy.pid]).values.sum > 2
      FakeServer.open do |server|
        with_driver([target_on(server)], cpus: [cpu], spin: true) do |driver|
          arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: 100)
          step = Load::Step.new(duration_ns: 400_000_000, arrivals:)
          stats = driver.run([step]).first.thread_stats
          skip "this kernel does not tell" unless stats[:waited_ns]
          assert_operator stats[:waited_ns], :>, 20_000_000 # a half of it, but for others at work
          assert_operator stats[:preempted], :>, 0
          assert_equal [true, 0], stats.values_at(:spins, :windows)
        end
      end
    ensure
      busy&.kill
    end

    test "its threads go where they are told to, from the next run on" do
      FakeServer.open do |server|
        with_driver([target_on(server)], cpus: [Process::CpuSet.available.first]) do |driver|
          driver.pin([Process::CpuSet.available.last])
          assert_equal 5, driver.run([Load::Step.new(count: 5)]).first.good
          driver.pin([1000])
          assert_raises(Errno::EINVAL) { driver.run([Load::Step.new(count: 5)]) }
          assert_raises(ArgumentError) { driver.pin([0, 0]) }
        end
      end
    end

    test "unix sockets and IPv6" do
      with_files do |folder|
        result = load_count(->(_) { :fine }, server: { path: File.join(folder, "s") })
        assert_equal 200, result.good
      end
      FakeServer.open(host: "::1") do |server|
        with_driver([target_on(server, host: "::1")]) do |driver|
          assert_equal 50, driver.run([Load::Step.new(count: 50)]).first.good
        end
      end
    rescue Errno::EADDRNOTAVAIL
      skip "this machine has no IPv6 loopback"
    end

    test "several targets, each step its own" do
      FakeServer.open do |one|
        FakeServer.open(->(_) { :not_found }) do |other|
          with_driver([target_on(one, workers: [0]), target_on(other, workers: [1])],
                      threads: 2) do |driver|
            steps = [Load::Step.new(targets: [0], count: 10),
                     Load::Step.new(targets: [1, 0], count: 20),
                     Load::Step.new(targets: [1], count: 30, warm_up: true)]
            results = driver.run(steps)
            assert_equal [[0, 0], [1, 1], [1, 0], [2, 1]], results.map { |result|
              [result.step, result.target]
            }
            assert_equal [10, 0, 20, 0], results.map(&:good)
            assert_equal({ "wrong_status" => 30 }, results.last.errors)
            assert_equal [30, 50], [driver.recording(0).size, driver.recording(1).size]
            assert_equal [30, 50], [one.requests, other.requests]
          end
        end
      end
    end

    test "connections stay open over runs, and closing idle ones is no error" do
      FakeServer.open(->(number) { number == 12 ? :until_close : :fine }) do |server|
        with_driver([target_on(server)]) do |driver|
          driver.run([Load::Step.new(count: 8)])
          assert_equal 4, server.accepted
          2.times { assert_empty driver.run([Load::Step.new(count: 8)]).first.errors }
          assert_equal 5, server.accepted
          server.stop
        end
      end
    end

    test "keep_alive off opens a connection for each request" do
      %i[asked fin rst].each do |keep_alive|
        FakeServer.open do |server|
          with_driver([target_on(server, keep_alive:)]) do |driver|
            result = driver.run([Load::Step.new(count: 30)]).first
            assert_equal [30, 30, 0],
                         [result.good, result.connections[:opened], result.connections[:lost]]
            assert_equal 30, server.accepted
          end
        end
      end
    end

    test "any method with headers and body, mixed by weight and seed" do
      echo = proc { :fine }
      requests = [Load::Request.new(weight: 3),
                  Load::Request.new(method: "POST", path: "/a", headers: { "X-A" => "b" },
                                    body: "x" * 100_000)]
      orders = [1, 1, 2].map do |seed|
        FakeServer.open(echo) do |server|
          with_driver([target_on(server, requests:, connections: 1)], seed:) do |driver|
            assert_equal 100, driver.run([Load::Step.new(count: 100)]).first.good
            break driver.recording(0).each.map(&:request)
          end
        end
      end
      assert_equal orders[0], orders[1]
      refute_equal orders[0], orders[2]
      assert_includes 10..40, orders[0].sum
    end

    test "HEAD has no body" do
      script = ->(_) { "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n" }
      assert_equal 20,
                   load_count(script, count: 20, requests: [Load::Request.new(method: "HEAD")]).good
    end

    test "a body larger than any buffer is compared to its last byte" do
      body = Random.new(1).bytes(1_000_000)
      head = "HTTP/1.1 200 OK\r\nContent-Length: #{body.bytesize}\r\n\r\n".b
      bad = body.dup.tap { |copy| copy.setbyte(-1, copy.getbyte(-1) ^ 1) }
      script = ->(number) { head + (number == 5 ? bad : body) }
      check = Load::Check.new(mode: :exact, body:)
      result = load_count(script, count: 10, requests: [Load::Request.new(check:)])
      assert_equal({ "wrong_body" => 1 }, result.errors)
    end

    test "a timed step counts what was answered, in wall time and CPU" do
      FakeServer.open do |server|
        with_driver([target_on(server)]) do |driver|
          driver.watch(0, [::Process.pid])
          result = driver.run([Load::Step.new(duration_ns: 50_000_000)]).first
          assert_equal [result.sent, {}], [result.good, result.errors]
          assert_equal server.requests, result.sent
          assert_operator result.cpu_ns, :>=, result.driver_cpu_ns
          assert_operator result.latency_sum_ns, :<=, 4 * result.wall_ns
          assert_operator result.p50_ns, :<=, result.max_ns
          assert_equal [result.p50_ns], driver.recording(0).quantiles(:service, [0.5])
        end
      end
    end

    test "a process that is gone has no CPU time" do
      gone = ::Process.spawn("true")
      ::Process.wait(gone)
      FakeServer.open do |server|
        with_driver([target_on(server)]) do |driver|
          driver.watch(0, [gone])
          assert_nil driver.run([Load::Step.new(count: 1)]).first.cpu_ns
        end
      end
    end

    test "source addresses are taken in turn" do
      FakeServer.open do |server|
        sources = %w[127.0.0.2 127.0.0.3]
        with_driver([target_on(server, source_addresses: sources)]) do |driver|
          assert_equal 8, driver.run([Load::Step.new(count: 8)]).first.good
        end
      end
    end

    test "what cannot be loaded is refused with a reason" do
      { /loopback/ => { host: "192.0.2.1", port: 80 }, /108/ => { unix: "/#{'x' * 200}" },
        /no such host/ => { host: "a b", port: 80 } }.each do |words, place|
        assert_match(words, assert_raises(UsageError) { driver_for(**place) }.message)
      end
      assert_raises(ArgumentError) { driver_for(host: "127.0.0.1", port: 80, keep_alive: :maybe) }
      assert_raises(ArgumentError) { driver_for(host: "127.0.0.1", port: 80, connections: 0) }
      assert_raises(Errno::EINVAL) do
        Drivers.fetch("native").new(targets: [Load::Target.new(host: "127.0.0.1", port: 80)],
                                    cpus: [1000])
               .run([Load::Step.new(count: 1)])
      end
    end

    private

    def driver_for(**place) = Drivers.fetch("native").new(targets: [Load::Target.new(**place)])
  end
end

# frozen_string_literal: true

require "test_helper"

module Mohs
  # What every peer does (drivers/peer/base.rb), held against each that is installed.
  class PeersTest < TestCase
    include LoadHelper

    SECOND = { duration_ns: 1_000_000_000 }.freeze
    PEERS = Drivers.names.select { |name| Drivers.fetch(name) < Drivers::Peer::Base }

    PEERS.each do |name|
      klass = Drivers.fetch(name)
      able = klass.capabilities

      test "#{name}: says what it can do, and how to get it" do
        assert_empty able - Drivers::Base::ALL
        refute_empty able & %i[count duration]
        assert_empty able & %i[targets mix checks slices arrivals recording fewer]
        assert_match(/\A(apt install \S|see https:)/, klass::WHERE)
        assert_match(/\A#{name} /, klass.caveat)
      end

      test "#{name}: one result of one step, with what is unknown left out" do
        with_peer(name) do |driver, server|
          step = able.include?(:count) ? { count: 40 } : { duration_ns: 1_000_000_000 }
          driver.watch(0, [::Process.pid])
          result = driver.run([Load::Step.new(**step)]).first
          assert_equal [[result], {}, 0, 0],
                       [driver.results, result.errors, result.step, result.target]
          # Those in flight at the end of a time, and a connection to look whether somebody listens
          assert_in_delta result.good, server.deeds.values.sum, able.include?(:count) ? 0 : 8
          assert_equal result.good, result.completed
          assert_equal 40, result.good if step[:count]
          assert_operator result.sent || result.good, :>=, result.good
          assert_figures(driver, result)
        end
      end

      test "#{name}: a length of time" do
        with_peer(name) do |driver, server|
          duration_ns = able.include?(:fractions) ? 200_000_000 : 1_000_000_000
          result = driver.run([Load::Step.new(duration_ns:)]).first
          # One that hung was started again, with connections of its own
          once = name != "siege" || server.accepted < 2 * 4
          assert_in_delta result.good, server.deeds.values.sum, 8 if once
          assert_operator result.good, :<=, server.deeds.values.sum
          # siege ends early
          assert_operator result.wall_ns, :<, 20 * duration_ns
          assert_empty result.errors
        end
      end

      test "#{name}: a request arrives as it was asked for" do
        installed(name)
        asked = { method: "PUT", path: "/items?a=1", body: "{\"a\":1}",
                  headers: { "Content-Type" => "application/json", "X-A" => "b c" } }
        head, body = received(name, Load::Request.new(**asked))
        assert_equal "PUT /items?a=1", head[/\A\S+ \S+/]
        lines = [/^content-type: (.*)\r$/i, /^x-a: (.*)\r$/i]
        assert_equal [["application/json"], ["b c"]], lines.map { |line| head.scan(line).flatten }
        assert_equal asked[:body], body
      end

      test "#{name}: a secret header is in none of its arguments, or refused" do
        requests = [Load::Request.new(headers: { "Cookie" => "s3cr3t" })]
        targets = [Load::Target.new(host: "127.0.0.1", port: 1, requests:)]
        step = Load::Step.new(**(able.include?(:count) ? { count: 1 } : SECOND))
        arguments = klass.new(targets:).launch(step).commands.flatten.join(" ")

        assert_equal able.include?(:secrets), !arguments.include?("s3cr3t")
        next klass.new(targets:, secrets: true) if able.include?(:secrets)

        error = assert_raises(UsageError) { klass.new(targets:, secrets: true) }
        assert_includes error.message, Drivers::Peer::Limits::WORDS.fetch(:secrets)
      end

      test "#{name}: what the block raises ends the tool, and leaves nothing" do
        with_peer(name) do |driver, server|
          step = able.include?(:duration) ? { duration_ns: 20_000_000_000 } : { count: 4_000_000 }
          assert_raises(KeyError) { driver.run([Load::Step.new(**step)]) { raise KeyError } }
          assert quiet?(server), "it goes on"
          assert_equal [[], nil], [driver.results, driver.first_failed(0)]
        end
      end

      test "#{name}: what it can't do is refused before anything is sent" do
        target = Load::Target.new(host: "127.0.0.1", port: 1, connections: 3)
        steps = { count: [{ count: 3 }], duration: [{ duration_ns: 1_000_000_000 }],
                  fractions: [{ duration_ns: 1_500_000_000 }], slices: [{ count: 3 }, { count: 3 }],
                  fewer: [{ count: 2 }], remainder: [{ count: 4 }] }
        steps.except(*able).each do |missing, list|
          driver = klass.new(targets: [target])
          error = assert_raises(UsageError) { driver.run(list.map { |one| Load::Step.new(**one) }) }
          assert_includes error.message, Drivers::Peer::Limits::WORDS.fetch(missing)
        end
        error = assert_raises(UsageError) { klass.new(targets: [target]).recording(0) }
        assert_match(/^#{name} does not record/, error.message)
      end
    end

    private

    LOOKS = 100

    # Does it soon get no more requests? What had been sent before the tool ended is still read, on
    # a busy machine after that.
    def quiet?(server)
      counts = []
      LOOKS.times do
        counts << server.requests
        return true if counts.last(4).size == 4 && counts.last(4).uniq.one?

        sleep 0.05
      end
      false
    end

    # With the header by which a server keeps the connection of an HTTP/1.0 client.
    KEPT = FakeServer::FINE.sub("\r\n\r\n", "\r\nConnection: keep-alive\r\n\r\n").freeze

    def installed(name)
      there = ENV["PATH"].split(":").any? { |folder| File.executable?(File.join(folder, name)) }
      skip "#{name} is not installed: #{Drivers.fetch(name)::WHERE}" unless there
    end

    # Head and body of the first request with a body that a tool sends.
    def received(name, request)
      seen = Queue.new
      serve = lambda do |socket|
        while (head = socket.gets("\r\n\r\n"))
          seen << [head, socket.read(head[/^content-length: (\d+)/i, 1].to_i)]
          socket.write(KEPT)
        end
      end
      open_raw(serve) do |port|
        target = Load::Target.new(host: "127.0.0.1", port:, requests: [request])
        counted = Drivers.fetch(name).capabilities.include?(:count)
        step = counted ? { count: 1 } : { duration_ns: 1_000_000_000 }
        Drivers.fetch(name).new(targets: [target]).run([Load::Step.new(**step)])
      end
      seen.pop
    end

    def with_peer(name)
      installed(name)
      FakeServer.open(->(_) { KEPT }) do |server|
        target = Load::Target.new(host: "127.0.0.1", port: server.port, connections: 4)
        cpus = Process::CpuSet.available.last(1)
        yield Drivers.fetch(name).new(targets: [target], cpus:), server
      end
    end

    # Times are in their order; what no tool tells is nil.
    def assert_figures(driver, result)
      times = driver.summary(0).quantiles(:service, [0.0, 0.5, 0.9, 0.99, 0.999, 1.0]).compact
      assert_equal times.sort, times
      assert_equal [result.max_ns], driver.summary(0).quantiles(:service, [1.0])
      assert_operator result.wall_ns, :>=, 0
      assert_operator result.cpu_ns, :>, 0
      assert_operator result.driver_cpu_ns, :>, 0
      assert_equal [4, nil, nil, nil, nil, nil], result.connections.values
    end
  end
end

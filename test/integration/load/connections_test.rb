# frozen_string_literal: true

require "test_helper"

module Mohs
  # What becomes of connections: closed, half-closed, dribbled on, refused and come back. Every
  # request sent has its class, none is sent twice, and no connection is lost for good.
  class ConnectionsTest < TestCase
    include Leftovers
    include LoadHelper

    # On a busy machine the server's end may come too late for a race.
    BETWEEN = %w[closed_between_requests reset_between_requests closed_before_answer
                 reset_before_answer].freeze
    SECOND = 1_000_000_000

    test "a half-closed connection ends between two requests, and none is repeated" do
      read = Queue.new
      serve = lambda do |socket|
        reply(socket)
        read << socket
        socket.close_write
        read << socket while socket.gets("\r\n\r\n")
      end
      result = run_on(serve, connections: 1, step: { count: 40 })
      assert_equal [20, 20], [result.good, result.errors.values.sum]
      assert_empty result.errors.keys - %w[closed_between_requests closed_before_answer]
      # The driver may know of the end before the server has read, and a driver that had no core for
      # a moment even before it has sent.
      sent = result.good + result.errors.fetch("closed_before_answer", 0)
      wait_for(20) { read.size >= sent }
      assert_includes sent..40, read.size
    end

    test "a server that closes after five answers without a word is told each time" do
      answered = Queue.new
      serve = lambda do |socket|
        5.times { reply(socket).tap { answered << socket } }
      end
      result = run_on(serve, connections: 4, step: { count: 60 })
      # 15 on each connection: 5, 1 lost, 5, 1 lost, 3
      assert_equal [52, 8, 52], [result.good, result.errors.values.sum, answered.size]
      assert_empty result.errors.keys - BETWEEN
      assert_equal [12, 8, 4], result.connections.values_at(:opened, :lost, :served)
    end

    test "connections that the server closes while they are idle are no error" do
      open_raw(->(socket) { reply(socket) }) do |port|
        with_driver([target_at(port, connections: 4)]) do |driver|
          results = Array.new(2) do
            driver.run([Load::Step.new(count: 4)]).first.tap { sleep 0.25 }
          end
          assert_equal [[4, {}, 4, 0]] * 2, results.map { |result|
            [result.good, result.errors, *result.connections.values_at(:opened, :lost)]
          }
        end
      end
    end

    test "a server that waits for each connection is held up by none without a request" do
      server = TCPServer.new("127.0.0.1", 0)
      serving = Thread.new { loop { serve_next(server) } }
      results = with_driver([target_at(server.local_address.ip_port, connections: 8,
                                                                     timeout_s: 2)]) do |driver|
        [2, 2, 8, 3].map { |count| driver.run([Load::Step.new(count:)]).first }
      end

      assert_equal [[2, {}, 2], [2, {}, 2], [8, {}, 8], [3, {}, 3]],
                   results.map { |one| [one.good, one.errors, one.connections[:opened]] }
    ensure
      serving&.kill&.join
      server&.close
    end

    def serve_next(server)
      socket = server.accept
      reply(socket)
    rescue EOFError, SystemCallError
      nil # the driver gave up
    ensure
      socket&.close
    end

    # A header, a body and a chunk without end.
    DRIBBLED = ["HTTP/1.1 200 OK\r\nA: ", "HTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"].freeze

    test "what comes a byte at a time times out beside others, and the run keeps its length" do
      heads = DRIBBLED.dup
      serve = lambda do |socket|
        head = heads.shift or loop { reply(socket) }
        reply(socket, head)
        loop { socket.write("b") && sleep(0.005) }
      end
      result = run_on(serve, connections: 6, timeout_s: 1, step: { duration_ns: SECOND * 2 })
      assert_equal({ "timeout" => 3 }, result.errors)
      assert_equal 6, result.connections[:served]
      assert_length result, SECOND * 2
    end

    test "while nobody listens requests are refused, and then every connection is back" do
      closed = Socket.new(:INET, :STREAM)
      closed.bind(Addrinfo.tcp("127.0.0.1", 0))
      accepting = nil
      result = timed(closed.local_address.ip_port, connections: 8) do
        accepting ||= closed.listen(64) && Thread.new { serve_all(closed) }
      end
      assert_equal ["refused"], result.errors.keys
      assert_operator result.errors["refused"], :<, 8 * 12, "pauses double: this is no storm"
      assert_equal [8, false], [result.connections[:served], result.gone]
      assert_length result, SECOND
    ensure
      accepting&.kill&.join
      closed&.close
    end

    test "a server that ends and comes back under load has all its connections again" do
      served = Queue.new
      ticks = Queue.new
      serve = ->(socket) { loop { reply(socket).then { served << socket } } }
      loading = nil
      port = open_raw(serve) do |number|
        loading = Thread.new { timed(number, connections: 8) { ticks << true } }
        ticks.pop
        number
      end
      served.clear
      result = open_raw(serve, port:) { loading.value }
      assert_equal 8, Array.new(served.size) { served.pop }.uniq.size
      assert_equal 8, result.connections[:served]
      assert_operator result.errors.values.sum, :>=, 1
      allowed = ["refused", *BETWEEN]
      assert_empty result.errors.keys - allowed
      assert_length result, SECOND
    end

    DESCRIPTORS = <<~'RUBY'
      require "mohs"
      require "json"
      target = Mohs::Load::Target.new(host: "127.0.0.1", port: ARGV[0].to_i, connections: 16)
      driver = Mohs::Drivers.fetch("native").new(targets: [target])
      [Mohs::Load::StepResult, Mohs::Load::Live] # loaded while files can be opened
      spare = Array.new(6) { IO.pipe }.flatten
      most = Process.getrlimit(:NOFILE).last
      Process.setrlimit(:NOFILE, spare.map(&:fileno).max + 1, most)
      spare.first(6).each(&:close)
      result = driver.run([Mohs::Load::Step.new(duration_ns: 1_000_000_000)]) do |live|
        Process.setrlimit(:NOFILE, most) if live.failed.positive?
      end.first
      puts JSON.generate([result.sent - result.good, result.errors, result.connections[:served]])
    RUBY

    test "connections without a descriptor are opened once there are some" do
      FakeServer.open do |server|
        failed, errors, served = JSON.parse(in_child(DESCRIPTORS, server.port))
        assert_equal [{ "no_descriptor" => failed }, 16], [errors, served]
        assert_operator failed, :>=, 10
      end
    end

    # Setting the clock takes a machine of one's own, so this is shown by reading. The kernel's
    # stamps are of the wall clock, read to tell how old they are, and whether it was set
    # (test/c/target_test.c).
    test "no clock is read that anybody could set, but to tell how old a stamp is" do
      sources = Dir[File.join(Mohs.root, "ext/mohs/**/*.{c,h}")].to_h do |path|
        [File.basename(path), File.read(path).gsub(%r{/\*.*?\*/|//[^\n]*}m, "")]
      end
      read = sources.values.join.scan(/(?:clock_gettime|timerfd_create)\((\w+)/).flatten
      assert_equal %w[CLOCK_MONOTONIC clock], read.uniq.sort
      stamps = sources["socket.c"].sub!("uint64_t wall_ns = mohs_clock_ns(CLOCK_REALTIME);", "")
      assert stamps, "socket.c"
      other = /\b(CLOCK_REALTIME|gettimeofday|time\(|ftime|timespec_get|_timed\w+\()/
      sources.each { |name, text| refute_match other, text, name }
    end

    private

    def run_on(serve, step:, **target)
      open_raw(serve) do |port|
        with_driver([target_at(port, **target)]) do |driver|
          result = driver.run([Load::Step.new(**step)]).first
          assert_sums(result)
          assert_equal result.sent, driver.recording(0).size
          return result
        end
      end
    end

    # A step of a second.
    def timed(port, **target, &block)
      with_driver([target_at(port, **target)], gone_s: 30) do |driver|
        result = driver.run([Load::Step.new(duration_ns: SECOND)], &block).first
        assert_sums(result)
        result
      end
    end

    def target_at(port, **options)
      check = Load::Check.new(mode: :exact, body: FakeServer::BODY)
      Load::Target.new(host: "127.0.0.1", port:, requests: [Load::Request.new(check:)], **options)
    end

    def assert_sums(result)
      assert_equal result.sent, result.good + result.errors.values.sum
    end

    # Neither cut short nor stretched by a timeout's length.
    def assert_length(result, duration_ns)
      assert_operator result.wall_ns, :>=, duration_ns * 0.8
      refute result.gone
    end

    def serve_all(listener)
      threads = []
      serve = ->(socket) { loop { reply(socket) } }
      loop { threads << Thread.new(listener.accept.first) { |socket| handle(socket, serve) } }
    ensure
      threads.each { |thread| thread.kill.join }
    end
  end
end

# frozen_string_literal: true

require "digest"
require "test_helper"

module Mohs
  # Where something runs out: room in a backlog or a socket, descriptors, ports, memory, time.
  class LimitsTest < TestCase
    include LoadHelper

    test "megabytes of request bodies arrive whole under back pressure" do
      body = Random.new(4).bytes(6_000_000)
      check = Load::Check.new(mode: :exact, body: Digest::SHA256.hexdigest(body))
      requests = [Load::Request.new(method: "PUT", body:, check:)]
      open_echo do |port|
        target = Load::Target.new(host: "127.0.0.1", port:, connections: 3, requests:)
        with_driver([target], threads: 2) do |driver|
          result = driver.run([Load::Step.new(count: 9)]).first
          assert_equal [9, {}, 3], [result.good, result.errors, result.connections[:opened]]
          driver.recording(0).each do |entry|
            assert_operator entry.sent_ns, :>, 0, "it took more than one send"
            assert_operator entry.first_ns, :>=, entry.sent_ns
          end
        end
      end
    end

    test "a full backlog of a unix socket is waited for" do
      with_backlog do |listener, target|
        accepting = Thread.new do
          sleep 0.15
          loop { Thread.new(listener.accept) { |socket| answer_once(socket) } }
        end
        with_driver([target]) do |driver|
          result = driver.run([Load::Step.new(count: 24)]).first
          assert_equal [24, {}, 24], [result.good, result.errors, result.connections[:opened]]
        end
        accepting.kill.join
      end
    end

    test "a backlog that stays full is a connect timeout" do
      with_backlog(timeout_s: 0.3) do |_, target|
        with_driver([target]) do |driver|
          result = driver.run([Load::Step.new(count: 8)]).first
          assert_equal 8, result.errors.values.sum
          assert_equal %w[connect_timeout timeout_first_byte], result.errors.keys.sort
          assert_equal 0, result.completed
          assert_nil result.max_ns
        end
      end
    end

    test "no free local address is told, and counts hold" do
      FakeServer.open do |server|
        with_driver([target_on(server, source_addresses: ["192.0.2.7"])], gone_s: 0.05) do |driver|
          result = driver.run([Load::Step.new(duration_ns: 5_000_000_000)]).first
          assert result.gone
          assert_equal({ "no_local_port" => result.sent }, result.errors)
          assert_equal 0, server.accepted
        end
      end
    end

    NO_DESCRIPTOR = <<~'RUBY'
      require "mohs"
      target = Mohs::Load::Target.new(host: "127.0.0.1", port: ARGV[0].to_i, connections: 16)
      driver = Mohs::Drivers.fetch("native").new(targets: [target], capacity: 100)
      require "json"
      [Mohs::Load::Recording, Mohs::Load::StepResult] # loaded while files can be opened
      spare = Array.new(6) { IO.pipe }.flatten # the lowest numbers: none is free below them
      Process.setrlimit(:NOFILE, spare.map(&:fileno).max + 1)
      spare.first(6).each(&:close)
      result = driver.run([Mohs::Load::Step.new(count: 64)]).first
      puts JSON.generate([result.sent, result.good, result.errors, driver.recording(0).size])
    RUBY

    test "no free descriptor is told, counts hold, and the others are served" do
      FakeServer.open do |server|
        report = in_child(NO_DESCRIPTOR, server.port)
        sent, good, errors, recorded = JSON.parse(report)
        assert_equal [64, 64], [sent, recorded]
        assert_equal [20, { "no_descriptor" => 44 }], [good, errors]
      end
    end

    FORK = <<~'RUBY'
      require "mohs"
      target = Mohs::Load::Target.new(host: "127.0.0.1", port: ARGV[0].to_i, connections: 2)
      driver = Mohs::Drivers.fetch("native").new(targets: [target], capacity: 100)
      status = refused = nil
      result = driver.run([Mohs::Load::Step.new(duration_ns: 300_000_000)]) do
        next if status
        child = fork # and it ends as a Ruby does, with all finalizers
        unless child
          GC.start
          exit
        end
        status = Process.wait2(child).last.exitstatus
      end.first
      again = fork do
        driver.run([Mohs::Load::Step.new(count: 1)])
      rescue RuntimeError => e
        exit!(e.message.include?("process that made it") ? 7 : 8)
      end
      refused = Process.wait2(again).last.exitstatus
      puts [status, refused, result.errors.empty?, result.good > 0].inspect
    RUBY

    test "a child forked under load neither disturbs it nor loads itself" do
      FakeServer.open do |server|
        assert_equal "[0, 7, true, true]", in_child(FORK, server.port).lines.last.strip
      end
    end

    test "requests beyond the capacity are recorded too" do
      FakeServer.open do |server|
        driver = Drivers.fetch("native").new(targets: [target_on(server)], capacity: 0)
        assert_equal 300, driver.run([Load::Step.new(count: 300)]).first.good
        assert_equal [300, 300], [driver.recording(0).size, driver.recording(0).good]
      ensure
        driver&.close
      end
    end

    test "requests that could not be recorded are no result" do
      FakeServer.open do |server|
        with_driver([target_on(server)]) do |driver|
          engine = driver.instance_variable_get(:@engine)
          engine.define_singleton_method(:lost_records) { 3 } # for real: test/c/edges_test.c
          error = assert_raises(EnvironmentError) { driver.run([Load::Step.new(count: 4)]) }
          assert_match(/record 3 requests/, error.message)
          assert_equal 4, driver.results.first.sent
        end
      end
    end

    test "a watched process that ends under load leaves no CPU time, and no fault" do
      child = ::Process.spawn("sleep", "60")
      FakeServer.open do |server|
        with_driver([target_on(server)]) do |driver|
          driver.watch(0, [::Process.pid, child])
          result = driver.run([Load::Step.new(duration_ns: 250_000_000)]) do
            child &&= ::Process.kill("KILL", child) && ::Process.wait(child) && nil
          end.first
          assert_equal [nil, {}], [result.cpu_ns, result.errors]
          driver.watch(0, [])
          assert_nil driver.run([Load::Step.new(count: 1)]).first.cpu_ns
        end
      end
    ensure
      ::Process.kill("KILL", child) && ::Process.wait(child) if child
    end

    test "what no record or clock can hold is refused" do
      { { connections: 1 << 24 } => /16777215/, { connections: -1 } => /-1/,
        { timeout_s: -1 } => /0 or more/, { source_addresses: ["127.0.0.2"], unix: "/x" } => /unix/,
        { requests: [Load::Request.new(weight: 0)] } => /weight/,
        { requests: [Load::Request.new(weight: -1)] } => /weight/ }.each do |bad, words|
        place = bad.key?(:unix) ? {} : { host: "127.0.0.1", port: 1 }
        error = assert_raises(ArgumentError, UsageError) { driver_for(**place, **bad) }
        assert_match words, error.message
      end
    end

    test "memory that no machine has is refused when it is asked for" do
      targets = [Load::Target.new(host: "127.0.0.1", port: 1)]
      [1 << 58, (1 << 64) - 1].each do |capacity|
        assert_raises(Errno::ENOMEM) { Drivers.fetch("native").new(targets:, capacity:) }
      end
    end

    private

    def driver_for(**target) = Drivers.fetch("native").new(targets: [Load::Target.new(**target)])

    # Yields the port of a server that answers with the digest of each body it read. Its buffers
    # (a fixed size is not tuned) hold a part of a body, and it begins to read late: without both,
    # the kernel may take a whole body at once.
    def open_echo
      listener = TCPServer.new("127.0.0.1", 0)
      listener.setsockopt(:SOCKET, :RCVBUF, 65_536)
      threads = []
      accepting = Thread.new do
        loop { threads << Thread.new(listener.accept) { |socket| nil while answer_digest(socket) } }
      end
      yield listener.addr[1]
    ensure
      [accepting, *threads].each { |thread| thread.kill.join }
      listener.close
    end

    def answer_digest(socket)
      head = socket.gets("\r\n\r\n") or return
      sleep 0.02
      text = Digest::SHA256.hexdigest(socket.read(head[/^content-length: (\d+)/i, 1].to_i))
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: #{text.bytesize}\r\n\r\n#{text}")
    end

    # A unix socket whose backlog holds fewer than the target's eight connections.
    def with_backlog(**options)
      with_files do |folder|
        path = File.join(folder, "s")
        listener = UNIXServer.new(path)
        listener.listen(1)
        check = Load::Check.new(mode: :exact, body: FakeServer::BODY)
        yield listener, Load::Target.new(unix: path, connections: 8, keep_alive: :fin,
                                         requests: [Load::Request.new(check:)], **options)
      ensure
        listener&.close
      end
    end

    def answer_once(socket)
      socket.gets("\r\n\r\n")
      socket.write(FakeServer::FINE)
      socket.close
    end
  end
end

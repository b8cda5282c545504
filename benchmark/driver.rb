# frozen_string_literal: true

# The driver beside wrk on Debian's nginx, in alternating rounds: CPU per request of each, and the
# memory of ten million recorded requests. The server on the first core, the client on the second.
# Everything stays in a folder of its own.
#
#     ruby benchmark/driver.rb [rounds] [seconds a round]

require "fileutils"
require "socket"
require "tmpdir"
require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # nginx with one worker that answers 100 bytes from memory, on TCP and on a unix socket.
  class Nginx
    attr_reader :port, :path, :pid

    def self.open(cpu)
      Dir.mktmpdir("mohs-nginx") do |folder|
        server = new(folder, cpu)
        yield server
      ensure
        server&.stop
      end
    end

    def initialize(folder, cpu)
      @port = TCPServer.open("127.0.0.1", 0) { |socket| socket.addr[1] }
      @path = File.join(folder, "s")
      config = File.join(folder, "nginx.conf")
      File.write(config, configuration(folder))
      @pid = ::Process.spawn("taskset", "-c", cpu.to_s, "nginx", "-c", config, "-p", folder, "-e",
                             File.join(folder, "log"))
      sleep 0.02 until up?
    end

    def stop
      ::Process.kill("TERM", pid)
      ::Process.wait(pid)
    end

    def answer
      TCPSocket.open("127.0.0.1", port) do |socket|
        socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        socket.read.split("\r\n\r\n", 2).last
      end
    end

    private

    def up?
      raise "nginx does not start" if ::Process.wait(pid, ::Process::WNOHANG)

      File.socket?(path) && answer
    rescue Errno::ECONNREFUSED
      false
    end

    def configuration(folder)
      paths = %w[client_body proxy fastcgi uwsgi scgi].map do |name|
        "#{name}_temp_path #{folder}/#{name};"
      end.join
      "daemon off; master_process off; pid #{folder}/pid; error_log #{folder}/log crit; " \
        "events { worker_connections 2000; } " \
        "http { #{paths} access_log off; keepalive_requests 1000000000; keepalive_timeout 600; " \
        "server { listen 127.0.0.1:#{port}; listen unix:#{path}; " \
        "location / { return 200 \"#{'x' * 99}\\n\"; } } }"
    end
  end

  # One figure of one tool in one round.
  Figure = Struct.new(:us, :per_s, keyword_init: true)

  # The comparison itself.
  class DriverBenchmark
    CASES = {
      "keep-alive, 32 connections" => [32, :on],
      "keep-alive, 100 connections" => [100, :on],
      "close asked, 32 connections" => [32, :asked],
    }.freeze

    def initialize(server, rounds:, seconds:, cpu:)
      @server = server
      @rounds = rounds
      @seconds = seconds
      @cpu = cpu
    end

    def call
      alone { memory } # first: a fork's memory is also what this process grew to
      CASES.each { |name, (connections, keep_alive)| compare(name, connections, keep_alive) }
      unix
      slices
    end

    private

    def compare(name, connections, keep_alive)
      pairs = Array.new(@rounds) { |round| pair(round, connections, keep_alive) }
      wrk, ours = pairs.transpose
      cpu = pairs.map { |one, other| other.us / one.us }
      rate = pairs.map { |one, other| other.per_s / one.per_s }
      puts "#{name}: wrk #{figures(wrk)}, mohs #{figures(ours)}; CPU x #{median(cpu).round(3)} " \
           "(#{cpu.min.round(2)} to #{cpu.max.round(2)}), rate x #{median(rate).round(3)}"
    end

    def figures(all)
      format("%.2f us %.1fk/s", median(all.map(&:us)), median(all.map(&:per_s)) / 1e3)
    end

    # Who begins changes from round to round.
    def pair(round, connections, keep_alive)
      return [wrk(connections, keep_alive), mohs(connections, keep_alive)] if round.even?

      [mohs(connections, keep_alive), wrk(connections, keep_alive)].reverse
    end

    def wrk(connections, keep_alive)
      target = Load::Target.new(host: "127.0.0.1", port: @server.port, connections:, keep_alive:)
      figure(Drivers.fetch("wrk").new(targets: [target], cpus: [@cpu]))
    end

    def figure(driver)
      result = driver.run([Load::Step.new(duration_ns: @seconds * 1_000_000_000)]).first
      raise "#{result.errors}" if result.errors.any?

      Figure.new(us: result.driver_cpu_ns / 1e3 / (result.sent || result.completed),
                 per_s: result.good * 1e9 / result.wall_ns)
    end

    def mohs(connections, keep_alive, place = { host: "127.0.0.1", port: @server.port })
      with_driver(connections, keep_alive, place, capacity: 200_000 * @seconds) do |driver|
        figure(driver)
      end
    end

    def with_driver(connections, keep_alive, place, **options)
      check = Load::Check.new(mode: :exact, body: @server.answer)
      target = Load::Target.new(connections:, keep_alive:, requests: [Load::Request.new(check:)],
                                **place)
      driver = Drivers.fetch("native").new(targets: [target], cpus: [@cpu], **options)
      yield driver
    ensure
      driver&.close
    end

    def unix
      pairs = Array.new(@rounds) { [mohs(32, :on), mohs(32, :on, { unix: @server.path })] }
      ratio = median(pairs.map { |tcp, unix| unix.us / tcp.us })
      puts "unix socket, 32 connections: mohs #{figures(pairs.map(&:last))}; " \
           "CPU x #{ratio.round(3)} of our own TCP"
    end

    # What switching costs: the same time in one piece and in slices of 40 ms, in many short pairs
    # that a busy machine disturbs alike. Besides the rate, which a neighbour moves, the share of
    # the time that connections were in use (Little's law), which it hardly does; and how much of
    # the time lay between slices.
    def slices
      with_driver(4, :on, { host: "127.0.0.1", port: @server.port }) do |driver|
        pairs = Array.new(@rounds * SLICED_PAIRS) { |round| sliced_pair(driver, round) }
        between = median(pairs.map { |_, sliced| 1 - (sliced.wall / sliced.span) })
        puts "40 ms slices, 4 connections, #{pairs.size} pairs: of one slice, " \
             "rate #{ratio(pairs, :per_s)}, connections in use #{ratio(pairs, :in_use)}; " \
             "#{(between * 100).round(3)} % of the time between slices"
      end
    end

    # The median of the pairs' ratios, and the middle half of them.
    def ratio(pairs, figure)
      all = pairs.map { |whole, sliced| sliced[figure] / whole[figure] }.sort
      low, middle, high = [0.25, 0.5, 0.75].map { |share| all[share * (all.size - 1)].round(4) }
      "x #{middle} (half of them #{low} to #{high})"
    end

    # A list of steps as one.
    Stretch = Struct.new(:wall, :span, :per_s, :in_use, keyword_init: true)

    def stretch(results)
      span = (results[-1].started_ns + results[-1].wall_ns - results[0].started_ns).to_f
      Stretch.new(span:, wall: results.sum(&:wall_ns), per_s: results.sum(&:good) * 1e9 / span,
                  in_use: results.sum(&:latency_sum_ns) / span)
    end

    SLICED_PAIRS = 8 # a round: 0.4 s each
    WHOLE = [Load::Step.new(duration_ns: 200_000_000)].freeze
    SLICED = Array.new(5) { Load::Step.new(duration_ns: 40_000_000) }.freeze

    # Who begins changes from pair to pair.
    def sliced_pair(driver, round)
      lists = round.even? ? [WHOLE, SLICED] : [SLICED, WHOLE]
      pair = lists.map { |steps| stretch(driver.run(steps)) }
      round.even? ? pair : pair.reverse
    end

    # In a process of its own, so that its peak is its own.
    def alone
      ::Process.wait(fork { yield.then { exit!(0) } })
    end

    def memory
      count = 10_000_000
      with_driver(32, :on, { host: "127.0.0.1", port: @server.port }, capacity: count) do |driver|
        driver.run([Load::Step.new(count:)])
        recording = driver.recording(0)
        encoded = recording.encode.bytesize
        took = recording.quantiles(:service, [0.5, 0.99, 0.999, 1.0])
        puts "#{recording.size} requests recorded, p50 #{took[0]} ns; peak #{peak_mb} MB; " \
             "#{(encoded / recording.size.to_f).round(2)} bytes a request encoded"
        $stdout.flush
      end
    end

    def peak_mb = File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i * 1024 / 1_000_000

    def median(values) = values.sort[values.size / 2]
  end
end

rounds = (ARGV[0] || 7).to_i
seconds = (ARGV[1] || 1).to_i
Mohs::Nginx.open(0) { |server| Mohs::DriverBenchmark.new(server, rounds:, seconds:, cpu: 1).call }

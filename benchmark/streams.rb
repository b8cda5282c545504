# frozen_string_literal: true

# Are the times of `mohs load --stream` and `--websocket` true? Compares them with the record of a
# server that sends events, or echoes, at chosen times (test/support/stream_truth_server.c): the
# same quantiles of both, which may differ by 60 us. With --fan-out and --publish it compares each
# message with the moments at which that server sent it to 1000 connections: when half of them, 99 %
# and the last had it may be off by 1 ms. Also the driver's memory for each idle connection.
#
#     ruby benchmark/streams.rb [seconds of each load, 5]

require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"
require_relative "../test/support/c_build"
require_relative "../test/support/stream_truth_server"

module Mohs
  module StreamsBenchmark
    MS = 1_000_000
    SHARES = [0.5, 0.9, 0.99].freeze
    GOAL_NS = 60_000
    CONNECTIONS, RATE = 50, 500
    # Connections that are only held, and bytes that each may take.
    IDLE, IDLE_BYTES = 5000, 2048
    # Connections that each message goes to, messages per second, and how much later mohs may say
    # that so many had it than the server sent it to them.
    AUDIENCE, MESSAGES, FAN_GOAL_NS = 1000, 10, MS
    # What is published is sent to the k-th stream so much later than to the one before.
    STEP_NS = 20_000

    module_function

    def load(port, seconds, connections: CONNECTIONS, open_per_s: 500, **options)
      request = App::Request.build(path: "/")
      websocket = options.fetch(:websocket, false)
      target = Load::Target.new(host: "127.0.0.1", port:, connections:,
                                requests: [Load::Streams.request(request, websocket:)])
      streams = Load::Streams.new(target, duration_s: seconds, open_per_s:, **options)
      streams.run
      streams.result
    end

    def quantile(times, share) = times[[(share * times.size).ceil - 1, 0].max]

    def quantiles(times) = SHARES.map { |share| quantile(times, share) }

    def row(title, recording, kind, truth)
      seen = recording.quantiles(kind, SHARES)
      off = seen.zip(quantiles(truth)).map { |one, true_ns| one - true_ns }
      texts = seen.zip(quantiles(truth)).map { |both| both.map { |ns| format("%.3f", ns / 1e6) } }
      cells = texts.map { |ours, theirs| "#{ours} (#{theirs})" }
      good = off.all? { |ns| ns.abs <= GOAL_NS }
      puts "| #{[title, truth.size, *cells, good ? 'yes' : '**no**'].join(' | ')} |"
      good
    end

    def events(seconds)
      result = nil
      server = StreamTruthServer.open("events", 3 * MS, 20 * MS) do |one|
        result = load(one.port, seconds)
      end
      [row("to the first event", result.firsts, :service, server.firsts),
       row("between events", result.gaps, :response, server.others)]
    end

    def echoes(seconds)
      result = nil
      arrivals = Load::Arrivals.new(kind: :poisson, rate_per_s: RATE, seed: 1)
      server = StreamTruthServer.open("echo", 2 * MS) do |one|
        result = load(one.port, seconds, websocket: true, messages: arrivals)
      end
      [row("echo, from sent", result.echoes, :service, server.others)]
    end

    # Of each message, in the order of their numbers, how much later it had come to `share` of the
    # connections, as reported, than the server began to send it to so many; and how far that is
    # outside of the time that this took, which the kernel may have interrupted.
    def lags(recording, epoch_ns, truth, share)
      rows = recording.each_row(%i[due_ns done_ns error])
      rows.each_with_index.map do |(due_ns, done_ns, error), number|
        raise "message #{number} did not come to all" unless error.zero?

        came = epoch_ns + due_ns + done_ns
        before, after = truth[number].map { |times| quantile(times, share) }
        [came - before, came - came.clamp(before, after)]
      end
    end

    def fan_out_row(title, lags)
      later, off = lags.transpose
      worst = off.max_by(&:abs)
      good = worst.abs <= FAN_GOAL_NS
      cells = [*[0.5, 0.99].map { |share| quantile(later.sort, share) }, worst]
              .map { |ns| format("%.3f", ns / 1e6) }
      puts "| #{[title, lags.size, *cells, good ? 'yes' : '**no**'].join(' | ')} |"
      good
    end

    # Messages over WebSockets, and what is posted for event streams.
    def fan_outs(seconds)
      post = App::Publication.post(App::Request.build(path: "/"), "/publish")
      [*fan_out(seconds, "WebSockets", "fan-out", 2 * MS, websocket: true),
       *fan_out(seconds, "event streams", "publish", 2 * MS, STEP_NS, publish: post)]
    end

    def fan_out(seconds, title, *mode, **options)
      result = nil
      messages = Load::Arrivals.new(kind: :poisson, rate_per_s: MESSAGES, seed: 1)
      server = StreamTruthServer.open(*mode) do |one|
        result = load(one.port, seconds + 1, connections: AUDIENCE, open_per_s: AUDIENCE,
                                             fan_out: true, messages:, **options)
      end
      late = format("%.1f", result.thread_stats[:age_max_ns] / 1e6)
      puts "", "#{title}: the driver read what had come up to #{late} ms late; a message that is " \
               "read with the next one has that one's time.", "",
           "| ms later than sent | messages | p50 | p99 | off at most | within 1 ms |",
           "|---|---:|---|---|---|---|"
      all = { "half of #{AUDIENCE} had it" => [:halves, 0.5], "99 %" => [:mosts, 0.99],
              "the last" => [:alls, 1.0] }
      all.map do |part, (kind, share)|
        fan_out_row(part, lags(result.fan_out[kind], result.epoch_ns, server.sent_to_all, share))
      end
    end

    # Bytes of memory that a connection adds to a process of its own.
    def idle(kind, *mode, websocket:)
      StreamTruthServer.open(*mode) do |one|
        few, many = [10, IDLE].map { |count| alone { growth(one.port, count, websocket:) } }
        each = (many - few) / (IDLE - 10)
        good = each <= IDLE_BYTES
        puts "", "#{each} bytes for each of #{IDLE} idle #{kind} (at most #{IDLE_BYTES}): " \
                 "#{good ? 'yes' : '**no**'}"
        return good
      end
    end

    def idles
      [idle("event streams", "events", 1 * MS, 3_600_000 * MS, websocket: false),
       idle("WebSockets", "echo", 1 * MS, websocket: true)]
    end

    # What the block returns in a child.
    def alone
      reader, writer = IO.pipe
      child = fork do
        GC.start
        GC.disable
        writer.puts yield
        exit!
      end
      writer.close
      ::Process.wait(child)
      Integer(reader.read)
    end

    def growth(port, connections, websocket:)
      request = Load::Streams.request(App::Request.build(path: "/"), websocket:)
      target = Load::Target.new(host: "127.0.0.1", port:, connections:, requests: [request])
      before = most = written
      streams = Load::Streams.new(target, duration_s: 6, open_per_s: 1000, websocket:)
      streams.run { most = [most, written].max }
      raise "not all were opened" unless streams.result.opened == connections

      most - before
    end

    # Written pages, which a child does not share with its parent.
    def written
      File.read("/proc/self/smaps_rollup")[/^Private_Dirty: +(\d+)/, 1].to_i * 1024
    end

    def call(seconds)
      Process::Descriptors.make_room(IDLE + 100, what: "streams")
      puts "| ms, reported (true) | count | p50 | p90 | p99 | within 60 us |",
           "|---|---:|---|---|---|---|"
      exit([*events(seconds), *echoes(seconds), *fan_outs(seconds), *idles].all?)
    end
  end
end

Mohs::StreamsBenchmark.call(Integer(ARGV.first || 5))

# frozen_string_literal: true

# Where connections wait for a thread: is it better to end the load of a slice, or to hold the load
# on and stop the server (SIGSTOP of its processes) while the other one is measured? Two servers of
# benchmark/agreement are measured in turns by both methods, in alternation, and alone under a long
# load, which is the truth.
#
#   slices   as Cohort::Session: time, edges, connections closed at the end
#   stopped  both are loaded all the time; the responses of each while it runs / that time
#
# Prints, for each server, the bias in % of the truth, the standard deviation of a second of load in
# %, the seconds that a second of load took, and p50 and p99 of service times (of `stopped`, without
# the time in which the server was stopped) / those of the long load.
#
#     ruby benchmark/stopped.rb [folder [/page [connections [slice_s [stop_s [setting setting]]]]]]

require_relative "agreement/server"

module Mohs
  # Two servers under the same number of connections.
  class StoppedServers
    ROUNDS = 3
    SLICES = 8 # of each server, in a round
    LONG_NS = 8_000_000_000
    SKIP_NS = 2_000_000_000 # of the long load

    def initialize(servers, connections:, slice_ns:, stop_ns:)
      @servers = servers
      @connections = connections
      @slice_ns = slice_ns
      @stop_ns = stop_ns
    end

    def call
      @edge_ns = edge_ns(long.map { |one| one[:rate] })
      rounds = Array.new(ROUNDS) { [long, in_slices, stopped] }
      @servers.each_index.map do |at|
        truth, slices, stops = rounds.transpose.map { |all| all.map { |round| round[at] } }
        rate = truth.sum { |one| one[:rate] } / truth.size
        [row(slices, rate, truth, @slice_ns), row(stops, rate, truth, @stop_ns)]
      end
    end

    private

    def with_driver
      driver = Drivers::Native.new(targets: @servers.map(&:target), capacity: 200_000)
      yield driver
    ensure
      driver.close
    end

    # As Cohort::Schedule.
    def edge_ns(rates)
      bunches = @servers.zip(rates).map do |server, rate|
        [server.slots, @connections].min * 1e9 / rate
      end
      (2 * bunches.max).to_i
    end

    # Each server by itself.
    def long
      @servers.each_index.map do |at|
        with_driver do |driver|
          driver.run([Load::Step.new(targets: [at], duration_ns: LONG_NS)])
          ends = times(driver, at)
          count = ends.count { |_, _, done| done.between?(SKIP_NS, LONG_NS) }
          { rate: count * 1e9 / (LONG_NS - SKIP_NS),
            times: ends.map { |_, sent, done| done - sent } }
        end
      end
    end

    def in_slices
      with_driver do |driver|
        began = now
        results = [0, 1, 1, 0].cycle.first(2 * SLICES).map do |at|
          step = Load::Step.new(targets: [at], duration_ns: @slice_ns, hang_up: true,
                                edge_ns: [@edge_ns, @slice_ns / 2].min)
          [at, driver.run([step]).first]
        end
        took = now - began
        @servers.each_index.map do |at|
          own = results.select { |index, _| index == at }.map(&:last)
          { rates: own.map { |one| Load.rate_per_s([one]) }, took_s: took / 2,
            times: times(driver, at).map { |_, sent, done| done - sent } }
        end
      end
    end

    # The first turn of each fills its queues and does not count.
    def stopped
      with_driver do |driver|
        turns = [0, 1, 1, 0].cycle.first(2 * ratio * SLICES)
        epoch = driver.epoch_ns
        total_ns = (turns.size + 3) * @stop_ns
        loader = Thread.new { driver.run([Load::Step.new(targets: [0, 1], duration_ns: total_ns)]) }
        sleep @stop_ns / 1e9
        began = now
        windows = turns.map { |at| window(at, epoch) }
        took = now - began
        @servers.each { |server| server.signal("CONT") }
        loader.join
        @servers.each_index.map { |at| of_windows(driver, at, windows, took) }
      ensure
        @servers.each { |server| server.signal("CONT") }
      end
    end

    def ratio = [@slice_ns / @stop_ns, 1].max

    def window(at, epoch)
      @servers[1 - at].signal("STOP")
      @servers[at].signal("CONT")
      from = ns - epoch
      sleep @stop_ns / 1e9
      @servers[at].signal("STOP")
      [at, from, ns - epoch]
    end

    def of_windows(driver, at, windows, took)
      own = windows.select { |index, _, _| index == at }
      ends = times(driver, at)
      rates = own.each_slice(ratio).map do |some|
        some.sum { |_, from, to| ends.count { |_, _, done| done.between?(from, to) } } * 1e9 /
          some.sum { |_, from, to| to - from }
      end
      within = ends.select { |_, sent, done| done <= own.last.last && sent >= own.first[1] }
      { rates:, took_s: took / 2, times: within.map { |_, sent, done| running(own, sent, done) } }
    end

    # ns of [sent, done] in which the server ran.
    def running(own, sent, done)
      own.sum { |_, from, to| [[to, done].min - [from, sent].max, 0].max }
    end

    def times(driver, at)
      fields = %i[due_ns sent_ns done_ns error]
      driver.recording(at).each_row(fields).filter_map do |due_ns, sent_ns, done_ns, error|
        [due_ns, due_ns + sent_ns, due_ns + done_ns] if error.zero?
      end
    end

    def row(rounds, truth, long, length_ns)
      rates = rounds.flat_map { |round| round[:rates] }
      mean = rates.sum / rates.size
      deviation = Math.sqrt(rates.sum { |rate| (rate - mean)**2 } / (rates.size - 1)) / mean
      second = [@slice_ns, length_ns].max / 1e9
      [((mean / truth) - 1) * 100, deviation * Math.sqrt(second) * 100,
       rounds.sum { |round| round[:took_s] } / (rates.size * second),
       *[0.5, 0.99].map { |share| quantile(rounds, share) / quantile(long, share) }]
    end

    def quantile(rounds, share)
      all = rounds.flat_map { |round| round[:times] }.sort
      all[(share * (all.size - 1)).round].to_f
    end

    def now = ns / 1e9

    def ns = ::Process.clock_gettime(::Process::CLOCK_MONOTONIC, :nanosecond)
  end

  app, path, connections, slice_s, stop_s, *settings = ARGV
  app ||= "puma-6"
  connections = Integer(connections || 32)
  settings = %w[puma:1x5 puma:2x1] if settings.empty?
  options = settings.map { |notation| { app:, notation:, path: path || "/cpu/15", connections: } }
  AgreementServer.with(**options.first) do |one|
    AgreementServer.with(**options.last) do |other|
      slice_ns, stop_ns = [slice_s || 0.75, stop_s || 0.25].map { |text| (Float(text) * 1e9).to_i }
      rows = StoppedServers.new([one, other], connections:, slice_ns:, stop_ns:).call
      puts format("%-20s%8s%8s%8s%8s%8s", "", "bias %", "sd %", "s/s", "p50", "p99")
      [one, other].zip(rows) do |server, methods|
        methods.zip(%w[slices stopped]) do |values, name|
          puts format("%-20s%8.1f%8.1f%8.2f%8.2f%8.2f", "#{server} #{name}", *values)
        end
      end
    end
  end
end

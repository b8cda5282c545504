# frozen_string_literal: true

# How wrong and how noisy is the rate of one slice, by how it is counted? Simulates servers of P
# processes, a core each, with C threads each, that share the core while they compute; N
# connections, spread over the processes as given; a request waits, then computes, and both times
# vary. Each slice begins with an idle server, and after its time nothing more is sent.
#
#   drained   all responses / time of the last one
#   plain     responses in T / T
#   fraction  as plain, requests in flight in part, by the share of their time
#   edges     as Load::StepResult#span_ns
#
# Slices and edges are as long as Cohort::Schedule makes them. Prints the bias and, in parentheses,
# the standard deviation of one slice, in % of the rate of a long load, and how much longer a slice
# takes until its last response. Then, of 1000 runs of six slices each, how many the check of
# Little's law finds fault with: as they are, and where the rate is wrong by a tenth and by a fifth.
#
#     ruby benchmark/slices.rb [slices]

require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # A closed loop on such a server.
  class SimulatedServer
    Job = Struct.new(:connection, :sent_s, :wait_s, :cpu_s)
    LEFT_S = 1e-9

    def initialize(spread:, threads:, cpu_s:, wait_s:, variation:, random:)
      @spread = spread
      @threads = threads
      @cpu_s = cpu_s
      @wait_s = wait_s
      @variation = variation
      @random = random
    end

    # [[sent, done] in s of each request, when a connection first had nothing more to send].
    def slice(length_s)
      processes = @spread.max + 1
      @active = Array.new(processes) { [] }
      @queues = Array.new(processes) { [] }
      @spread.each_index.to_a.shuffle(random: @random).each { |connection| send(connection, 0.0) }
      requests = []
      now = 0.0
      idle_s = nil
      until @active.all?(&:empty?)
        now += advance
        finished.each do |job|
          requests << [job.sent_s, now]
          if now < length_s then send(job.connection, now)
          else idle_s ||= now
          end
          fill(@spread[job.connection])
        end
      end
      [requests, idle_s]
    end

    private

    def send(connection, now)
      @queues[@spread[connection]] << [connection, now]
      fill(@spread[connection])
    end

    def fill(process)
      while @active[process].size < @threads && (connection, sent_s = @queues[process].shift)
        @active[process] << Job.new(connection, sent_s, vary(@wait_s), vary(@cpu_s))
      end
    end

    def vary(mean_s)
      normal = Math.sqrt(-2 * Math.log(1 - @random.rand)) * Math.cos(2 * Math::PI * @random.rand)
      mean_s * [1 + (@variation * normal), 0.2].max
    end

    # To the next end of a wait or of a request.
    def advance
      step = @active.flat_map do |jobs|
        computing = jobs.count { |job| job.wait_s <= 0 }
        jobs.map { |job| job.wait_s.positive? ? job.wait_s : job.cpu_s * computing }
      end.min.clamp(LEFT_S, nil)
      @active.each do |jobs|
        computing = jobs.count { |job| job.wait_s <= 0 }
        waiting, others = jobs.partition { |job| job.wait_s.positive? }
        others.each { |job| job.cpu_s -= step / computing }
        waiting.each { |job| job.wait_s = job.wait_s - step > LEFT_S ? job.wait_s - step : 0 }
      end
      step
    end

    def finished
      ended = @active.flatten.select { |job| job.wait_s <= 0 && job.cpu_s <= LEFT_S }
      @active.each { |jobs| jobs.reject! { |job| ended.include?(job) } }
      ended
    end
  end

  # Requests of a long load, about.
  LONG = 10_000

  # One row: a server and its connections.
  Case = Struct.new(:name, :spread, :threads, :cpu_s, :wait_s, keyword_init: true) do
    # Prints it for service times that vary by the given share.
    def print(variation, slices)
      server = SimulatedServer.new(spread:, threads:, cpu_s:, wait_s:, variation:,
                                   random: Random.new(1))
      rate = long_rate(server)
      schedule = schedule(rate)
      length_s = schedule.slice_ns / 1e9
      *ways, whole = errors(server, rate, schedule, slices)
      cells = ways.map { |bias, sd| format("%+.1f (%.1f)", bias, sd) }
      puts format("| %s | %d ms | %s | x %.2f |", name, 1000 * length_s, cells.join(" | "),
                  1 + (whole.first / 100))
    end

    # How many of `runs` the check of Little's law finds fault with, for each factor that their
    # rates are wrong by.
    def found(variation, runs, factors)
      server = SimulatedServer.new(spread:, threads:, cpu_s:, wait_s:, variation:,
                                   random: Random.new(2))
      schedule = schedule(long_rate(server))
      each = Array.new(runs) { Array.new(SLICES) { measured(server, schedule) } }
      factors.map { |factor| each.count { |slices| fault?(slices, factor) } }
    end

    private

    SLICES = 6

    # As Load::StepResult has it.
    def measured(server, schedule)
      requests, idle_s = server.slice(schedule.slice_ns / 1e9)
      edge_s = [schedule.edge_ns / 1e9, idle_s / 2].min
      times = requests.map { |sent, done| done - sent }
      { block: 0, good: requests.size, errors: {}, wall_ns: requests.map(&:last).max * 1e9,
        loaded_ns: idle_s * 1e9, in_use_ns: spread.size * idle_s * 1e9, turn_ns: 0,
        service_sum_ns: times.sum * 1e9, max_ns: times.max * 1e9, driver_cpu_ns: 0,
        span_ns: requests.size * 1e9 / edged(requests, idle_s, edge_s) }
    end

    def fault?(slices, factor)
      slices = slices.map { |slice| { **slice, span_ns: slice[:span_ns] / factor } }
      found = Analysis::Checks.fetch("little_law").new.call(
        { slices:, connections: { asked: spread.size }, threads: 1,
          attested: { workers: processes, threads: } },
      )
      %i[warn bad].include?(found.severity)
    end

    def processes = spread.max + 1

    def long_rate(server)
      most = [processes / cpu_s, at_a_time / (wait_s + cpu_s)].min
      from_s, until_s = 0.05 * LONG / most, LONG / most
      requests, = server.slice(until_s)
      requests.count { |_, done| done.between?(from_s, until_s) } / (until_s - from_s)
    end

    def at_a_time = [spread.size, threads * processes].min

    def schedule(rate)
      waiting = at_a_time < spread.size ? spread.size : 0
      Cohort::Schedule.new(orders: [%w[a]], rates: { "a" => rate },
                           crowds: { "a" => [at_a_time, waiting] })
    end

    def errors(server, rate, schedule, slices)
      length_s = schedule.slice_ns / 1e9
      figures = Array.new(slices) do
        requests, idle_s = server.slice(length_s)
        edge_s = [schedule.edge_ns / 1e9, idle_s / 2].min
        [drained(requests), plain(requests, length_s), fraction(requests, length_s),
         edged(requests, idle_s, edge_s), requests.map(&:last).max / length_s * rate]
      end
      figures.transpose.map { |values| error(values, rate) }
    end

    def drained(requests) = requests.size / requests.map(&:last).max

    def plain(requests, length_s) = requests.count { |_, done| done <= length_s } / length_s

    def fraction(requests, length_s)
      requests.sum do |sent, done|
        done <= length_s ? 1 : [(length_s - sent) / (done - sent), 0].max
      end / length_s
    end

    def edged(requests, idle_s, edge_s)
      counted = requests.sum do |_, done|
        inside = [done, idle_s - done].min
        next 0 if inside.negative?
        next 1 if inside >= edge_s

        share = inside / edge_s
        share * share * (3 - (2 * share))
      end
      counted / (idle_s - edge_s)
    end

    def error(values, rate)
      mean = values.sum / values.size
      deviation = Math.sqrt(values.sum { |value| (value - mean)**2 } / values.size)
      [100 * ((mean / rate) - 1), 100 * deviation / rate]
    end
  end

  # "2x5", connections, ms waiting, ms computing, and the connections of each process, if not equal.
  def self.case_of(server, connections, wait_ms, cpu_ms, *shares)
    processes, threads = server.split("x").map(&:to_i)
    spread = shares.each_with_index.flat_map { |share, process| [process] * share }
    spread = Array.new(connections) { |index| index % processes } if spread.empty?
    uneven = ", #{shares.join(' and ')} connections" if shares.any?
    Case.new(name: "#{server}#{uneven} | #{connections} | #{wait_ms} + #{cpu_ms}", spread:,
             threads:, cpu_s: cpu_ms / 1e3, wait_s: wait_ms / 1e3)
  end

  CASES = [
    ["1x5", 1, 0, 43], ["1x5", 4, 0, 1], ["1x5", 4, 0, 15], ["1x5", 4, 0, 43],
    ["1x5", 5, 0, 300], ["1x16", 16, 0, 15], ["1x16", 16, 0, 43], ["1x16", 16, 0, 300],
    ["2x5", 8, 0, 43, 5, 3], ["2x1", 2, 0, 60], ["1x1", 4, 0, 60], ["1x1", 4, 10, 5],
    ["1x5", 16, 0, 15], ["2x1", 16, 0, 15, 12, 4], ["2x5", 32, 0, 43, 20, 12],
    ["1x5", 5, 200, 1], ["1x5", 16, 200, 1],
  ].map { |description| case_of(*description) }

  slices = (ARGV[0] || 100).to_i
  [0.02, 0.3].each do |variation|
    puts "", "times vary by #{(100 * variation).round} %", "",
         "| server | N | ms | slice | drained | plain | fraction | edges | to the last response |",
         "|---|---|---|---|---|---|---|---|---|"
    CASES.each { |one| one.print(variation, slices) }
  end

  RUNS = 1000
  FACTORS = [1, 0.9, 0.8].freeze

  puts "", "Little's law, faults found in #{RUNS} runs: rates right, wrong by -10 %, by -20 %"
  [0.02, 0.3, 0.7].each do |variation|
    puts "times vary by #{(100 * variation).round} %"
    CASES.drop(1).each do |one|
      puts format("%-44s%s", one.name, one.found(variation, RUNS, FACTORS).join("  "))
    end
  end
end

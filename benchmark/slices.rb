# frozen_string_literal: true

# How wrong and how noisy is the rate of one slice, by how it is counted? Simulates servers of P
# processes, a core each, with C threads each, of which one computes at a time, for 100 ms at most
# while others want to, as in Ruby; N connections, spread over the processes as given; a request
# waits, then computes, and both times vary. Each slice begins with an idle server, and after its
# time nothing more is sent. A thread that has served a request lets the others compute, unless it
# goes on with the next one that waits until its time is over (Puma 8 does now and then). A process
# may get less than its core, or lose it to others now and then, and have a thread of its own that
# always computes.
#
#   drained    all responses / time of the last one
#   plain      responses in T / T
#   fraction   as plain, requests in flight in part, by the share of their time
#   whole      as edges, but from the beginning on
#   edges      as Load::StepResult#span_ns
#   staggered  as edges, of a slice whose first requests are spread over the time of a bunch
#   defined    as edges, or as Cohort::Spread#computed_spans_ns where the processes computed most of
#              the time, or waited for a core; six slices decide it together
#
# Slices and edges are as long as Cohort::Schedule makes them. Prints the bias and, in parentheses,
# the standard deviation of one slice, in % of the rate of a long load, and how much longer a slice
# takes until its last response. Then, of 1000 runs of six slices each, how many the check of
# Little's law finds fault with: as they are, and where the rate is wrong by a tenth and by a fifth.
#
#     ruby benchmark/slices.rb [slices] [runs]

require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # A closed loop on such a server.
  class SimulatedServer
    Job = Struct.new(:connection, :sent_s, :cpu_s)
    TURN_S = 0.1

    # Its threads, those that are idle, what waits for one, and what wants to compute.
    Worker = Struct.new(:idle, :backlog, :ready, :busy, :left_s, :spent_s, :speed, :until_s, :taken)

    # speeds: of a core, what each process gets. taken_s: for how long others take its core, and for
    # how long they don't, on average. background: does a thread of the first always compute?
    def initialize(spread:, threads:, cpu_s:, wait_s:, variation:, random:, goes_on: false,
                   speeds: nil, taken_s: nil, background: false)
      @spread = spread
      @goes_on = goes_on
      @speeds = speeds || Array.new(spread.max + 1, 1)
      @background = background
      @taken_s = taken_s
      @threads = threads
      @cpu_s = cpu_s
      @wait_s = wait_s
      @variation = variation
      @random = random
    end

    # [[sent, done] in s of each request, when a connection first had nothing more to send, CPU time
    # until the first response, until then, and until the last one, time of waiting for a core].
    def slice(length_s, spread_over_s: 0)
      @workers = @speeds.map { |speed| Worker.new(@threads, [], [], false, 0, 0, speed, 0, []) }
      @waited_s = 0
      @events = []
      woken(0, Job.new(0, 0, Float::INFINITY)) if @background
      @spread.each_index.to_a.shuffle(random: @random).each_with_index do |connection, number|
        plan(spread_over_s * number / @spread.size, :sent, connection)
      end
      requests = []
      idle_s = nil
      spent_s = []
      open = @spread.size
      while (event = @events.shift)
        now, kind, what = event
        done = send(kind, now, what)
        next unless kind == :computed && done

        requests << [what.sent_s, now]
        spent_s[0] ||= spent_by(now)
        if now < length_s then sent(now, what.connection)
        else
          idle_s ||= now
          spent_s[1] ||= spent_by(now)
          break if (open -= 1).zero?
        end
        take(now, worker(what))
      end
      [requests, idle_s, [*spent_s, spent_by(now)], @waited_s]
    end

    private

    def spent_by(now)
      @workers.sum do |one|
        one.spent_s - (one.speed * ([one.until_s - now, 0].max - lost(one, now)))
      end
    end

    # What others take of its core from now until its turn ends.
    def lost(worker, now)
      worker.taken.sum { |from, to| [[to, worker.until_s].min - [from, now].max, 0].max }
    end

    # When it will have had its core for so long.
    def later(worker, now, length_s)
      return now + length_s unless @taken_s

      takings(worker, now + (20 * (length_s + @taken_s.sum))).each do |from, to|
        next if to <= now
        break if from >= now + length_s

        length_s -= [from - now, 0].max
        now = to
      end
      now + length_s
    end

    def takings(worker, until_s)
      for_s, between_s = @taken_s
      while (worker.taken.last&.last || 0) < until_s
        first = worker.taken.empty? && @random.rand < for_s / @taken_s.sum
        from = (worker.taken.last&.last || 0) + (first ? 0 : exponential(between_s))
        worker.taken << [from, from + exponential(for_s)]
      end
      worker.taken.shift while worker.taken.first.last < worker.until_s - 1
      worker.taken
    end

    def exponential(mean) = -mean * Math.log(1 - @random.rand)

    def plan(at_s, *what)
      place = @events.bsearch_index { |event| event.first > at_s } || @events.size
      @events.insert(place, [at_s, *what])
    end

    def worker(job) = @workers[@spread[job.connection]]

    def sent(now, connection)
      job = Job.new(connection, now, vary(@cpu_s))
      worker(job).backlog << job
      take(now, worker(job))
    end

    def take(now, worker)
      while worker.idle.positive? && (job = worker.backlog.shift)
        worker.idle -= 1
        @wait_s.zero? ? woken(now, job) : plan(now + vary(@wait_s), :woken, job)
      end
    end

    def woken(now, job)
      worker(job).ready << job
      compute(now, worker(job))
    end

    def compute(now, worker)
      return if worker.busy || worker.ready.empty?

      worker.busy = true
      worker.left_s = TURN_S
      run(now, worker, worker.ready.shift)
    end

    def run(now, worker, job)
      alone = worker.ready.empty? && job.cpu_s.finite?
      turn_s = alone ? job.cpu_s : [job.cpu_s, worker.left_s].min
      job.cpu_s -= turn_s
      worker.left_s -= turn_s
      worker.spent_s += turn_s
      worker.until_s = later(worker, now, turn_s / worker.speed)
      @waited_s += worker.until_s - now - (turn_s / worker.speed)
      plan(worker.until_s, :computed, job)
    end

    # Is it done, or only its turn?
    def computed(now, job)
      worker = worker(job)
      done = job.cpu_s <= 0
      if done && @goes_on && worker.left_s.positive? && (waits = worker.backlog.shift)
        run(now, worker, waits)
      else
        worker.busy = false
        done ? worker.idle += 1 : worker.ready << job
        compute(now, worker)
      end
      done
    end

    def vary(mean_s)
      normal = Math.sqrt(-2 * Math.log(1 - @random.rand)) * Math.cos(2 * Math::PI * @random.rand)
      mean_s * [1 + (@variation * normal), 0.2].max
    end
  end

  # Requests of a long load, about.
  LONG = 10_000

  # One row: a server and its connections.
  Case = Struct.new(:name, :spread, :threads, :cpu_s, :wait_s, :more, keyword_init: true) do
    # Prints it for service times that vary by the given share.
    def print(variation, slices)
      server = server(variation, 1)
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
      server = server(variation, 2)
      schedule = schedule(long_rate(server))
      each = Array.new(runs) { measured(server, schedule) }
      factors.map { |factor| each.count { |slices| fault?(slices, factor) } }
    end

    private

    SLICES = 6

    def server(variation, seed)
      SimulatedServer.new(spread:, threads:, cpu_s:, wait_s:, variation:,
                          random: Random.new(seed), **more)
    end

    # Slices of a trial as the store has them.
    def measured(server, schedule)
      runs = Array.new(SLICES) { server.slice(schedule.slice_ns / 1e9) }
      runs.zip(defined(runs, schedule.edge_ns / 1e9)).map do |(requests, idle_s), rate|
        times = requests.map { |sent, done| done - sent }
        { block: 0, good: requests.size, errors: {}, wall_ns: requests.map(&:last).max * 1e9,
          loaded_ns: idle_s * 1e9, in_use_ns: spread.size * idle_s * 1e9, turn_ns: 0,
          service_sum_ns: times.sum * 1e9, max_ns: times.max * 1e9, driver_cpu_ns: 0,
          span_ns: requests.size * 1e9 / rate }
      end
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
      got = more[:taken_s] ? 1 - (more[:taken_s].first / more[:taken_s].sum) : 1
      most = [got * (more[:speeds]&.sum || processes) / cpu_s, at_a_time / (wait_s + cpu_s)].min
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
      edge_s = schedule.edge_ns / 1e9
      figures = Array.new(slices) { server.slice(length_s) }.each_slice(SLICES).flat_map do |runs|
        runs.zip(defined(runs, edge_s)).map do |(requests, idle_s), by_definition|
          [drained(requests), plain(requests, length_s), fraction(requests, length_s),
           edged(requests, idle_s, edge_s, quiet: 0), edged(requests, idle_s, edge_s),
           edged(*server.slice(length_s, spread_over_s: at_a_time / rate).first(2), edge_s),
           by_definition, requests.map(&:last).max / length_s * rate]
        end
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

    # quiet: the share of an edge that does not count at the beginning.
    def edged(requests, idle_s, edge_s, quiet: 1 / 4r)
      edge_s = [edge_s, idle_s * 4 / 9].min
      begin_s = edge_s * quiet
      counted = requests.sum { |_, done| weight([done - begin_s, idle_s - done].min / edge_s) }
      counted / (idle_s - begin_s - edge_s)
    end

    # Rates of the slices of a trial.
    def defined(runs, edge_s)
      pids = [*0...processes]
      spans = Cohort::Spread.new(watched: pids, workers: pids).computed_spans_ns(
        runs.map { |run| result(*run.first(3)) }, waited_ns: runs.sum(&:last) * 1e9
      )
      runs.zip(spans).map do |(requests, idle_s), span_ns|
        span_ns ? requests.size * 1e9 / span_ns : edged(requests, idle_s, edge_s)
      end
    end

    # As the driver gives it.
    def result(requests, idle_s, spent_s)
      pace = (spent_s[1] - spent_s[0]) / (idle_s - requests.first.last) # NaN if no time is left
      Load::StepResult.new(
        errors: {}, good: requests.size, loaded_ns: (idle_s * 1e9).round,
        cpu_ns: spent_s[2] * 1e9, loaded_cpu_ns: (pace * idle_s * 1e9 if pace.finite?),
        processes_cpu_ns: [spent_s[2] * 1e9 / processes] * processes, # only that they serve matters
        connections: { asked: spread.size, opened: spread.size > at_a_time ? spread.size : 0 }
      )
    end

    def weight(share)
      return 0 if share.negative?
      return 1 unless share < 1 # NaN: at the end of a time without edges

      share < 0.5 ? 2 * share * share : 1 - (2 * ((1 - share)**2))
    end

    def error(values, rate)
      mean = values.sum / values.size
      deviation = Math.sqrt(values.sum { |value| (value - mean)**2 } / values.size)
      [100 * ((mean / rate) - 1), 100 * deviation / rate]
    end
  end

  # "2x5", connections, ms waiting, ms computing, and the connections of each process, if not equal.
  # more: options of SimulatedServer; note: what they are.
  def self.case_of(server, connections, wait_ms, *numbers, note: nil, **more)
    cpu_ms, *shares = numbers
    processes, threads = server.split("x").map(&:to_i)
    spread = shares.each_with_index.flat_map { |share, process| [process] * share }
    spread = Array.new(connections) { |index| index % processes } if spread.empty?
    uneven = ", #{shares.join(' and ')} connections" if shares.any?
    name = "#{server}#{uneven}#{", #{note}" if note}"
    Case.new(name: "#{name} | #{connections} | #{wait_ms} + #{cpu_ms}", spread:, threads:,
             cpu_s: cpu_ms / 1e3, wait_s: wait_ms / 1e3, more:)
  end

  CASES = [
    ["1x5", 1, 0, 43], ["1x5", 4, 0, 1], ["1x5", 4, 0, 15], ["1x5", 4, 0, 43],
    ["1x5", 5, 0, 300], ["1x16", 16, 0, 15], ["1x16", 16, 0, 43], ["1x16", 16, 0, 300],
    ["2x5", 8, 0, 43, 5, 3], ["2x1", 2, 0, 60], ["1x1", 4, 0, 60], ["1x1", 4, 10, 5],
    ["1x5", 16, 0, 15], ["2x1", 16, 0, 15, 12, 4], ["2x5", 32, 0, 43, 20, 12],
    ["1x5", 5, 200, 1], ["1x5", 16, 200, 1], ["1x5", 16, 0, 60], ["1x5", 4, 10, 5],
    ["1x5", 5, 50, 1], ["1x8", 8, 50, 5], ["1x16", 32, 50, 3], ["1x16", 10, 20, 2],
    ["1x5", 4, 10, 15], ["1x5", 5, 20, 15], ["1x5", 4, 30, 43], ["1x16", 16, 90, 43],
    ["1x5", 4, 100, 20],
  ].map { |description| case_of(*description) } + [
    ["1x5", 16, 0, 15], ["1x5", 16, 0, 60], ["1x5", 64, 0, 15], ["2x5", 32, 0, 43, 20, 12],
    ["1x5", 16, 10, 15], ["1x5", 16, 0, 9], ["1x5", 16, 0, 5],
  ].map { |description| case_of(*description, note: "goes on", goes_on: true) } + [
    ["1x5", 16, 0, 15, { speeds: [0.9], goes_on: true, note: "goes on, 90 % of its core" }],
    ["2x5", 16, 0, 15, 8, 8, { speeds: [1, 0.9], note: "the second has 90 % of its core" }],
    ["2x5", 64, 0, 15, 40, 24, { speeds: [1, 0.62], note: "the second has 62 % of its core" }],
    ["2x5", 256, 0, 15, 170, 86, { speeds: [1, 0.5], note: "the second has half of its core" }],
    ["1x5", 16, 0, 15, { taken_s: [0.005, 0.02], goes_on: true,
                         note: "goes on, others take a fifth of its core" }],
    ["1x5", 16, 0, 15, { taken_s: [0.006, 0.014], goes_on: true,
                         note: "goes on, others take three tenths of its core" }],
    ["1x5", 4, 0, 43, { taken_s: [0.3, 0.6], note: "others take a third, 0.3 s at a time" }],
    ["1x5", 4, 50, 15, { background: true, note: "a thread always computes" }],
    ["1x5", 16, 0, 15, { background: true, note: "a thread always computes" }],
  ].map { |*description, options| case_of(*description, **options) }

  slices = (ARGV[0] || 100).to_i
  [0.02, 0.3].each do |variation|
    puts "", "times vary by #{(100 * variation).round} %", "",
         "| server | N | ms | slice | drained | plain | fraction | whole | edges | staggered | " \
         "defined | to the last response |", "|---|---|---|---|---|---|---|---|---|---|---|---|"
    CASES.each { |one| one.print(variation, slices) }
  end

  RUNS = (ARGV[1] || 1000).to_i
  FACTORS = [1, 0.9, 0.8].freeze

  puts "", "Little's law, faults found in #{RUNS} runs: rates right, wrong by -10 %, by -20 %"
  [0.02, 0.3, 0.7].each do |variation|
    puts "times vary by #{(100 * variation).round} %"
    CASES.drop(1).each do |one|
      puts format("%-76s%s", one.name, one.found(variation, RUNS, FACTORS).join("  "))
    end
  end
end

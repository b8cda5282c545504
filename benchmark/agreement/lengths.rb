# frozen_string_literal: true

# Does a request cost a server more in the slices of a run than in a longer load? A server of each
# variant, all on one core, is loaded in turns, as often as ROUNDS says and in random order: in
# slices of half a second, for three seconds by the same driver, and for three seconds by wrk.
# Prints the CPU time of a request and, with its 95 % interval, how many times that of the longer
# load in the same round it is. (wrk leaves out the requests in progress at its end.)
#
#     ruby benchmark/agreement/lengths.rb FOLDER PATH ROUNDS VARIANT [VARIANT ...] [NAME=value ...]

require_relative "server"
require_relative "row"

module Mohs
  # The servers, and what their requests cost by the kind of load.
  class AgreementLengths
    # Seconds of each.
    KINDS = { slices: 0.5, long: 3, wrk: 3 }.freeze
    CONNECTIONS = 4
    WARM_UP_S = 20

    Side = Struct.new(:server, :driver, :costs)

    #: (String, String, Array[String], Hash[String, String]) -> void
    def initialize(folder, path, variants, env)
      @folder = File.expand_path(folder)
      @path = path
      @variants = variants
      @env = env
      @cpus = Process::CpuSet.plan
      @sides = []
    end

    #: (Integer) -> void
    def call(rounds)
      with_sides(@variants) do
        @sides.each { |side| drive(side, WARM_UP_S) }
        rounds.times { round }
        @sides.product(KINDS.keys) { |side, kind| puts line(side, kind) }
      end
    end

    private

    def with_sides(names, &)
      return yield if names.empty?

      AgreementServer.with(app: @folder, notation: names.first, path: @path, env: @env,
                           connections: CONNECTIONS, cpus: @cpus[:server]) do |server|
        driver = Drivers.fetch("native").new(targets: [server.target], cpus: @cpus[:driver],
                                             paced: true)
        @sides << Side.new(server, driver, Hash.new { |costs, kind| costs[kind] = [] })
        with_sides(names.drop(1), &)
      ensure
        driver&.close
      end
    end

    def round
      KINDS.to_a.shuffle.each do |kind, seconds|
        sides = @sides * (KINDS[:long] / seconds).to_i
        spent = sides.shuffle.map { |side| [side, *cost(side, kind)] }.group_by(&:first)
        spent.each do |side, all|
          side.costs[kind] << (all.sum { |_, _, ns| ns } / 1e6 / all.sum { |_, good, _| good })
        end
      end
    end

    # [Responses, CPU time in ns.]
    def cost(side, kind)
      pids = side.server.trial.pids
      before = Probes::Cpu.tree_ns(pids)
      good = kind == :wrk ? wrk(side) : drive(side, KINDS.fetch(kind))
      [good, Probes::Cpu.tree_ns(pids) - before]
    end

    def drive(side, seconds)
      step = Load::Step.new(targets: [0], duration_ns: (seconds * 1_000_000_000).to_i)
      side.driver.run([step]).first.good
    end

    def wrk(side)
      output = Process::CpuSet.keep_to(@cpus[:driver]) do
        AgreementRow.capture("wrk", "-t1", "-c#{CONNECTIONS}", "-d#{KINDS[:wrk]}s",
                             "--timeout", "60s", side.server.url)
      end
      output[/(\d+) requests in/, 1].to_i
    end

    def line(side, kind)
      format("%-30s %-6s  %8.2f ms%s", side.server, kind, Stats::Center.mean(side.costs[kind]),
             (ratio(side, kind) unless kind == :long))
    end

    def ratio(side, kind)
      ratios = side.costs[kind].zip(side.costs[:long]).map { |pair| pair.reduce(:/) }
      ratio = Stats::Interval.of_positive(ratios)
      format("  %.3f [%.3f, %.3f]", ratio.value, ratio.low, ratio.high)
    end
  end

  folder, path, rounds, *others = ARGV
  abort "ruby benchmark/agreement/lengths.rb FOLDER PATH ROUNDS VARIANT ... [NAME=value ...]" unless
    others.any?
  env, variants = others.partition { |one| one.match?(/\A[A-Z_]+=/) }
  env = env.to_h { |one| one.split("=", 2) }
  AgreementLengths.new(folder, path, variants, env).call(rounds.to_i)
end

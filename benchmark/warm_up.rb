# frozen_string_literal: true

# Is a server warm when mohs says so? It is warmed up by mohs's rule, measured in mirrored slices
# beside CRuby, loaded by wrk until it has had ten minutes of load, and measured again in the same
# way: the same server, so nothing but its warmth differs. Prints the curve, and both measurements:
# requests/s, CPU time per request, and both relative to CRuby's, which never gets faster and shows
# what the machine does (docs/interpreters.md, When it is warm). On a shared machine CPU time is the
# figure to compare.
#
#     ruby benchmark/warm_up.rb APP VARIANT [seconds]

require "tmpdir"
require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # One variant and CRuby, on the same cores, loaded in turns.
  class WarmUpBenchmark
    CRUBY = "3.4.5"
    CONNECTIONS = 4
    # The load of a line of the curve.
    WINDOW_S = 20
    # Slices of each server in a measurement, and the time of one.
    SLICES = 40
    SLICE_NS = 500_000_000
    COLUMNS = ["loaded, s", "requests", "requests/s", "CPU µs", "compilers"].freeze

    # A stretch of load.
    Turn = Struct.new(:requests, :seconds, :cpu_ns, :compiler_ns, keyword_init: true) do
      def per_s = requests / seconds
      def cpu_us = cpu_ns / 1e3 / requests
      def +(other) = self.class.new(**to_h.merge(other.to_h) { |_, one, two| one + two })
    end

    #: (app: String, variant: String, seconds: Integer) -> void
    def initialize(app:, variant:, seconds:)
      @app = File.join(Mohs.root, "apps", app)
      @variant = variant
      @seconds = seconds
      @cpus = Process::CpuSet.plan
      @loaded_s = 0.0
      @requests = 0
    end

    #: () -> void
    def call
      with_servers do |engine, cruby|
        @engine, @cruby = engine, cruby
        warm(cruby)
        puts "| #{COLUMNS.join(' | ')} |", "|#{'--:|' * COLUMNS.size}"
        rule = warm(engine) { |turn| line(turn) }
        puts "#{rule.outcome}: #{rule.to_h}"
        first = measure("then")
        line(wrk(WINDOW_S)) while @loaded_s < @seconds
        last = measure("after #{@loaded_s.round} s of load")
        puts format("then / after: requests/s %.2f, CPU %.2f; relative to CRuby %.2f, %.2f",
                    *first.zip(last).map { |one, other| one / other })
      end
    end

    private

    def line(turn)
      @loaded_s += turn.seconds
      @requests += turn.requests
      puts format("| %d | %d | %.0f | %.1f | %.2f |", @loaded_s, @requests, turn.per_s,
                  turn.cpu_us, turn.compiler_ns.fdiv(turn.cpu_ns))
      $stdout.flush
    end

    # By mohs's rule, with mohs's driver; yields the load of each WINDOW_S.
    def warm(trial)
      rule = Trial::WarmUp.for(trial.setup.engine, jit: trial.attested[:jit])
      window = nil
      rule.compilers(used_ns(trial).last)
      until rule.next.is_a?(Symbol)
        turn = turn(trial) { rule << step(trial, rule, count: rule.next) }
        window = window ? window + turn : turn
        next if window.seconds < WINDOW_S

        yield window if block_given?
        window = nil
      end
      yield window if window && block_given?
      rule
    end

    # One step; what the compilers used is read before its result is taken.
    def step(trial, rule = nil, **amount)
      result = driver(trial).run([Load::Step.new(targets: [0], warm_up: true, **amount)]).first
      rule&.compilers(used_ns(trial).last)
      @good = result.good
      result
    end

    def driver(trial)
      (@drivers ||= {})[trial] ||=
        Drivers.fetch("native").new(targets: [trial.target], cpus: @cpus[:driver], paced: true)
               .tap { |driver| driver.watch(0, trial.lasting) }
    end

    # [requests/s, CPU µs, both relative to CRuby's], of mirrored slices.
    def measure(title)
      turns = Array.new(SLICES / 2) { [@engine, @cruby, @cruby, @engine] }.flatten.map do |trial|
        [trial, turn(trial) { step(trial, duration_ns: SLICE_NS) }]
      end
      mine, others = [@engine, @cruby].map do |trial|
        turns.select { |one, _| one == trial }.map(&:last).reduce(:+)
      end
      figures = [mine.per_s, mine.cpu_us, mine.per_s / others.per_s, mine.cpu_us / others.cpu_us]
      puts format("#{title}: %.0f requests/s, CPU %.1f µs, of CRuby's %.2f and %.2f", *figures)
      $stdout.flush
      figures
    end

    # The block's load; its requests are in @good.
    def turn(trial)
      before = [Clock.mono_ns, *used_ns(trial)]
      yield
      wall_ns, cpu_ns, compiler_ns = [Clock.mono_ns, *used_ns(trial)].zip(before).map { _1 - _2 }
      Turn.new(requests: @good, seconds: wall_ns / 1e9, cpu_ns:, compiler_ns:)
    end

    # CPU time of the server, and of its threads that compile.
    def used_ns(trial)
      compilers = (@compilers ||= {})[trial] ||= Probes::Compilers.new(Rubies::Jvm::COMPILERS)
      [Probes::Cpu.tree_ns(trial.pids), compilers.read(trial.pids).to_i]
    end

    def wrk(seconds)
      url = "http://127.0.0.1:#{@engine.target.port}#{@path}"
      argv = ["taskset", "-c", @cpus[:driver].first.to_s, "wrk", "-t1", "-c#{CONNECTIONS}",
              "-d#{seconds}s", url]
      turn(@engine) do
        out = Process::Capture.call(Process::Command.new(argv:), timeout_s: seconds + 60).stdout
        raise Error, out if out.match?(/Non-2xx/)

        @good = out[/(\d+) requests in/, 1].to_i
      end
    end

    def with_servers
      Dir.mktmpdir("mohs-warm-up") do |folder|
        trials = setups.map.with_index do |setup, id|
          place = Cohort::Layout::Place.new(cpus: @cpus[:server], worker: 0)
          Trial.new(id:, setup:, place:, folder: File.join(folder, id.to_s),
                    spawner: Process::Spawner.new)
        end
        trials.each { |trial| %i[boot attest check].each { |stage| trial.public_send(stage) } }
        yield(*trials)
      ensure
        @drivers&.each_value(&:close)
        trials&.each(&:stop)
      end
    end

    def setups
      app = App::Folder.load(@app)
      requests = app.default_requests
      @path = requests.first.path
      variants = [@variant, CRUBY].map { |text| [nil, Study::Notation.parse("#{text}, puma:1x5")] }
      study = Study::Builder.new(app:).call({ variants:, connections: CONNECTIONS }, requests:)
      study.variants.map do |variant|
        Trial::Setups.new.for(study, variant).tap { |setup| setup.bundle.install }
      end
    end
  end
end

app, variant, seconds = ARGV
Mohs::WarmUpBenchmark.new(app:, variant:, seconds: (seconds || 600).to_i).call

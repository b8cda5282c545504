# frozen_string_literal: true

# What does the probe cost the server that it watches? Each server is compared with itself, so the
# difference contains no spread between boots: in mirrored slices a part of the probe is present or
# absent. "thread": its thread waits and a reading is taken before the slice, or neither. "locks":
# waits for the global VM lock are counted, or not. "all": both. Prints by how much CPU time per
# request and requests/s change, with the 95 % interval over groups of slices (docs/method.md, What
# the probe costs). "lock", for a machine that is too busy for that: what counting waits adds to
# each turn of the lock, and how many turns a request takes.
#
#     ruby benchmark/probe.rb [boots] [groups of four slices a boot] [rows, as in ROWS and LOCKS]

require "tmpdir"
require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # Measures one server after the other, each with the probe switched on and off by a signal.
  class ProbeBenchmark
    # Application, variant, part of the probe.
    ROWS = {
      "hello 3.1.2, thread" => ["hello", "3.1.2", "thread"],
      "hello 3.4.5 --yjit, thread" => ["hello", "3.4.5 --yjit", "thread"],
      "hello 3.4.5 --yjit, locks" => ["hello", "3.4.5 --yjit", "locks"],
      "hello 3.4.5 --yjit, all" => ["hello", "3.4.5 --yjit", "all"],
      "posts 3.1.2, thread" => ["posts", "3.1.2", "thread"],
      "posts 3.4.5 --yjit, all" => ["posts", "3.4.5 --yjit", "all"],
    }.freeze

    LOCKS = {
      "hello 3.4.5 --yjit, lock" => ["hello", "3.4.5 --yjit"],
      "posts 3.4.5 --yjit, lock" => ["posts", "3.4.5 --yjit"],
    }.freeze

    CONNECTIONS = 8
    WARM_UP_S = 4
    SLICE_NS = 200_000_000
    SWITCH_S = 5

    # Loaded after the probe. Switched by WINCH, which Puma does not use; a named file then shows
    # that the switch is done.
    SWITCH = <<~'RUBY'
      module MohsInside
        PART = ENV["MOHS_PART"]
        @on = true

        def self.switch
          @on = !@on
          @on ? listen : silence unless PART == "locks"
          MohsGvlWait.send(@on ? :start : :stop) unless PART == "thread" || !EXTENSION
          say("")
        end

        def self.say(text)
          file = File.join(ENV["MOHS_INSIDE"], "#{Process.pid}.switched")
          File.write("#{file}.new", text)
          File.rename("#{file}.new", file)
        end

        # Rounds without and with the hooks, in turns: the least of each is without disturbance.
        def self.turns
          take = -> { MohsLock.cycles_ns(1000) / 1000.0 }
          rounds = Array.new(100) do
            MohsGvlWait.stop
            without = take.call
            MohsGvlWait.start
            [take.call, without]
          end
          rounds.transpose.map(&:min)
        end

        # Twice: where counting begins, and where it ends.
        def self.look
          if @began_ns.nil?
            MohsLock.start
            @began_ns = cpu_ns
            say("")
          else
            spent_ns = cpu_ns - @began_ns
            say([MohsLock.stop, spent_ns, *turns].join(" "))
          end
        end

        def self.cpu_ns
          Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
        end

        def self.silence
          @thread.kill.join
          File.unlink(File.join(ENV["MOHS_INSIDE"], "#{Process.pid}.ask"))
        end
      end
      if MohsInside::PART == "lock"
        require ENV["MOHS_LOCK"]
        trap("WINCH") { MohsInside.look }
      else
        trap("WINCH") { MohsInside.switch }
      end
    RUBY
    LOCK = File.join(__dir__, "probe/lock.c")

    #: (boots: Integer, groups: Integer, rows: Array[String]) -> void
    def initialize(boots:, groups:, rows:)
      @boots = boots
      @groups = groups
      @rows = rows
      @cpus = Process::CpuSet.plan
    end

    #: () -> void
    def call
      puts "| server, part | groups | CPU a request, % | requests/s, % | a reading |",
           "|---|--:|--:|--:|--:|"
      ROWS.slice(*@rows).each do |name, (app, variant, part)|
        @readings = []
        groups = Array.new(@boots) { with_server(app, variant, part) { measure } }.flatten(1)
        figures = groups.transpose.map { |logs| cell(logs) }
        puts "| #{[name, groups.size, *figures, spent].join(' | ')} |"
        $stdout.flush
      end
      LOCKS.slice(*@rows).each { |name, (app, variant)| puts "#{name}: #{lock(app, variant)}" }
    end

    private

    # What a turn of the lock costs without and with counting, and what that adds to a request.
    def lock(app, variant)
      with_server(app, variant, "lock") do
        load(WARM_UP_S * 1_000_000_000)
        switched
        good = load(WARM_UP_S * 1_000_000_000).good
        taken, cpu_ns, with_ns, without_ns = switched.split.map(&:to_f)
        format("%.0f ns a turn, %.0f with counting; %.1f turns a request; %.2f %% of its CPU time",
               without_ns, with_ns, taken / good, 100 * taken * (with_ns - without_ns) / cpu_ns)
      end
    end

    def with_server(app, variant, part)
      Dir.mktmpdir("mohs-probe") do |folder|
        File.write(switch = File.join(folder, "switch.rb"), SWITCH)
        env = { "RUBYOPT" => "-r#{switch}", "MOHS_PART" => part,
                "MOHS_LOCK" => File.join(folder, "lock.so") }
        place = Cohort::Layout::Place.new(cpus: @cpus[:server], worker: 0)
        trial = Trial.new(id: 0, setup: setup(app, variant, env), folder:, place:,
                          spawner: Process::Spawner.new)
        compile(trial.setup.ruby, env["MOHS_LOCK"]) if part == "lock"
        alone(part) do
          %i[boot attest check].each { |stage| trial.public_send(stage) }
          attend(trial, File.join(folder, "inside"), part)
          yield
        end
      ensure
        @driver&.close
        trial&.stop
      end
    end

    # "lock" needs no idle machine: the least of many rounds is the same on a busy one.
    def alone(part, &)
      part == "lock" ? yield : Process::MachineLock.new.hold(wait: ->(_) {}, &)
    end

    def compile(ruby, path)
      command = ruby.command(script: Probes::Extension::SCRIPT, args: [LOCK, path])
      result = Process::Capture.call(command, timeout_s: Probes::Extension::LIMIT_S)
      raise Error, result.stderr unless result.success?
    end

    def attend(trial, folder, part)
      @reads = part != "locks"
      @folder, @pid = folder, trial.child.pid
      @driver = Drivers.fetch("native").new(targets: [trial.target], cpus: @cpus[:driver])
      @driver.watch(0, [@pid])
      @kernel = Probes::KernelFigures.new
      @on = true
    end

    def setup(app, variant, env)
      app = App::Folder.load(File.join(Mohs.root, "apps", app))
      declaration = { variants: [[nil, Study::Notation.parse("#{variant}, puma:1x5")]],
                      connections: CONNECTIONS, env: }
      study = Study::Builder.new(app:).call(declaration, requests: app.default_requests)
      setup = Trial::Setups.new.for(study, study.variants.first)
      setup.bundle.install
      setup
    end

    # Log ratios with / without of each group: CPU time a request, requests/s.
    def measure
      load(WARM_UP_S * 1_000_000_000)
      Array.new(@groups) do |group|
        order = group.even? ? [true, false, false, true] : [false, true, true, false]
        slices = order.map { |on| [on, slice(on)] }.group_by(&:first)
        with, without = [true, false].map { |on| slices[on].map(&:last) }
        %i[cpu_ns wall_ns].map { |time| each(with, time) - each(without, time) }
                          .then { |cpu, wall| [cpu, -wall] }
      end
    end

    # Log of the mean time per request.
    def each(results, time) = Math.log(results.sum(&time).fdiv(results.sum(&:good)))

    def slice(on)
      switch unless @on == on
      read if on && @reads
      load(SLICE_NS)
    end

    def load(duration_ns) = @driver.run([Load::Step.new(targets: [0], duration_ns:)]).first

    def read
      started = Clock.mono_ns
      @kernel.read([@pid])
      Probes::InsideFigures.new(Probes::Inquiry.new(@folder)).read([@pid]) or raise "no answer"
      @readings << (Clock.mono_ns - started)
    end

    def switch
      switched
      @on = !@on
    end

    # Has the server switch, and returns what it wrote.
    def switched
      ::Process.kill("WINCH", @pid)
      file = File.join(@folder, "#{@pid}.switched")
      deadline = Clock.deadline(SWITCH_S)
      sleep 0.001 until File.exist?(file) || Clock.mono_ns > deadline
      File.read(file).tap { File.unlink(file) }
    end

    # Mean and half of its 95 % interval.
    def cell(logs)
      found = Stats::Interval.of(logs)
      format("%+.2f ± %.2f", 100 * found.value, 50 * (found.high - found.low))
    end

    # Median and longest wall time of a reading.
    def spent
      return "" if @readings.empty?

      middle = Stats::Center.median(@readings)
      format("%.1f ms, at most %.1f", middle / 1e6, @readings.max / 1e6)
    end
  end
end

boots = (ARGV.shift || 5).to_i
groups = (ARGV.shift || 60).to_i
all = Mohs::ProbeBenchmark::ROWS.keys + Mohs::ProbeBenchmark::LOCKS.keys
rows = ARGV.empty? ? all : ARGV
Mohs::ProbeBenchmark.new(boots:, groups:, rows:).call

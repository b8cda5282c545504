# frozen_string_literal: true

# Is a server warm when mohs says so? It is warmed up by mohs's rule, measured in slices that
# alternate with CRuby's, loaded by wrk until it has had ten minutes of load, and measured again in
# the same way: the same server, so nothing but its warmth differs. CRuby never gets faster and
# shows what the machine does: the rate of a warm JVM alone varied by 16 % from one stretch of 2.4 s
# to the next (docs/interpreters.md, When it is warm).
#
#     ruby benchmark/agreement/warm.rb measure [APP] [RUBY] [seconds]
#     ruby benchmark/agreement/warm.rb report
#     ruby benchmark/agreement/warm.rb curves
#
# Each measurement is a line of warm.ndjson beside this file, with its curve; several sessions add
# up. Without APP and RUBY, all that have no line yet are measured. Lines of the kind "curve" are of
# servers that were loaded by mohs's driver alone, and by wrk at the end.

require_relative "server"
require_relative "row"
require_relative "../lines_ledger"

module Mohs
  # Measures servers of one Ruby and application, and compares rows with the truth.
  class AgreementWarm
    LEDGER = LinesLedger.new(File.join(__dir__, "warm.ndjson"))
    APPS = %w[hello posts].freeze
    RUBIES = %w[jruby-9.4 jruby-10 truffleruby-25].freeze
    CRUBY = "3.4.5"
    SECONDS = 600
    # The load of a point of the curve.
    WINDOW_S = 15
    # Slices of each server in a measurement.
    SLICES = 40
    SLICE_NS = 500_000_000
    # How far below the truth a row may be.
    BELOW = 0.10

    # A stretch of load: correct responses, seconds, CPU time of the server, and of its compilers.
    Turn = Struct.new(:good, :seconds, :cpu_ns, :compilers_ns, keyword_init: true) do
      def +(other) = self.class.new(**to_h.merge(other.to_h) { |_, one, two| one + two })
      def per_s = good / seconds
      def cpu_us = cpu_ns / 1e3 / good
    end

    # A server and what loads it.
    Side = Struct.new(:server, :driver, :compilers) do
      def trial = server.trial

      # The result of a step.
      def load(**amount) = driver.run([Load::Step.new(targets: [0], **amount)]).first

      # CPU time, and that of the threads that compile.
      def used_ns = [Probes::Cpu.tree_ns(trial.pids), compilers.read(trial.pids).to_i]

      # The block's load, of which it returns the correct responses.
      def turn
        before = [Clock.mono_ns, *used_ns]
        good = yield
        wall_ns, cpu_ns, compilers_ns = [Clock.mono_ns, *used_ns].zip(before).map { _1 - _2 }
        Turn.new(good:, seconds: wall_ns / 1e9, cpu_ns:, compilers_ns:)
      end

      def slice = turn { load(duration_ns: SLICE_NS).good }
    end

    class << self
      #: (String?, String?, Integer) -> void
      def measure(app, ruby, seconds)
        pairs = app ? [[app, ruby]] : APPS.product(RUBIES) - LEDGER.of("warm").map { key(_1) }
        pairs.each do |pair|
          LEDGER.keep({ kind: "warm", app: pair.first, ruby: pair.last,
                        **new(*pair, seconds).measure, **AgreementRow.origin })
        end
      end

      #: () -> void
      def report
        puts "| app | Ruby | warm after | requests/s | of CRuby's | later, requests/s | " \
             "of CRuby's | then / later |", "|---|---|--:|--:|--:|--:|--:|--:|"
        lines = LEDGER.of("warm")
        lines.each { |line| puts row(line) }
        ratios = lines.filter_map { |line| ratio(line) }
        puts "", "#{ratios.count { |one| one < 1 - BELOW }} of #{ratios.size} are more than " \
                 "#{(BELOW * 100).round} % below."
      end

      # The curves, those of all kinds, as Markdown.
      #: () -> void
      def curves
        LEDGER.all.each do |line|
          puts "", "#{key(line).join(', ')}, #{line['date']}:", "",
               "| seconds of load | requests/s | CPU µs | compilers | of a core |",
               "|--:|--:|--:|--:|--:|"
          line["curve"].each do |loaded_s, per_s, cpu_us, compilers, busy|
            puts format("| %d | %d | %.0f | %.0f %% | %.2f |", loaded_s, per_s, cpu_us,
                        compilers * 100, busy)
          end
          puts "", "wrk at the end: #{line['wrk'].map(&:round).join(', ')}" if line["wrk"]
        end
      end

      private

      def key(line) = line.values_at("app", "ruby")

      def row(line)
        warm = "not by " unless line["outcome"] == "warm"
        rates = %w[row later].flat_map do |name|
          per_s, of_cruby = line[name]
          [per_s ? per_s.round : "no rate", number(of_cruby)]
        end
        cells = [*key(line), "#{warm}#{line['seconds'].round} s", *rates, number(ratio(line))]
        "| #{cells.join(' | ')} |"
      end

      # Both relative to CRuby's; nil without a row.
      def ratio(line) = line["row"] && (line.dig("row", 1) / line.dig("later", 1))

      def number(ratio) = ratio ? format("%.2f", ratio) : ""
    end

    #: (String, String, Integer) -> void
    def initialize(app, ruby, seconds)
      @folder = File.join(Mohs.root, "apps", app)
      @ruby = ruby
      @seconds = seconds
      @cpus = Process::CpuSet.plan
      @loaded_s = 0.0
      @curve = []
    end

    # What the ledger keeps: of the warm-up; [requests/s, of CRuby's] when it was warm (nil: it was
    # not) and later; and the curve: [seconds of load, requests/s, CPU µs per request, the share of
    # the compilers, CPU time by wall time].
    #: () -> Hash[Symbol, untyped]
    def measure
      found = with_side(CRUBY) do |cruby|
        warm(cruby)
        with_side(@ruby) do |side|
          rule = warm(side) { |turn| point(turn) }
          row = compare(side, cruby) if rule.outcome == :warm
          point(wrk(side)) while @loaded_s < @seconds
          { **rule.to_h.slice(:outcome, :requests, :seconds), row:, later: compare(side, cruby) }
        end
      end
      { **found, curve: @curve }
    end

    private

    def with_side(ruby)
      path = App::Folder.load(@folder).default_requests.first.path
      AgreementServer.with(app: @folder, notation: ruby, path:, cpus: @cpus[:server]) do |server|
        driver = Drivers.fetch("native").new(targets: [server.target], cpus: @cpus[:driver],
                                             paced: true)
        driver.watch(0, server.trial.lasting)
        yield Side.new(server, driver, Probes::Compilers.new(Rubies::Jvm::COMPILERS))
      ensure
        driver&.close
      end
    end

    # By mohs's rule; yields the load of each WINDOW_S. From then on it is as a trial is measured.
    def warm(side, &seen)
      rule = Trial::WarmUp.for(side.trial.setup.engine, jit: side.trial.attested[:jit])
      rule.compilers(side.used_ns.last)
      window = nil
      until rule.next.is_a?(Symbol)
        turn = side.turn { warm_step(side, rule) }
        window = window ? window + turn : turn
        next if window.seconds < WINDOW_S

        seen&.call(window)
        window = nil
      end
      seen&.call(window) if window
      begin_measuring(side, rule)
      rule
    end

    def begin_measuring(side, rule)
      Trial::IdleWait.await(rule.settle_s) { side.trial.pids }
      side.trial.warming(rule)
      side.trial.measuring
    end

    # What the compilers have used is read before its result is taken.
    def warm_step(side, rule)
      result = side.load(count: rule.next, warm_up: true)
      rule.compilers(side.used_ns.last)
      rule << result
      result.good
    end

    # In mirrored slices, after each block of which figures are read, as in a run: requests/s, and
    # relative to CRuby's.
    def compare(side, cruby)
      turns = Array.new(SLICES / 2) do |block|
        slices = [side, cruby, cruby, side].map(&:slice)
        [side, cruby].each { |one| one.trial.take_reading(block) }
        slices
      end
      mine, others = [[0, 3], [1, 2]].map do |places|
        turns.flat_map { |four| four.values_at(*places) }.reduce(:+).per_s
      end
      [mine.round(1), (mine / others).round(4)]
    end

    def wrk(side)
      argv = ["taskset", "-c", @cpus[:driver].first.to_s, "wrk", "-t1",
              "-c#{side.server.target.connections}", "-d#{WINDOW_S}s", side.server.url]
      side.turn do
        out = AgreementRow.capture(*argv)
        raise Error, out if out.match?(/Non-2xx/)

        out[/(\d+) requests in/, 1].to_i
      end
    end

    def point(turn)
      @loaded_s += turn.seconds
      @curve << [@loaded_s.round, turn.per_s.round, turn.cpu_us.round(1),
                 turn.compilers_ns.fdiv(turn.cpu_ns).round(3),
                 (turn.cpu_ns / turn.seconds / 1e9).round(2)]
      warn @curve.last.join(" ")
    end
  end

  command, app, ruby, seconds = ARGV
  case command
  when "report" then AgreementWarm.report
  when "curves" then AgreementWarm.curves
  else AgreementWarm.measure(app, ruby, (seconds || AgreementWarm::SECONDS).to_i)
  end
end

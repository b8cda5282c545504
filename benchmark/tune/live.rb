# frozen_string_literal: true

# How good are the recommendations of `mohs tune` in practice? Tunes an application that waits for
# 0, 25, 50 or 75 % of each request, again and again:
#
#     ruby benchmark/tune/live.rb tune 10       tunings, the applications in turn
#     ruby benchmark/tune/live.rb truth 4       longer ones, one per application, with one process
#                                               per core only: under a GVL no other setting can be
#                                               the best
#
# A pick is judged by what all other tunings of the same application found (Rates).
# Goals: 9 of 10 picks within 3 % of the best, the first line with an interval within 60 s, the
# announced time kept within 10 %. Each tuning is a line of live.ndjson beside this file; lines
# already there count, so several sessions add up. `report` prints what is there.

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require "etc"
require "fileutils"
require "json"
require "open3"
require "tmpdir"
require_relative "../lines_ledger"

module Mohs
  # The rates of settings from several tunings, each measured at a different machine speed: the
  # logarithm of a rate is the sum of what its tuning and its setting contribute (least squares, by
  # turns).
  class Rates
    TURNS = 100

    # tunings: { setting => requests/s } of each.
    #: (Array[Hash[String, Float]]) -> void
    def initialize(tunings)
      @logs = tunings.reject(&:empty?)
                     .map { |rates| rates.transform_values { |rate| Math.log(rate) } }
    end

    # What a setting serves as a share of what the best one does; nil if nothing is known.
    #: (String) -> Float?
    def share(name)
      settings = contributions
      Math.exp(settings[name] - settings.values.max) if settings.key?(name)
    end

    private

    def contributions
      settings = @logs.flat_map(&:keys).uniq.to_h { |name| [name, 0.0] }
      TURNS.times do
        speeds = @logs.map { |logs| mean(logs.map { |name, log| log - settings[name] }) }
        settings = settings.to_h { |name, _| [name, of_setting(name, speeds)] }
      end
      settings
    end

    def of_setting(name, speeds)
      both = @logs.zip(speeds).select { |logs, _| logs.key?(name) }
      mean(both.map { |logs, speed| logs[name] - speed })
    end

    def mean(values) = Stats::Center.mean(values)
  end

  # Asks `mohs tune` again and again.
  class LiveTunings
    LEDGER = LinesLedger.new(File.join(__dir__, "live.ndjson"))
    WAITING = [0.0, 0.25, 0.5, 0.75].freeze
    BUDGET_S = { "tune" => 300, "truth" => 600 }.freeze
    THREADS = [1, 2, 3, 5, 8, 16].freeze
    SETTINGS = { "tune" => [], "truth" => ["--settings", THREADS.map { |threads|
      "#{Etc.nprocessors}x#{threads}"
    }.join(",")] }.freeze
    LIMIT = "p90 < 50ms"

    # Duration of a request, without the server's own part.
    REQUEST_S = 0.005
    NEAR = 0.97

    # Computes for so long in CPU time of its thread, whatever the machine does meanwhile.
    APP = <<~RUBY
      computes_s, waits_s = File.read(File.join(__dir__, "times")).split.map(&:to_f)
      clock = -> { Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) }
      run lambda { |_env|
        till = clock.call + computes_s
        nil while clock.call < till
        sleep(waits_s) if waits_s.positive?
        [200, { "content-type" => "text/plain" }, ["done"]]
      }
    RUBY

    #: (String, kind: String, count: Integer) -> void
    def initialize(folder, kind:, count:)
      @folder = folder
      @kind = kind
      @count = count
    end

    #: () -> void
    def call
      (LEDGER.of(@kind).size...@count).each do |index|
        waiting = WAITING[index % WAITING.size]
        keep(waiting, *tune(app(waiting)))
      end
    end

    #: () -> void
    def self.report
      all = %w[tune truth].flat_map { |kind| LEDGER.of(kind) }
      judged = LEDGER.of("tune").map do |one|
        others = (all - [one]).select { |other| other["waiting"] == one["waiting"] }
        share = Rates.new(others.map { |other| other["rates"] }).share(one["pick"])
        puts format("waits %<waiting>3d %%: %<pick>s, %<share>s of the best; first interval " \
                    "after %<first>d s, %<seconds>d s of %<announced>d s announced; others took " \
                    "%<others>d %% of the CPU", others: one["others_cpu"].to_f * 100,
                    waiting: (one["waiting"] * 100).round, pick: one["pick"].inspect,
                    share: share ? format("%.3f", share) : "unknown", first: one["first_s"].to_f,
                    seconds: one["seconds"], announced: one["announced_s"])
        share && share >= NEAR
      end
      puts "#{judged.count(true)} of #{judged.compact.size} within #{((1 - NEAR) * 100).round} %"
    end

    private

    def app(waiting)
      dir = File.join(@folder, "waits#{(waiting * 100).round}")
      FileUtils.mkdir_p(dir)
      File.write(File.join(dir, "config.ru"), APP)
      File.write(File.join(dir, "times"), [(1 - waiting), waiting].map { _1 * REQUEST_S }.join(" "))
      dir
    end

    # Its document, and after how many seconds it first printed an interval.
    def tune(app)
      argv = [File.join(Mohs.root, "bin/mohs"), "tune", "--app", app, "--limit", LIMIT, "--budget",
              "#{BUDGET_S.fetch(@kind)}s", "--json", *SETTINGS.fetch(@kind)]
      began_ns, first_s = Clock.mono_ns, nil
      store = { "MOHS_DATABASE_URL" => File.join(@folder, "mohs.db") }
      Open3.popen3(store, *argv) do |input, out, err, thread|
        input.close
        document = Thread.new { out.read }
        err.each_line do |line|
          first_s ||= (Clock.mono_ns - began_ns) / 1e9 if line.match?(/\[[\d ,.]+\]/)
        end
        raise "mohs tune: #{thread.value}" unless thread.value.success?

        return [JSON.parse(document.value), first_s]
      end
    end

    def keep(waiting, document, first_s)
      rates = document["settings"].to_h { |one| [one["name"], one.dig("rate_per_s", "value")] }
      LEDGER.keep({ kind: @kind, waiting:, pick: document.dig("recommendation", "name"),
                    rates: rates.compact.select { |_, rate| rate.positive? },
                    others_cpu: document.dig("host", "noise", "foreign_cpu_share")&.round(3),
                    first_s: first_s&.round(1),
                    seconds: document["seconds"]&.round, announced_s: BUDGET_S.fetch(@kind) })
    end
  end
end

kind, count = ARGV
if kind == "report"
  Mohs::LiveTunings.report
elsif Mohs::LiveTunings::BUDGET_S.key?(kind)
  Dir.mktmpdir("mohs-benchmark") do |folder|
    Mohs::LiveTunings.new(folder, kind:, count: Integer(count)).call
  end
else
  abort "usage: ruby benchmark/tune/live.rb tune|truth COUNT, or report"
end

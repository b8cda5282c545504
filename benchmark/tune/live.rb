# frozen_string_literal: true

# How good are the recommendations of `mohs tune` in practice? Tunes an application that waits for
# 0, 25, 50 or 75 % of each request, again and again:
#
#     ruby benchmark/tune/live.rb tune 10       tunings, the applications in turn
#     ruby benchmark/tune/live.rb truth 8       longer ones, two per application, with one process
#                                               per core only: under a GVL no other setting can be
#                                               the best
#
# A pick is judged by what all other tunings of the same application found (Verdict), so the more
# there are, the fewer picks are left undecided. Goals: 9 of 10 picks within 3 % of the best, the
# first line with an interval within 60 s, the announced time kept within 10 %. Each tuning is a
# line of live.ndjson beside this file; lines already there count, so several sessions add up.
# `report` prints what is there.

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require "etc"
require "fileutils"
require "tmpdir"
require_relative "../lines_ledger"
require_relative "asked"

module Mohs
  # Whether a setting is within 3 % of the best, by the rates that searches on the boots of other
  # tunings found: { setting => requests/s } for each round of searches. The machine's speed may
  # differ from round to round (Stats::TwoWay). The setting is near the best if it surely is to each
  # other setting, and not if it surely is not to one of them, with a chance of error of 5 %
  # (Bonferroni); else nobody can tell yet.
  class Verdict
    NEAR = 0.97
    ALPHA = 0.05

    #: (String, Array[Hash[String, Float]]) -> void
    def initialize(setting, rounds)
      layout = Stats::TwoWay.new(rounds.map { |one| one.transform_values { Math.log(_1) } })
      others = rounds.flat_map(&:keys).uniq - [setting]
      @leads = others.filter_map do |other|
        layout.difference(other, setting, level: 1 - (ALPHA / others.size))
      end
    end

    # true, false, or nil if nobody can tell.
    #: () -> bool?
    def near?
      return if @leads.empty? || @leads.any? { |lead| lead.low.nil? }
      return false if @leads.any? { |lead| lead.high < Math.log(NEAR) }

      true if @leads.all? { |lead| lead.low >= Math.log(NEAR) }
    end

    # "2 % less than 2x5 [-4, 1]", of the setting that leads by most.
    #: () -> String
    def to_s
      lead = @leads.min_by(&:value) or return "never searched in another tuning"
      percent = [lead.value, lead.low, lead.high].map { |log| (Math.exp(log.to_f) - 1) * 100 }
      format("%+.1f %% beside the best other [%.1f, %.1f]", *percent)
    end
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
        argv = ["--app", app(waiting), "--limit", LIMIT, "--budget", "#{BUDGET_S.fetch(@kind)}s"]
        LEDGER.keep({ kind: @kind, waiting:, **Asked.tune(*argv, *SETTINGS.fetch(@kind)) })
      end
    end

    #: () -> void
    def self.report
      all = %w[tune truth].flat_map { |kind| LEDGER.of(kind) }
      found = LEDGER.of("tune").map do |one|
        others = (all - [one]).select { |other| other["waiting"] == one["waiting"] }
        verdict = Verdict.new(one["pick"], others.flat_map { |other| other["searches"] })
        puts format("waits %<waiting>3d %%: %<told>s, %<verdict>s", verdict:,
                    waiting: (one["waiting"] * 100).round, told: Asked.to_s(one))
        verdict.near?
      end
      puts "of #{found.size}: #{found.count(true)} within #{((1 - Verdict::NEAR) * 100).round} % " \
           "of the best, #{found.count(false)} not, #{found.count(nil)} undecided"
    end

    private

    def app(waiting)
      dir = File.join(@folder, "waits#{(waiting * 100).round}")
      FileUtils.mkdir_p(dir)
      File.write(File.join(dir, "config.ru"), APP)
      File.write(File.join(dir, "times"), [(1 - waiting), waiting].map { _1 * REQUEST_S }.join(" "))
      dir
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

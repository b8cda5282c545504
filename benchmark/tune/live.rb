# frozen_string_literal: true

# How good are the recommendations of `mohs tune` in practice? Tunes an application that waits for
# 0, 25, 50 or 75 % of each request, again and again, and compares each recommendation with a
# tuning of the same application with four times the budget:
#
#     ruby benchmark/tune/live.rb tune 10       tunings, the applications in turn
#     ruby benchmark/tune/live.rb truth 4       long ones, one for each application
#
# Goals: 9 of 10 picks within 3 % of the best, the first line with an interval within 60 s, the
# announced time kept within 10 %. Each tuning is a line of live.ndjson beside this file; lines
# already there count, so several sessions add up. `report` prints what is there.

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require "fileutils"
require "json"
require "open3"
require "tmpdir"
require_relative "../lines_ledger"

module Mohs
  # Asks `mohs tune` again and again.
  class LiveTunings
    LEDGER = LinesLedger.new(File.join(__dir__, "live.ndjson"))
    WAITING = [0.0, 0.25, 0.5, 0.75].freeze
    BUDGET_S = { "tune" => 300, "truth" => 1200 }.freeze
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
      truths = LEDGER.of("truth").to_h { |one| one.values_at("waiting", "rates") }
      judged = LEDGER.of("tune").map do |one|
        rates = truths[one["waiting"]]
        share = rates && (rates.fetch(one["pick"], 0.0) / rates.values.max)
        puts format("waits %<waiting>3d %%: %<pick>s, %<share>s of the best; first interval " \
                    "after %<first>d s, %<seconds>d s of %<announced>d s announced",
                    waiting: one["waiting"] * 100, pick: one["pick"].inspect,
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
              "#{BUDGET_S.fetch(@kind)}s", "--json"]
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
                    rates: rates.compact, first_s: first_s&.round(1),
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

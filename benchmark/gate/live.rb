# frozen_string_literal: true

# How often is `mohs gate` wrong in practice? Gates an application beside a neighbour that takes
# turns of up to two seconds with a core of this machine, each gate with fresh servers:
#
#     ruby benchmark/gate/live.rb same 200      a revision against one with the same code
#     ruby benchmark/gate/live.rb worse 100     against one whose requests take 5 % more CPU time
#
# The limit is 2 % more CPU time per request. Goals: at most 2 alarms of 200, and 95 of 100
# regressions found. Each gate is a line of live.ndjson beside this file; lines already there
# count, so several sessions add up. `report` prints what is there, with 95 % bounds by Clopper and
# Pearson. How many rounds of the application's loop make 5 % is measured first, by a gate with
# twice the rounds.

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require "fileutils"
require "json"
require "open3"
require "tmpdir"
require_relative "../clopper_pearson"
require_relative "../lines_ledger"
require_relative "../../test/support/git_repository"

module Mohs
  # Asks `mohs gate` again and again.
  class LiveGates
    LEDGER = LinesLedger.new(File.join(__dir__, "live.ndjson"))
    KINDS = { "same" => 0.0, "worse" => 0.05 }.freeze
    LIMIT = "cpu < +2%"
    BUDGET = "120s"
    ROUNDS = 4000
    TURN_S = 2.0
    APP = <<~RUBY
      rounds = Integer(File.read(File.join(__dir__, "rounds")))
      run lambda { |_env|
        left, total = rounds, 0
        total += left -= 1 while left.positive?
        [200, { "content-type" => "text/plain" }, [(total & 1).to_s]]
      }
    RUBY

    #: (String, kind: String, count: Integer) -> void
    def initialize(folder, kind:, count:)
      @app = File.join(folder, "app")
      @store = File.join(folder, "mohs.db")
      @kind = kind
      @count = count
    end

    #: () -> void
    def call
      repository = GitRepository.new(@app)
      repository.commit("config.ru" => APP, "rounds" => ROUNDS.to_s)
      with_neighbour do
        rounds = @kind == "same" ? ROUNDS : slower(repository)
        repository.commit("rounds" => rounds.to_s, "note" => "the newer revision")
        (LEDGER.of(@kind).size...@count).each { keep(gate(LIMIT), rounds) }
      end
    end

    #: () -> void
    def self.report
      KINDS.each_key do |kind|
        all = LEDGER.of(kind)
        puts summary(kind, all) if all.any?
      end
    end

    #: (String, Array[Hash[String, untyped]]) -> String
    def self.summary(kind, all)
      outcomes = all.map { |one| one["outcome"] }.tally
      fails = outcomes.fetch("fails", 0)
      low, high = %i[at_least at_most].map { |bound| ClopperPearson.send(bound, fails, all.size) }
      effects = all.filter_map { |one| one["effect"] }
      mean = effects.sum / effects.size
      format("%<kind>s: %<fails>d of %<count>d fail [%<low>.1f, %<high>.1f %%]%<others>s; CPU " \
             "time a request %<mean>+.2f %% on average; %<seconds>.0f s each",
             kind:, fails:, count: all.size, low: low * 100, high: high * 100,
             others: outcomes.except("fails").map { |pair| ", #{pair.reverse.join(' ')}" }.join,
             mean: (mean - 1) * 100, seconds: all.sum { |one| one["seconds"] } / all.size)
    end
    private_class_method :summary

    private

    # A neighbour takes one core for turns of random length.
    def with_neighbour
      pid = ::Process.fork do
        random = Random.new(1)
        loop do
          ending = Clock.mono_ns + (random.rand * TURN_S * 1e9)
          nil while Clock.mono_ns < ending
          sleep(random.rand * TURN_S)
        end
      end
      yield
    ensure
      ::Process.kill("KILL", pid)
      ::Process.wait(pid)
    end

    # The rounds with which a request takes 5 % more CPU time, given that it takes `ratio` times as
    # much with twice the rounds.
    def slower(repository)
      repository.commit("rounds" => (2 * ROUNDS).to_s)
      ratio = gate("cpu < +300%")["gates"].first["effect"]
      (ROUNDS * (1 + (KINDS.fetch(@kind) / (ratio - 1)))).round.tap do |rounds|
        puts "#{ROUNDS} rounds more take #{format('%.3f', ratio)} times as much: #{rounds} rounds"
        repository.git("reset", "--quiet", "--hard", "HEAD~1")
      end
    end

    def gate(limit)
      argv = [File.join(Mohs.root, "bin/mohs"), "gate", "--app", @app, "--base", "HEAD~1", "--head",
              "HEAD", "--get", "/", "--gate", limit, "--budget", BUDGET, "--quiet", "--json"]
      out, status = Open3.capture2({ "MOHS_DATABASE_URL" => @store }, *argv)
      raise "mohs gate: #{status}" unless [0, 10, 11].include?(status.exitstatus)

      JSON.parse(out)
    end

    def keep(document, rounds)
      gate = document["gates"].first
      LEDGER.keep({ kind: @kind, rounds:, outcome: gate["outcome"], effect: gate["effect"],
                    interval: gate["interval"], cohorts: document["pages"].first["cohorts"],
                    seconds: document["seconds"].round(1) })
    end
  end
end

kind, count = ARGV
if kind == "report"
  Mohs::LiveGates.report
elsif Mohs::LiveGates::KINDS.key?(kind)
  Dir.mktmpdir("mohs-benchmark") do |folder|
    Mohs::LiveGates.new(folder, kind:, count: Integer(count)).call
  end
else
  abort "usage: ruby benchmark/gate/live.rb same|worse COUNT, or report"
end

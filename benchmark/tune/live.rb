# frozen_string_literal: true

# How good are the recommendations of `mohs tune` in practice? Tunes an application that waits for
# 0, 25, 50 or 75 % of each request, again and again, and searches all of its settings without a
# race (Exhaustive), to know which of them are near the best:
#
#     ruby benchmark/tune/live.rb truth 6       rounds of searches for each application, with one
#                                               process per core only: under a GVL no other setting
#                                               can be the best
#     ruby benchmark/tune/live.rb tune 12       tunings with the default budget, the applications in
#                                               turn
#
# Goals: 9 of 10 picks within 3 % of the best, the first line with an interval within 60 s, the
# announced time kept within 10 %. Each round and each tuning is a line of live.ndjson beside this
# file; lines already there count, so several sessions add up. `report` prints all settings of each
# application, which shows how likely a guess is to be right; then the picks, by the means of the
# first ROUNDS rounds and by tests of these; then the goals.
#
# Picks and truth come from searches of the same kind (those of Exhaustive may try higher rates, but
# for the first twelve lines, whose intervals end below the highest that these might try), so
# neither shows an error that all searches share: docs/driver.md says how far they are off in
# simulated queues. Lines without a `commit` are of 7f412c0e or before: of settings with all threads
# busy, those within 3 % of the best, not 10 %, were searched in the order of their threads.

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require "etc"
require "tmpdir"
require_relative "../lines_ledger"
require_relative "../clopper_pearson"
require_relative "asked"
require_relative "exhaustive"
require_relative "waiting_app"

module Mohs
  # Which settings are within 3 % of the best, by rounds of exhaustive searches: { setting => what
  # was found } each.
  class Truth
    NEAR = Math.log(0.97)
    ALPHA = 0.05

    # Outcomes of a search that say that the setting can't be used.
    RATELESS = %w[none gone].freeze

    #: (Array[Hash[String, Hash[String, untyped]]]) -> void
    def initialize(rounds)
      @logs = rounds.map { |one| Asked.rates(one).transform_values { |rate| Math.log(rate) } }
      @unfit = rounds.flat_map do |one|
        one.select { |_, found| RATELESS.include?(found["outcome"]) }.keys
      end
      @names = rounds.flat_map(&:keys).uniq
    end

    # Near the best: true if the setting is shown to be near each other one (all of these tests have
    # to pass, so each has the whole level); false if it is shown not to be near one of them, all of
    # them tested together (Bonferroni), if it had no rate in a round, or if it was not searched at
    # all, since it can't be the best; nil if nobody can tell yet. Each pair is tested by its own
    # differences, since settings vary differently.
    #: (String?) -> bool?
    def near?(name)
      return false if !@names.include?(name) || @unfit.include?(name)

      leads = leads(name).values.select(&:error)
      return false if leads.any? { |lead| lead.below(NEAR) < ALPHA / rivals(name).size }

      true if leads.size == rivals(name).size && leads.all? { |lead| lead.above(NEAR) < ALPHA }
    end

    # The share of the best rate that the setting lacks, by the means; nil if it can't be used, or
    # was not searched together with each other one in enough rounds.
    #: (String?) -> Float?
    def loss(name)
      return if !@names.include?(name) || @unfit.include?(name)

      leads = leads(name)
      1 - Math.exp([0.0, *leads.each_value.map(&:value)].min) if leads.size == rivals(name).size
    end

    # The setting that leads by most over this one, and by how much: "2x3 +2.1 % [-0.3, 4.5]".
    #: (String?) -> String
    def beside(name)
      other, lead = leads(name).min_by { |_, one| one.value } if loss(name)
      return "too few rounds, or no rate" unless other

      found = lead.reverse.interval
      ends = [found.low, found.high].compact.map { |end_| format("%.1f", (end_ - 1) * 100) }
      format("%s %+.1f %% [%s]", other, (found.value - 1) * 100, ends.join(", "))
    end

    # The settings, the best first.
    #: () -> Array[String]
    def names = @names.sort_by { |name| loss(name) || 1.0 }

    private

    def rivals(name) = @names - @unfit - [name]

    # { other => by how much this setting is better }, of settings with enough rounds in common.
    def leads(name)
      found = rivals(name).to_h do |other|
        both = @logs.select { |logs| logs.key?(name) && logs.key?(other) }
        [other, Stats::Effect.of(both.map { |logs| logs[name] - logs[other] })]
      end
      found.select { |_, lead| lead.count >= Stats::Interval::FEWEST }
    end
  end

  # Asks `mohs tune` again and again.
  class LiveTunings
    LEDGER = LinesLedger.new(File.join(__dir__, "live.ndjson"))
    WAITING = [0.0, 0.25, 0.5, 0.75].freeze
    SETTINGS = [1, 2, 3, 5, 8, 16].map { |threads| "#{Etc.nprocessors}x#{threads}" }.freeze

    # At these rates a search needs 7 to 14 s.
    LIMIT = "p90 < 20ms"
    SEARCH_S = 20

    # Rounds that `report` uses, so that nobody can stop when the result looks best.
    ROUNDS = 6

    # Goals: share of the best rate, seconds, share of the announced time.
    LOSS = 0.03
    FIRST_S = 60
    OFF = 0.1

    #: (String) -> void
    def initialize(folder)
      @folder = folder
    end

    #: (Integer) -> void
    def truth(count)
      done = LEDGER.of("truth").map { |one| one["waiting"] }.tally
      count.times.to_a.product(WAITING).each do |round, waiting|
        next if round < done.fetch(waiting, 0)

        found = Exhaustive.new(app(waiting), limit: LIMIT, settings: SETTINGS, search_s: SEARCH_S)
                          .round(seed: round)
        LEDGER.keep({ kind: "truth", waiting:, found:, version: VERSION,
                      date: Time.now.strftime("%F") })
      end
    end

    #: (Integer) -> void
    def tune(count)
      (LEDGER.of("tune").size...count).each do |index|
        waiting = WAITING[index % WAITING.size]
        LEDGER.keep({ kind: "tune", waiting:,
                      **Asked.tune("--app", app(waiting), "--limit", LIMIT) })
      end
    end

    #: () -> void
    def self.report
      truths = WAITING.to_h { |waiting| [waiting, truth_of(waiting)] }
      truths.each do |waiting, truth|
        truth.names.each { |name| puts "#{waits(waiting)}: #{name} #{told(truth, name)}" }
      end
      tunings = LEDGER.of("tune")
      near = tunings.map do |one|
        truth = truths.fetch(one["waiting"])
        puts "#{waits(one['waiting'])}: #{Asked.to_s(one)}; #{told(truth, one['pick'])}"
        [truth.near?(one["pick"]), truth.loss(one["pick"])]
      end
      sum_up(*near.transpose) if near.any?
      times(tunings)
    end

    def self.truth_of(waiting)
      rounds = LEDGER.of("truth").select { |one| one["waiting"] == waiting }
      Truth.new(rounds.first(ROUNDS).map { |one| one["found"] })
    end

    def self.waits(share) = format("waits %3d %%", share * 100)

    def self.told(truth, name)
      told = { true => "surely near the best", false => "not near the best", nil => "undecided" }
      "#{told.fetch(truth.near?(name))}; the best other: #{truth.beside(name)}"
    end

    def self.sum_up(near, losses)
      good = losses.count { |loss| loss && loss <= LOSS }
      puts format("of %d picks %d within 3 %% of the best by the means (at least %.0f %%, if " \
                  "these are right); %d surely, %d surely not, %d undecided", near.size, good,
                  ClopperPearson.at_least(good, near.size) * 100, near.count(true),
                  near.count(false), near.count(nil))
    end

    def self.times(tunings)
      first, over = %w[first_s over_boots_s].map do |key|
        tunings.count { |one| one[key]&.<= FIRST_S }
      end
      kept = tunings.count { |one| (one["seconds"].fdiv(one["announced_s"]) - 1).abs <= OFF }
      puts "of #{tunings.size} tunings #{first} had an interval within #{FIRST_S} s, #{over} one " \
           "over three boots; #{kept} kept the announced time within 10 %"
    end
    private_class_method :truth_of, :waits, :told, :sum_up, :times

    private

    def app(waiting) = WaitingApp.write(@folder, waiting)
  end
end

kind, count = ARGV
if kind == "report"
  Mohs::LiveTunings.report
elsif %w[truth tune].include?(kind)
  Dir.mktmpdir("mohs-benchmark") do |folder|
    Mohs::LiveTunings.new(folder).public_send(kind, Integer(count))
  end
else
  abort "usage: ruby benchmark/tune/live.rb truth|tune COUNT, or report"
end

# frozen_string_literal: true

# Does `mohs compare` ever name the wrong one? Compares two servers of one folder on a page of the
# table, drawn at random, with 4, 16 and 64 connections, and has wrk load both before it and, in
# mirrored order, after it: a host whose speed changes evenly favours none of them.
#
#     ruby benchmark/agreement/directions.rb measure [100]
#     ruby benchmark/agreement/directions.rb report
#
# Each comparison is a line of directions.ndjson beside this file; lines already there count. The
# draws are always the same. The first hundred had one load by wrk of each, after the comparison. A
# comparison during which other processes took more than a tenth of the CPU is not kept.

require_relative "verdict"
require_relative "../lines_ledger"
require_relative "../clopper_pearson"

module Mohs
  # Comparisons of two rows that differ in their server only.
  class AgreementDirections
    LEDGER = LinesLedger.new(File.join(__dir__, "directions.ndjson"))
    SEED = 43
    COUNT = 100
    CONNECTIONS = [4, 16, 64].freeze
    BUDGET = "120s"
    SECONDS = 4

    #: (Integer) -> void
    def self.measure(count)
      draw.first(count).drop(LEDGER.of("direction").size).each { |pair| keep(*pair) }
    end

    # Every pair, in random order.
    #: () -> Array[[AgreementRow, AgreementRow]]
    def self.draw
      random = Random.new(SEED)
      rows = AgreementRow.all.select { |row| CONNECTIONS.include?(row.connections) }
      pairs = rows.group_by { |row| [row.app, row.page, row.connections] }.values
                  .flat_map { |same| same.combination(2).to_a }
      first = pairs.sample(COUNT, random:)
      first + (pairs - first).shuffle(random:)
    end

    # Of each definition of a rate.
    #: () -> void
    def self.report
      LEDGER.of("direction").group_by { |line| AgreementRow.definition(line) }
            .each do |definition, lines|
        verdicts = lines.map { |line| AgreementVerdict.new(line) }
        puts "#{verdicts.size} comparisons by definition #{definition} of a rate: " \
             "#{verdicts.map(&:outcome).tally}"
        sum_up(verdicts)
      end
    end

    def self.sum_up(verdicts)
      testable = verdicts.select(&:testable?)
      wrong = testable.select(&:wrong?)
      against = verdicts.select(&:against_wrk?)
      intervals = verdicts.map(&:outside?).compact
      puts "#{verdicts.count(&:decided?)} decided, of which #{testable.size} could have been wrong",
           "wrong: #{share(wrong.size, testable.size)}",
           "on the other side of wrk's ratio: #{against.size}", *against.map { |one| "  #{one}" },
           "intervals without wrk's ratio: #{share(intervals.count(true), intervals.size)}"
    end

    # With bounds that hold at 95 % each.
    def self.share(count, all)
      format("%d of %d (%.1f to %.1f %%)", count, all, 100 * ClopperPearson.at_least(count, all),
             100 * ClopperPearson.at_most(count, all))
    end

    def self.keep(*pair)
      found = AgreementRow.alone { compared(pair) } or return
      LEDGER.keep({ kind: "direction", a: pair.first.to_s, b: pair.last.to_s, **found,
                    **AgreementRow.origin })
    end

    def self.compared(pair)
      before = pair.map { |row| truth(row) }
      said = asked(*pair)
      after = pair.reverse.map { |row| truth(row) }.reverse
      { **said, wrk: before.zip(after).map { |loads| loads.map(&:first) },
                arithmetic: before.map(&:last) }
    end

    def self.asked(one, other)
      document = AgreementRow.mohs("compare", one.notation, other.notation, "--app", one.folder,
                                   "--get", one.page.path, "--connections", one.connections.to_s,
                                   "--cores", Etc.nprocessors.to_s, "--budget", BUDGET)
      { **document["verdict"].slice("outcome", "effect", "interval"), seconds: document["seconds"] }
    end

    # By wrk and by arithmetic.
    def self.truth(row)
      row.with_server { |server| [row.wrk(server.url, SECONDS), row.arithmetic(server.slots)] }
    end
    private_class_method :sum_up, :share, :keep, :compared, :asked, :truth
  end

  command, count = ARGV
  if command == "report"
    AgreementDirections.report
  else
    AgreementDirections.measure((count || AgreementDirections::COUNT).to_i)
  end
end

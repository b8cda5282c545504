# frozen_string_literal: true

# Does `mohs compare` ever name the wrong one? Compares two servers of one folder on a page of the
# table, drawn at random, with 4, 16 and 64 connections, and has wrk load both afterwards.
#
#     ruby benchmark/agreement/directions.rb measure [100]
#     ruby benchmark/agreement/directions.rb report
#
# Each comparison is a line of directions.ndjson beside this file; lines already there count. The
# draws are always the same.

require_relative "row"
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

    # Two rates that differ by less have no direction, as wrk's own do.
    EQUAL = Math.log(1.05)

    #: (Integer) -> void
    def self.measure(count)
      pairs = draw
      (LEDGER.of("direction").size...count).each do |index|
        one, other = pairs.fetch(index)
        LEDGER.keep({ kind: "direction", a: one.to_s, b: other.to_s, **asked(one, other),
                      **truth([one, other]), date: Time.now.strftime("%F") })
      end
    end

    #: () -> Array[[AgreementRow, AgreementRow]]
    def self.draw
      random = Random.new(SEED)
      rows = AgreementRow.all.select { |row| CONNECTIONS.include?(row.connections) }
      pairs = rows.group_by { |row| [row.app, row.page, row.connections] }.values
                  .flat_map { |same| same.combination(2).to_a }
      pairs.sample(COUNT, random:)
    end

    #: () -> void
    def self.report
      lines = LEDGER.of("direction")
      decided = lines.select { |line| %w[faster slower].include?(line["outcome"]) }
      wrong = decided.reject { |line| right?(line) }
      wrong.each { |line| puts "not as wrk has it: #{line}" }
      puts format("of %d comparisons %d decided for one of the two, %d of them not as wrk has it " \
                  "(at most %.1f %%)", lines.size, decided.size, wrong.size,
                  100 * ClopperPearson.at_most(wrong.size, decided.size))
      puts "outcomes: #{lines.map { |line| line['outcome'] }.tally}"
    end

    # As wrk has it, or arithmetic where wrk left a process without connections: no difference the
    # other way.
    def self.right?(line)
      sign = line["outcome"] == "faster" ? 1 : -1
      %w[wrk arithmetic].any? { |truth| sign * Math.log(line[truth].reverse.reduce(:/)) > -EQUAL }
    end

    def self.asked(one, other)
      document = AgreementRow.mohs("compare", one.notation, other.notation, "--app", one.folder,
                                   "--get", one.page.path, "--connections", one.connections.to_s,
                                   "--cores", Etc.nprocessors.to_s, "--budget", BUDGET)
      { **document["verdict"].slice("outcome", "effect", "interval"), seconds: document["seconds"] }
    end

    def self.truth(rows)
      wrk, arithmetic = rows.map do |row|
        row.with_server { |server| [row.wrk(server.url, SECONDS), row.arithmetic(server.slots)] }
      end.transpose
      { wrk:, arithmetic: }
    end
    private_class_method :right?, :asked, :truth
  end

  command, count = ARGV
  if command == "report"
    AgreementDirections.report
  else
    AgreementDirections.measure((count || AgreementDirections::COUNT).to_i)
  end
end

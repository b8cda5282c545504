# frozen_string_literal: true

# Are rates true while requests wait? For each server, page and number of connections: the rate by
# wrk and by `mohs load`, in alternation on one server, by `mohs run`, which boots its own, and by
# arithmetic. Pages and servers are those of this folder.
#
#     ruby benchmark/agreement/table.rb measure [count] [words]
#     ruby benchmark/agreement/table.rb again [count] [words]
#     ruby benchmark/agreement/table.rb report [definition]
#
# Each measurement of a row is a line of table.ndjson beside this file; rows already there count, so
# several sessions add up, unless a rate was defined otherwise then (AgreementRow::DEFINITION): each
# definition has a table of its own. `again` takes rows at random of those already measured,
# whatever they said: a row is the mean of all its measurements, and the report has the first apart.
# A row during which other processes took more than a tenth of the CPU is not kept.
# Rows are taken in a random order that is always the same, so a table that is not finished is a
# fair sample of the whole. words: of the rows wanted, such as puma-6 puma:2x1 cpu/15,cpu/1 (of
# words between commas one is enough).

require_relative "rates"
require_relative "signs"
require_relative "../lines_ledger"

module Mohs
  # Measures rows and compares what tools say of them.
  class AgreementTable
    LEDGER = LinesLedger.new(File.join(__dir__, "table.ndjson"))
    SEED = 43
    TOOLS = %w[load run].freeze
    PAIRS = [%w[load wrk], %w[run wrk], %w[run load]].freeze

    #: (Integer, Array[String]) -> void
    def self.measure(count, words)
      had = lines
      wanted(words).reject { |row| had.key?(row.to_s) }.first(count).each { |row| keep(row) }
    end

    #: (Integer, Array[String]) -> void
    def self.again(count, words)
      had = lines
      wanted(words).select { |row| had.key?(row.to_s) }
                   .sample(count, random: Random.new(LEDGER.all.size)).each { |row| keep(row) }
    end

    # The table of a definition of rates.
    #: (Integer) -> void
    def self.report(definition)
      lines = lines(definition)
      rows = AgreementRow.all.select { |row| lines.key?(row.to_s) }
                         .map { |row| AgreementRates.new(row, lines[row.to_s]) }
      puts "| server | page | connections | times | wrk | its own | load | run | arithmetic |",
           "|---|---|---:|---:|---:|---:|---:|---:|---:|", *rows.map { |rates| line(rates) }
      sum_up("first measurement", rows.map(&:first).select(&:trusted?))
      sum_up("mean of all measurements", rows.select(&:trusted?))
    end

    def self.sum_up(what, rows)
      puts "", "By the #{what}, of the #{rows.size} rows in which wrk can be trusted:"
      TOOLS.each do |tool|
        puts format("%-4s %d as near as they should be, %d within 2 %%, %d within 5 %%", tool,
                    rows.count { |rates| rates.near?(tool) },
                    *[0.02, 0.05].map { |share| rows.count { |rates| rates.within?(tool, share) } })
      end
      puts "", "| connections | #{PAIRS.map { |pair| pair.join(' / ') }.join(' | ')} |",
           "|---|---|---|---|"
      rows.group_by { |rates| rates.row.connections }.sort.push(["all", rows])
          .each { |connections, some| puts "| #{connections} | #{signs(some).join(' | ')} |" }
    end

    def self.signs(rows)
      PAIRS.map { |pair| AgreementSigns.new(rows.filter_map { |rates| rates.off(*pair) }) }
    end

    # As a row of Markdown: rates, and how far off the tools' are.
    def self.line(rates)
      row = rates.row
      cells = ["#{row.app.sub('others', '')} #{row.notation}".strip,
               row.page.path.delete_prefix("/"), row.connections, rates.times, number(rates.wrk),
               signed(rates.noise).delete("+"), *TOOLS.map { |tool| cell(rates, tool) },
               number(rates.arithmetic)]
      "| #{cells.join(' | ')} |"
    end

    def self.cell(rates, tool)
      mean, first = [rates, rates.first].map { |one| one.off(tool)&.then { |off| signed(off) } }
      mean ||= "no rate"
      rates.times > 1 ? "#{mean}, at first #{first || 'no rate'}" : mean
    end

    def self.number(rate) = format("%.3g", rate).to_f.round(rate < 100 ? 1 : 0)

    def self.signed(share) = format("%+.1f %%", share * 100)

    # { row => its lines of a definition }.
    def self.lines(definition = AgreementRow::DEFINITION)
      LEDGER.of("row").select { |line| AgreementRow.definition(line) == definition }
            .group_by { |line| line["row"] }
    end

    # In random order.
    def self.wanted(words)
      wanted = words.map { |word| word.split(",") }
      AgreementRow.all.shuffle(random: Random.new(SEED))
                  .select { |row| wanted.all? { |some| row.to_s.split.intersect?(some) } }
    end

    def self.keep(row)
      rates = AgreementRow.alone { row.rates } or return
      LEDGER.keep({ kind: "row", row: row.to_s, **rates, **AgreementRow.origin })
    end
    private_class_method :sum_up, :signs, :line, :cell, :number, :signed, :lines, :wanted, :keep
  end

  command, *rest = ARGV
  number = rest.shift.to_i if rest.first.to_s.match?(/\A\d+\z/)
  case command
  when "report" then AgreementTable.report(number || AgreementRow::DEFINITION)
  when "again" then AgreementTable.again(number || AgreementRow.all.size, rest)
  else AgreementTable.measure(number || AgreementRow.all.size, rest)
  end
end

# frozen_string_literal: true

# Are rates true while requests wait? For each server, page and number of connections: the rate by
# wrk and by `mohs load`, in alternation on one server, by `mohs run`, which boots its own, and by
# arithmetic. Pages and servers are those of this folder.
#
#     ruby benchmark/agreement/table.rb measure [count] [words]
#     ruby benchmark/agreement/table.rb again [count] [words]
#     ruby benchmark/agreement/table.rb report
#
# Each measurement of a row is a line of table.ndjson beside this file; rows already there count, so
# several sessions add up. `again` takes those once more in which a tool is off by more than 5 %, as
# chance alone makes some: nothing is dropped, a row is the mean of all its measurements. Rows are
# taken in a random order that is always the same, so a table that is not finished is a fair sample
# of the whole. words: of the rows wanted, such as puma-6 puma:2x1 cpu/15,cpu/1 (of words between
# commas one is enough).

require_relative "row"
require_relative "../lines_ledger"

module Mohs
  # Measures rows and compares what tools say of them.
  class AgreementTable
    LEDGER = LinesLedger.new(File.join(__dir__, "table.ndjson"))
    SEED = 43

    # How far off the truth a rate may be: wrk's where it can be trusted. A server with several
    # processes and few connections may leave one of them without any, by chance, and differently
    # under each tool: there the truth is the arithmetic, which knows no cost of the server itself,
    # so it only shows rates that are much too low.
    OFF = 0.02
    OFF_OF_A_NOISY = 0.05
    CONNECTIONS_A_PROCESS = 8

    #: (Integer, Array[String]) -> void
    def self.measure(count, words)
      wanted(words).reject { |row| lines.key?(row.to_s) }.first(count).each { |row| keep(row) }
    end

    #: (Integer, Array[String]) -> void
    def self.again(count, words)
      off = wanted(words).select do |row|
        lines.key?(row.to_s) && %w[load run].any? { |tool| !new(row).true?(tool, OFF_OF_A_NOISY) }
      end
      off.sort_by.with_index { |row, index| [lines[row.to_s].size, index] }.first(count)
         .each { |row| keep(row) }
    end

    #: () -> void
    def self.report
      puts "| server | page | connections | times | wrk | its own | load | run | arithmetic |",
           "|---|---|---:|---:|---:|---:|---:|---:|---:|"
      measured = AgreementRow.all.select { |row| lines.key?(row.to_s) }
      measured.each { |row| puts new(row).to_s }
      sum_up(measured.map { |row| new(row) }.select(&:trusted?))
    end

    def self.sum_up(rows)
      puts "", "Of #{rows.size} rows in which wrk can be trusted:"
      %w[load run].each do |tool|
        off = rows.filter_map { |row| row.off(tool) }
        puts format("%-4s %d rates, %d within 2 %%, %d within 5 %%, mean %+.1f %%", tool, off.size,
                    rows.count { |row| row.true?(tool, OFF) },
                    rows.count { |row| row.true?(tool, OFF_OF_A_NOISY) },
                    100 * off.sum / off.size)
      end
    end

    def self.lines = @lines ||= LEDGER.of("row").group_by { |line| line["row"] }

    # In random order.
    def self.wanted(words)
      wanted = words.map { |word| word.split(",") }
      AgreementRow.all.shuffle(random: Random.new(SEED))
                  .select { |row| wanted.all? { |some| row.to_s.split.intersect?(some) } }
    end

    def self.keep(row)
      LEDGER.keep({ kind: "row", row: row.to_s, **row.rates, commit: AgreementRow.commit,
                    date: Time.now.strftime("%F") })
    end
    private_class_method :sum_up, :wanted, :keep

    #: (AgreementRow) -> void
    def initialize(row)
      @row = row
      @lines = self.class.lines.fetch(row.to_s)
    end

    # As a row of Markdown: rates, and how far off the tools' are.
    #: () -> String
    def to_s
      cells = ["#{@row.app.sub('others', '')} #{@row.notation}".strip,
               @row.page.path.delete_prefix("/"), @row.connections, @lines.size, number(wrk),
               signed(noise).delete("+"), *%w[load run].map { |tool| cell(tool) },
               number(@lines.first["arithmetic"])]
      "| #{cells.join(' | ')} |"
    end

    #: () -> bool
    def trusted?
      @row.processes == 1 || @row.connections >= CONNECTIONS_A_PROCESS * @row.processes
    end

    # The share by which a tool's rate is off wrk's; nil if it has none.
    #: (String) -> Float?
    def off(tool)
      rates = rates(tool)
      rates.empty? || rates.any?(&:nil?) ? nil : (mean(rates) / wrk) - 1
    end

    # Is it no further off than `share`?
    #: (String, Float) -> bool
    def true?(tool, share) = !off(tool).nil? && off(tool).abs <= share

    private

    def rates(tool) = @lines.flat_map { |line| [*line[tool]] }

    def wrk = mean(rates("wrk"))

    # The share by which the two rates of wrk differ, on average.
    def noise = mean(@lines.map { |line| line["wrk"].minmax.reverse.reduce(:/) }) - 1

    def mean(rates) = rates.sum / rates.size

    def cell(tool) = off(tool) ? signed(off(tool)) : "no rate"

    def number(rate) = format("%.3g", rate).to_f.round(rate < 100 ? 1 : 0)

    def signed(share) = format("%+.1f %%", share * 100)
  end

  command, *rest = ARGV
  count = rest.first.to_s.match?(/\A\d+\z/) ? rest.shift.to_i : AgreementRow.all.size
  case command
  when "report" then AgreementTable.report
  when "again" then AgreementTable.again(count, rest)
  else AgreementTable.measure(count, rest)
  end
end

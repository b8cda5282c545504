# frozen_string_literal: true

# `ruby report.rb [TESTER...]` prints what load testers report beside the truth; all of them by
# default.
require_relative "comparison"

module Testers
  # Prints rows as two tables of text: times in ms, and counts.
  class Table
    TIMES = ["", "p50 ms", "(true)", "p90 ms", "(true)", "p99 ms", "(true)", "max ms", "(true)",
             "step"].freeze
    COUNTS = ["", "req/s", "(true)", "errors", "(true)", "connections", "opened", "used",
              "MB/million"].freeze
    STEPS = [[1e6, "ms"], [1e3, "us"], [1.0, "ns"]].freeze

    def initialize(rows)
      @bad, @good = rows.partition(&:problem)
    end

    def to_s
      [aligned([TIMES, *@good.map { |row| times(row) }]),
       aligned([COUNTS, *@good.map { |row| counts(row) }]),
       *@bad.map { |row| "#{row.name}: #{row.problem}" }].join("\n")
    end

    private

    def times(row)
      [row.name, *[row.p50, row.p90, row.p99, row.max].flatten.map { |one| number(one, 3) },
       step(row.step_ns)]
    end

    def counts(row)
      [row.name, *[*row.per_s, *row.errors, *row.connections, row.mb].map { |one| number(one, 0) }]
    end

    def aligned(rows)
      widths = rows.transpose.map { |column| column.map(&:size).max }
      lines = rows.map do |name, *others|
        others = others.zip(widths.drop(1)).map { |text, width| text.rjust(width) }
        [name.ljust(widths.first), *others].join("  ")
      end
      "#{lines.join("\n")}\n"
    end

    def number(value, decimals)
      value ? format("%.#{decimals}f", value.round(decimals)) : "-"
    end

    def step(nanoseconds)
      return "-" unless nanoseconds

      factor, unit = STEPS.find { |from, _| nanoseconds >= from } || STEPS.last
      "#{(nanoseconds / factor).round(1).to_s.delete_suffix('.0')} #{unit}"
    end
  end
end

if $PROGRAM_NAME == __FILE__
  names = ARGV.empty? ? Testers::TOOLS.keys : ARGV
  truth = Testers::Truth.new
  comparison = Testers::Comparison.new(truth)
  puts Testers::Table.new(names.map { |name| comparison.call(Testers.tool(name)) }).to_s
end

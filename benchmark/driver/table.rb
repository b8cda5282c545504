# frozen_string_literal: true

module Mohs
  module DriverBenchmark
    # Prints rows as they come: a Markdown table for docs/driver.md.
    class Table
      COLUMNS = %w[figure goal measured reached].freeze

      #: () -> void
      def initialize
        line(COLUMNS)
        line(COLUMNS.map { "---" })
      end

      # reached: nil if there is no goal.
      #: (String, String, String, ?bool) -> void
      def row(figure, goal, measured, reached = nil)
        line([figure, goal, measured, { true => "yes", false => "**no**" }[reached]])
      end

      # A figure that should be at most `limit`. unit: "x" for a ratio; note: text after it.
      #: (String, Numeric, Numeric, ?String, ?unit: String) -> void
      def at_most(figure, limit, value, note = nil, unit: "x")
        row(figure, "<= #{text(limit, unit)}", [text(value.round(3), unit), note].compact.join(" "),
            value <= limit)
      end

      private

      def text(value, unit) = unit == "x" ? "x #{value}" : "#{value} #{unit}"

      def line(cells)
        puts "| #{cells.join(' | ')} |"
        $stdout.flush
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Rows of text in columns of equal width, the last as wide as it likes.
      class Columns
        GAP = "  "

        # figures: the columns whose cells end where their title does; the others begin there.
        #: (Array[Array[String]], ?figures: Range[Integer?]?) -> void
        def initialize(rows, figures: nil)
          @rows = rows
          @figures = figures
        end

        #: () -> String
        def to_s = lines.map { |line| "#{line}\n" }.join

        #: () -> Array[String]
        def lines
          widths = @rows.map { |row| row.map(&:length) }.transpose.map(&:max)
          @rows.map do |row|
            row.zip(widths, 0..).map { |cell, width, column| aligned(cell, width, column) }
               .join(GAP).rstrip
          end
        end

        private

        def aligned(cell, width, column)
          @figures&.cover?(column) ? cell.rjust(width) : cell.ljust(width)
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Rows of text in columns of equal width, the last as wide as it likes.
      class Columns
        GAP = "  "

        #: (Array[Array[String]]) -> void
        def initialize(rows)
          @rows = rows
        end

        #: () -> String
        def to_s
          widths = @rows.map { |row| row.map(&:length) }.transpose.map(&:max)
          @rows.map do |row|
            "#{row.zip(widths).map { |cell, width| cell.ljust(width) }.join(GAP).rstrip}\n"
          end.join
        end
      end
    end
  end
end

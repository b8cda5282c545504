# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Shows which rows can't be told apart, as letters. Each letter is in one column from top to
      # bottom, so that a group is a bar.
      class Marks
        # rows: the letters of each row, "" or "ac".
        #: (Array[String]) -> void
        def initialize(rows)
          @rows = rows
        end

        # The letters of a row in their places: "a c".
        #: (String) -> String
        def cell(letters)
          lanes.map { |lane| lane.find { |mark| letters.include?(mark) } || " " }.join.rstrip
        end

        private

        # Letters that share a column: each begins below the end of the previous one.
        def lanes
          @lanes ||= ends.each_with_object([]) do |(mark, (first, _)), lanes|
            free = lanes.find { |lane| ends[lane.last].last < first }
            free ? free << mark : lanes << [mark]
          end
        end

        # Indexes of the first and last rows of each letter.
        def ends
          @ends ||= @rows.flat_map(&:chars).uniq.sort.to_h do |mark|
            [mark, @rows.each_index.select { |at| @rows[at].include?(mark) }.minmax]
          end
        end
      end
    end
  end
end

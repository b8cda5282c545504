# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Shows which variants can't be told apart, as letters beside their rates. Each letter is in
      # one column from top to bottom, so that a group is a bar; if no variant can be told apart, a
      # line says so.
      class Marks
        #: (Hash[Symbol, untyped]) -> void
        def initialize(document)
          @document = document
          rows = document[:rows]
          marks = document[:groups].to_a.map { |group| group[:mark] }
          @ends = marks.to_h { |mark| [mark, ends(rows, mark)] }.compact
          @candidates = rows.select { |row| row[:state] == "measured" && !row[:baseline] }
        end

        # Whether the table has any marks.
        #: () -> bool
        def any? = @ends.any? && !one_group?

        # The letters of a row: "a c".
        #: (Hash[Symbol, untyped]) -> String
        def cell(row) = lanes.map { |lane| mark(lane, row) || " " }.join.rstrip

        # The line below the table: its name and text; nil if there is nothing to say.
        #: () -> [String, String]?
        def line
          return if @ends.empty?

          return ["marks", Phrase.text("marks")] unless one_group?

          [equal? ? "equal" : "undecided", group]
        end

        private

        def mark(lane, row) = lane.find { |mark| marked?(row, mark) }

        def marked?(row, mark) = row[:group].to_s.include?(mark)

        # Indexes of the mark's first and last rows; nil if it has none.
        def ends(rows, mark)
          at = rows.each_index.select { |index| marked?(rows[index], mark) }
          at.minmax if at.any?
        end

        # Marks that share a column: each begins below the end of the previous one.
        def lanes
          @lanes ||= @ends.each_with_object([]) do |(mark, ends), lanes|
            free = lanes.find { |lane| @ends[lane.last].last < ends.first }
            free ? free << mark : lanes << [mark]
          end
        end

        def one_group?
          @ends.one? && @candidates.size > 1 && @candidates.all? { |row| row[:group] }
        end

        # Whether all candidates are equal to the baseline.
        def equal? = @candidates.all? { |row| row[:verdict][:outcome] == "equivalent" }

        def group
          Phrase.text("marks_group", count: @candidates.size, closer_clause:)
        end

        def closer_clause
          return if equal?

          Phrase.text("marks_closer", rounds: @document[:rounds][:closer])
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # A table of a view, in lines that never wrap: if it is too wide, columns are left out, the
      # least important first, and names are shortened. What still does not fit is cut, unless the
      # table runs on.
      class Grid
        # Spaces between columns: with fewer, titles of two words would run together.
        GAP = 2
        # Names may take one part in NAME_SHARE of the width before other columns are left out for
        # them; LEAST_NAME is left of them at least.
        NAME_SHARE = 3
        LEAST_NAME = 12
        # Characters of a title, which may contain the name of a variant.
        MOST_TITLE = 28
        # Columns up to the end of the dash before a note.
        NOTE = 9
        # Before a row that is a part of another.
        INSET = "  "

        #: (View::Table, style: Terminal::Style) -> void
        def initialize(table, style:)
          @table = table
          @style = style
          @name_limit = [style.width / NAME_SHARE, LEAST_NAME].max
          @columns = fitting
        end

        # Names of the columns that did not fit.
        #: () -> Array[String]
        def left_out = (@table.columns - @columns).map(&:called).uniq

        #: (Symbol) -> bool
        def shows?(key) = @columns.any? { |column| column.key == key }

        # The lines above the table, its titles, its rows.
        #: () -> Array[String]
        def lines
          [*@table.above.map { |line| @style.cut(line) }, cut(joined { |one| title(one) }),
           *rows.map { |row| row.note ? noted(row) : line(row) }]
        end

        # Names that were shortened, in the order of the rows.
        #: () -> Array[String]
        def cut_names
          column = @columns.find(&:names)
          all = column ? @table.rows.map { |row| row[column.key].text } : []
          all.select { |name| name.length > @name_limit }.uniq
        end

        # Names of the rows whose notes were cut.
        #: () -> Array[String]
        def cut_notes
          cut = rows.select { |row| row.note && with_note(row).length > @style.width }
          cut.map { |row| row[@columns.first.key].text }
        end

        private

        def fitting
          kept = @table.columns.dup
          @table.least_first.each do |group|
            over = total(kept) - @style.width
            break unless over.positive?
            next shorten_names(kept, over) if group == View::Table::NAMES

            kept.reject! { |column| group.include?(column.key) }
          end
          kept
        end

        # Shortens names by this many columns, to LEAST_NAME at least.
        def shorten_names(kept, over)
          @name_limit = [width(kept.find(&:names)) - over, LEAST_NAME].max
        end

        # Rows that have no content in the columns shown are left out.
        def rows
          @rows ||= @table.rows.select do |row|
            row.note || @columns.one? || @columns.drop(1).any? { |one| !row[one.key].whole.empty? }
          end
        end

        def total(columns) = columns.sum { |column| width(column) } + ((columns.size - 1) * GAP)

        # A note takes no room from the columns that it replaces.
        def width(column)
          rows = column.names ? @table.rows : @table.rows.reject(&:note)
          [title(column).length, *rows.map { |row| text(row, column).length }].max
        end

        def title(column) = @style.squeeze(column.title, MOST_TITLE)

        def text(row, column)
          cell = row[column.key]
          return INSET + cell.text if row.part && column == @table.columns.first
          return @style.squeeze(cell.text, @name_limit) if column.names
          return marks(column).cell(cell.text) if column.marks

          cell.aside ? "#{cell.text.rjust(longest(column))} #{cell.aside}".rstrip : cell.text
        end

        def marks(column) = @marks ||= Marks.new(@table.rows.map { |row| row[column.key].text })

        # Characters of the column's longest text, asides left out.
        def longest(column)
          (@longest ||= {})[column.key] ||=
            @table.rows.reject(&:note).map { |row| row[column.key].text.length }.max
        end

        def joined
          cells = @columns.map do |column|
            column.figure ? yield(column).rjust(width(column)) : yield(column).ljust(width(column))
          end
          cells.join(" " * GAP).rstrip
        end

        def line(row)
          plain = joined { |column| text(row, column) }
          last = row[@columns.last.key]
          return cut(plain) if last.tone.nil? || last.text.empty? || plain.length > @style.width

          plain[0...-last.text.length] + @style.toned(last.tone, last.text)
        end

        def cut(line) = @table.runs_on ? line : @style.cut(line)

        def noted(row) = @style.cut(with_note(row))

        def with_note(row)
          name = @columns.first
          "#{text(row, name).ljust(width(name))}#{Numbers::NONE.rjust(NOTE)}  #{row.note}"
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # A published study: its claims, wrapped, since they are sentences.
      class ReproLayout < Layout
        # CLAIM: per cent of the width that claims may take before they are wrapped. LEAST: columns
        # that claims and judgements need at least; with less, figures are left out.
        CLAIM, LEAST = 40, 18
        GAP = 2

        #: () -> String
        def to_s
          paragraphs(headline, claims, overheads,
                     *ShareTable.new(@view.pictures[:shares], style: @style).paragraphs,
                     *ColdStartTable.new(@view.pictures[:cold_start], style: @style).paragraphs,
                     named([*@view.remarks, *columns, *@view.next]))
        end

        private

        def claims
          table = @view.table(:claims)
          rows = table.texts
          kept, widths = layout(rows)
          @gone = table.columns.values_at(*([1, 2] - kept)).map(&:called)
          colours = [nil, *table.rows.map { |row| Grid::COLOURS[row[:judgement].code] }]
          rows.zip(colours).flat_map { |row, colour| lines(row.values_at(*kept), widths, colour) }
              .join("\n")
        end

        def columns = without(@gone)

        # Its caption is read below it.
        def overheads
          table = @view.table(:overheads) or return
          [*Grid.new(table, style: @style).lines, @style.wrap(table.caption)].join("\n")
        end

        # Columns and their widths. Figures are never wrapped; claim and judgement share the rest.
        def layout(rows)
          figures = [1, 2].to_h { |column| [column, rows.map { |row| row[column].length }.max] }
          figures.delete(figures.keys.first) while left(figures) < 2 * LEAST && figures.any?
          left = left(figures)
          claim = [rows.map { |row| row[0].length }.max, width * CLAIM / 100, left - LEAST].min
          claim = [claim, LEAST].max
          [[0, *figures.keys, 3], [claim, *figures.values, [left - claim, LEAST].max]]
        end

        def width = [@style.width, Style::PROSE].min

        def left(figures) = width - figures.values.sum - ((figures.size + 1) * GAP)

        # The lines of one row, as many as its longest cell needs.
        def lines(row, widths, colour)
          cells = row.zip(widths).map do |text, width|
            Style.new(width:).flow(text.split(Style::SPACE), gap: " ", indent: 0).split("\n")
          end
          height = cells.map(&:size).max
          Array.new(height) do |index|
            parts = cells.zip(widths).map { |lines, width| lines[index].to_s.ljust(width) }
            judgement = parts.pop.rstrip
            head = parts.join(" " * GAP) + (" " * GAP)
            judgement.empty? ? head.rstrip : head + paint(colour, judgement)
          end
        end

        def paint(colour, text) = colour ? @style.paint(colour, text) : text
      end
    end
  end
end

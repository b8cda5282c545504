# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # How the levels became warm: the view's tables of it, and between them the courses over the
      # batches as lines of bars. Nothing without batches.
      class ColdStart
        COURSES = { per_s: "requests/s", p50_ms: "p50", p99_ms: "p99" }.freeze
        # Bars of each course; if there is less room, courses are left out.
        BARS = (8..32)

        #: (Report::View, style: Terminal::Style) -> void
        def initialize(view, style:)
          @figures = view.table(Views::ColdStart::KEY)
          @compiled = view.tables.select { |table| table.key == Views::Compiled::KEY }
          @levels = view.pictures[:cold_start]
          @style = style
        end

        # Paragraphs of text; [] if there are no levels.
        #: () -> Array[String]
        def paragraphs
          return [] unless @figures

          [*figures, *@compiled.map { |table| compiled(table) }].map { |lines| lines.join("\n") }
        end

        private

        def figures
          grid = Grid.new(@figures, style: @style)
          left_out = [*grid.left_out, *("curves" if courses.empty?)]
          [grid.lines, courses, notes(@figures, left_out)].reject(&:empty?)
        end

        def compiled(table)
          grid = Grid.new(table, style: @style)
          [@style.cut(table.caption), *grid.lines, *notes(table, grid.left_out)]
        end

        def notes(table, left_out)
          named = table.remarks.map { |remark| [remark.name, remark.text] }
          named << @style.left_out(left_out) if left_out.any?
          named.map { |name, text| @style.named(name, text) }
        end

        # [] without room for them.
        def courses
          bars = [(room / COURSES.size) - Columns::GAP.length, BARS.max].min
          return [] if bars < BARS.min

          rows = @levels.map { |level| [level[:name], *drawn(level[:curves], bars)] }
          Columns.new([[title, *COURSES.values], *rows]).lines
        end

        # Columns beside the names.
        def room = @style.width - @levels.map { |level| level[:name].length }.max

        def title = Numbers.counted(@levels.first[:curves][:per_s].size, "batch", "batches")

        def drawn(curves, bars)
          COURSES.keys.map { |key| Sparkline.of(curves[key].map(&:to_f), most: bars) }
        end
      end
    end
  end
end

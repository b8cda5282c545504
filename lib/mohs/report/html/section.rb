# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # A part of the page, rendered from the document alone. A subclass has:
      #
      #   ID, TITLE   of its heading
      #   HOW         a line that says how to read it; nil: it needs none
      #   any?        whether the document has what the section shows
      #   content     its elements
      class Section
        HOW = nil

        # view: of the document, if it has been built.
        #: (Hash[Symbol, untyped], ?Report::View?) -> void
        def initialize(document, view = nil)
          @document = document
          @view = view
        end

        #: () -> bool
        def any? = raise(NotImplementedError, "#{self.class}#any?")

        # [id, title] for a link to this section.
        #: () -> [String, String]
        def heading = [self.class::ID, title]

        # nil if there is nothing to show.
        #: () -> Markup::Element?
        def to_element
          return unless any?

          id = self.class::ID
          element(:section, element(:h2, title, id: "#{id}-head"),
                  (element(:p, how, class: "how") if how), content,
                  id:, "aria-labelledby": "#{id}-head")
        end

        private

        def title = self.class::TITLE

        def how = self.class::HOW

        def element(...) = Markup.element(...)

        def rows = @document[:rows].to_a

        def measured = @measured ||= rows.select { |row| row[:state] == "measured" }

        def curves = @document[:curves].to_h.fetch(:variants, [])

        # The number of a variant among the series, the same in every picture, so that it keeps its
        # colour.
        def number(name)
          @numbers ||= rows.map { |row| row[:variant] }.each_with_index.to_h
          @numbers[name] ||= @numbers.size
        end

        def view = @view ||= Views.of(@document)

        # The class of the view.
        def kind = Views.kind(@document)

        def plot(id, **options) = Plot.new("#{self.class::ID}-#{id}", **options)

        # Explains the lines of a picture, in their order. lines: [{ name: }].
        def legend(lines)
          return if lines.size < 2

          items = lines.map { |line| element(:li, sample(number(line[:name])), " ", line[:name]) }
          element(:ul, items, class: "legend")
        end

        # A short piece of the series' line, with its mark.
        def sample(number)
          kind = Plot.series(number)
          line = element(:line, x1: "0", y1: "7", x2: "30", y2: "7", class: "curve #{kind}")
          path = element(:path, d: Plot::SHAPES.fetch(Plot.shape(number)), class: "m small #{kind}")
          mark = element(:svg, path, x: "15", y: "7", overflow: "visible")
          element(:svg, line, mark, width: "30", height: "14", "aria-hidden": "true")
        end

        # Names and texts; those without a text are left out.
        def pairs(pairs)
          shown = pairs.reject { |_, text| text.to_s.empty? }
          items = shown.map { |name, text| [element(:dt, name), element(:dd, text)] }
          element(:dl, items, class: "pairs") if items.any?
        end

        # A table cell: a figure, and the value to sort it by.
        def figure(value) = value ? [Numbers.figure(value), value] : Numbers::NONE

        # A table cell: a time, and the value to sort it by.
        def moment(at_ms)
          at_ms ? [Numbers.minute(at_ms), at_ms] : Numbers::NONE
        end

        # What a picture shows, for readers who can't see it. items: [{ name:, text: }].
        def spoken(items) = items.map { |one| "#{one[:name]}: #{one[:text]}" }.join("; ")

        # Content hidden behind a summary line that opens it.
        def folded(summary, *content)
          element(:details, element(:summary, summary), content)
        end

        # rows: lists of cells, of which the first is the row's header. A cell is a text, an
        # Element, or [text, value to sort by]. figures: indexes of the columns that are aligned to
        # the right.
        def table(caption, head, rows, figures: 1..)
          titles = head.each_with_index.map do |title, at|
            element(:th, title, scope: "col", class: figures.include?(at) ? "n" : nil)
          end
          lines = rows.map { |row| table_row(row, figures) }
          whole = element(:table, element(:caption, caption),
                          element(:thead, element(:tr, titles)), element(:tbody, lines))
          element(:div, whole, class: "scroll", tabindex: "0", role: "region",
                               "aria-label": caption)
        end

        # A table of the view. Columns without a title have their names; figures: keys of columns,
        # those of figures if not given.
        def table_of(table, caption, figures: nil)
          columns = table.columns
          figures ||= columns.select(&:figure).map(&:key)
          rows = table.rows.map { |row| columns.map { |one| cell_of(row[one.key]) } }
          table(caption, columns.map { |one| one.title.empty? ? one.called : one.title }, rows,
                figures: columns.each_index.select { |at| figures.include?(columns[at].key) })
        end

        def cell_of(cell) = [cell.whole, (cell.value if cell.value.is_a?(Numeric))]

        def table_row(row, figures)
          cells = row.each_with_index.map do |cell, at|
            content, value = cell.is_a?(Array) ? cell : [cell, nil]
            kind = figures.include?(at) ? "n" : nil
            next element(:th, content, scope: "row") if at.zero?

            element(:td, content, class: kind, "data-v": value && format("%.6g", value))
          end
          element(:tr, cells)
        end

      end
    end
  end
end

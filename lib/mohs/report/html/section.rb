# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # A part of a page, below a title. A subclass has:
      #
      #   ID, TITLE   of its heading
      #   HOW         a line that says how to read it; nil: it needs none
      #   any?        whether it has anything to show
      #   content     its elements
      class Section
        HOW = nil

        # Most characters of an outcome that is never broken.
        WORD = 30

        #: () -> bool
        def any? = raise(NotImplementedError, "#{self.class}#any?")

        # [id, title] for a link to this section.
        #: () -> [String, String]
        def heading = [id, title]

        # nil if there is nothing to show.
        #: () -> Markup::Element?
        def to_element
          return unless any?

          element(:section, element(:h2, title, id: "#{id}-head"),
                  (element(:p, how, class: "how") if how), content,
                  id:, "aria-labelledby": "#{id}-head")
        end

        private

        def id = self.class::ID

        def title = self.class::TITLE

        def how = self.class::HOW

        def element(...) = Markup.element(...)

        # Content hidden behind a summary line that opens it.
        def folded(summary, *content)
          element(:details, element(:summary, summary), content)
        end

        # rows: lists of cells, of which the first is the row's header. A cell is a text, an
        # Element, or [one of these, value to sort by]. figures: indexes of the columns that are
        # aligned to the right.
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

        # A table of a view. Columns without a title have their names. figures: indexes of columns,
        # if not those that the view names.
        def table_of(table, caption: table.caption, figures: nil)
          columns = table.columns
          rows = table.rows.map { |row| columns.map { |one| cell_of(one, row[one.key]) } }
          table(caption, columns.map { |one| one.title.empty? ? one.called : one.title }, rows,
                figures: figures || columns.each_index.select { |at| columns[at].figure })
        end

        def cell_of(_column, cell)
          text = cell.whole
          kind = [*("word" if text.length <= WORD), Markup.tone(cell.tone)].join(" ")
          [cell.tone ? element(:span, text, class: kind) : text,
           (cell.value if cell.value.is_a?(Numeric))]
        end

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

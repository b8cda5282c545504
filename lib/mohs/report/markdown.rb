# frozen_string_literal: true

module Mohs
  module Report
    # Markdown for GitHub, GitLab and Buildkite, from text that others may have chosen: it never
    # becomes markup, a link or a message to somebody. Only what a site would act upon is escaped,
    # so that the source stays readable.
    module Markdown
      # Sites make mentions, references, links and emoji from the rendered text, even where it was
      # escaped: @name, #1, !1, ~label, GH-1, http://, :x:, www. At these places a zero-width space
      # is inserted, as an entity that can be seen in the source.
      ADDRESSED = %r{(?<=@)(?=[\w.])|(?<=[\#!])(?=\d)|(?<=~)(?=["\w])|(?<=\bGH-)(?=\d)|
                     (?<=:)(?=//|(?-i:[a-z\d_+-]+:))|(?<=\bwww)(?=\.)}ix
      GAP = "\u200b"

      # Signs that start markup anywhere in a line; `_` only at the edge of a word, `]` only where a
      # link can follow.
      SIGN = /[&<\\`*~|$#{GAP}]|(?<![[:alnum:]])_|_(?![[:alnum:]])|\](?=[(\[:])/
      # Other signs get a backslash. A backslash before $ doesn't keep GitHub from rendering a
      # formula: its manual puts an element around the sign; GitLab looks at the source, where an
      # entity is not a $. A backslash before | counts as the end of an escape if another one
      # precedes it.
      ENTITIES = { "&" => "&amp;", "<" => "&lt;", "|" => "&#124;", GAP => "&#8203;",
                   "$" => "<span>&#36;</span>" }.freeze

      # What turns a line into a heading, a quotation, a list, or a quick action of GitLab (/close).
      BLOCK = %r{\A(?=[\#>+=/-]|\d+[.)])}

      module_function

      # Text in one line, after something else on that line.
      #: (String) -> String
      def escape(text)
        line(text).gsub(ADDRESSED, GAP).gsub(SIGN) { |sign| ENTITIES.fetch(sign, "\\#{sign}") }
      end

      # Text at the beginning of a line.
      #: (String) -> String
      def paragraph(text) = escape(text).sub(BLOCK, ENTITIES[GAP])

      # The text verbatim, between as many backticks as it needs; not for table cells.
      #: (String) -> String
      def code(text)
        text = line(text)
        fence = "`" * ((text.scan(/`+/).map(&:length).max || 0) + 1)
        pad = text.start_with?("`") || text.end_with?("`") ? " " : ""
        "#{fence}#{pad}#{text}#{pad}#{fence}"
      end

      # A table of a view. Columns of figures, or with numbers behind their texts, are aligned to
      # the right.
      #: (View::Table) -> String
      def table(table)
        rule = table.columns.map do |column|
          number = column.figure || table.rows.any? { |row| row[column.key].value }
          number ? "--:" : "---"
        end
        table.texts.map { |row| row(row.map { |cell| escape(cell) }) }.insert(1, row(rule)).join
      end

      # A table row, from cells in Markdown.
      #: (Array[String]) -> String
      def row(cells) = "| #{cells.join(' | ')} |\n"

      def line(text) = Printable.call(text).gsub(/\s+/, " ").strip
      private_class_method :line
    end
  end
end

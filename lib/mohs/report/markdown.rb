# frozen_string_literal: true

module Mohs
  module Report
    # Markdown, for GitHub, GitLab and Buildkite, of text that others may have chosen: what is
    # written here never becomes markup, a link, or a message to somebody. Only what a site would
    # act upon is escaped, so that the text can also be read as it is.
    module Markdown
      # Sites make mentions, references, links and emoji out of the finished text, whatever was
      # escaped in it: @name, #1, !1, ~label, GH-1, http://, :x:, www. A space without width, as an
      # entity that can be seen in the source, stands at these places.
      ADDRESSED = %r{(?<=@)(?=[\w.])|(?<=[\#!])(?=\d)|(?<=~)(?=["\w])|(?<=\bGH-)(?=\d)|
                     (?<=:)(?=//|(?-i:[a-z\d_+-]+:))|(?<=\bwww)(?=\.)}ix
      GAP = "\u200b"

      # Signs that begin something anywhere in a line; `_` only at the edge of a word, `]` only
      # where a link can follow.
      SIGN = /[&<\\`*~|$#{GAP}]|(?<![[:alnum:]])_|_(?![[:alnum:]])|\](?=[(\[:])/
      # The others get a backslash. One before $ keeps GitHub from no formula: its manual has an
      # element around it; GitLab looks at the source, where an entity is no $. One before | is
      # taken for the end of an escape if another stands before it.
      ENTITIES = { "&" => "&amp;", "<" => "&lt;", "|" => "&#124;", GAP => "&#8203;",
                   "$" => "<span>&#36;</span>" }.freeze

      # What makes a line a heading, a quotation, a list, or an order to GitLab (/close).
      BLOCK = %r{\A(?=[\#>+=/-]|\d+[.)])}

      # A cell of a column of numbers.
      NUMBER = /\A(?:[<>]? ?[+-]?\d[\d ]*(?:\.\d+)?(?: (?:ms|MB|%|µs))?|–)\z/
      private_constant :NUMBER

      module_function

      # In one line, behind something else.
      #: (String) -> String
      def escape(text)
        line(text).gsub(ADDRESSED, GAP).gsub(SIGN) { |sign| ENTITIES.fetch(sign, "\\#{sign}") }
      end

      # The same where a line begins.
      #: (String) -> String
      def paragraph(text) = escape(text).sub(BLOCK, ENTITIES[GAP])

      # As it is, between as many backticks as it needs; not for a cell of a table.
      #: (String) -> String
      def code(text)
        text = line(text)
        fence = "`" * ((text.scan(/`+/).map(&:length).max || 0) + 1)
        pad = text.start_with?("`") || text.end_with?("`") ? " " : ""
        "#{fence}#{pad}#{text}#{pad}#{fence}"
      end

      # A table; the first row has the titles. Columns of numbers end where their titles do.
      #: (Array[Array[String]]) -> String
      def table(rows)
        head, *body = rows
        rule = head.each_index.map do |at|
          cells = body.map { |row| row[at] }.reject(&:empty?)
          cells.any? && cells.all?(NUMBER) ? "--:" : "---"
        end
        [head, *body].map { |row| row(row.map { |cell| escape(cell) }) }.insert(1, row(rule)).join
      end

      # A row of a table, from cells in Markdown.
      #: (Array[String]) -> String
      def row(cells) = "| #{cells.join(' | ')} |\n"

      def line(text) = Printable.call(text).gsub(/\s+/, " ").strip
      private_class_method :line
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Exporters
    # GitHub Flavored Markdown of text that others may have chosen: what is written here never
    # becomes markup, a link, or a message to somebody.
    module MarkdownText
      # Signs that begin something anywhere in a line.
      SIGNS = { "&" => "&amp;", "<" => "&lt;", "\\" => "\\\\", "`" => "\\`", "*" => "\\*",
                "~" => "\\~", "|" => "\\|", "$" => "\\$" }.freeze
      # Those of emphasis within words, and of intervals, begin nothing.
      LONE = /(?<![[:alnum:]])_|_(?![[:alnum:]])/
      LINK = /\](?=[(\[:])/
      # GitHub makes mentions and references out of the finished text, whatever was escaped in it:
      # a space without width stands between.
      ADDRESSED = /@(?=[[:alnum:]])|#(?=\d)|\b(?:GH-|gh-)(?=\d)/
      GAP = "&#8203;"
      # A colon as an entity is none to what finds addresses.
      ADDRESS = %r{:(?=//)|(?<=\bwww)\.}i
      ENTITIES = { ":" => "&#58;", "." => "&#46;" }.freeze

      module_function

      # In one line.
      #: (String) -> String
      def escape(text)
        line(text).gsub(/[&<\\`*~|$]/, SIGNS).gsub(LONE, "\\_").gsub(LINK, "\\]")
                  .gsub(ADDRESSED) { |sign| sign + GAP }.gsub(ADDRESS, ENTITIES)
      end

      # As it is, between as many backticks as it needs.
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

      NUMBER = /\A(?:[<>]? ?[+-]?\d[\d ]*(?:\.\d+)?(?: (?:ms|MB|%|µs))?|–)\z/
      private_constant :NUMBER

      def row(cells) = "| #{cells.join(' | ')} |\n"

      def line(text) = Printable.call(text).gsub(/\s+/, " ").strip
      private_class_method :row, :line
    end
  end
end

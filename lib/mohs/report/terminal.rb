# frozen_string_literal: true

module Mohs
  module Report
    # Shows a result's document (docs/json.md), arranged as screens: the answer in a sentence, the
    # table, remarks on its figures, and what to type next.
    class Terminal
      WIDTH = 100

      # Moves a stream's cursor, or clears: CLI::SafeOutput allows it only through this method.
      #: (IO, String) -> void
      def self.control(out, sequence)
        out.respond_to?(:control) ? out.control(sequence) : out.print(sequence)
      end

      #: (?style: Terminal::Style) -> void
      def initialize(style: Style.new)
        @style = style
      end

      # The screen of a result's document.
      #: (Hash[Symbol, untyped]) -> String
      def call(document) = layout(document).to_s

      # What a person sees while a result is being measured.
      #: (Hash[Symbol, untyped]) -> String
      def so_far(document) = layout(document).so_far

      private

      def layout(document)
        view = Views.of(document)
        own = [ExplainLayout, *Procedure.parts("layout")].find { |one| one::KIND == view.kind }
        (own || Layout).new(view, style: @style)
      end

      # A document that has no view, as people read it: lists, plans, the doctor's. A subclass
      # defines #to_s.
      class Screen
        # Spaces before every line but the first.
        INDENT = 2

        #: (Hash[Symbol, untyped], ?style: Terminal::Style) -> void
        def initialize(document, style: Style.new)
          @document = document
          @style = style
        end

        private

        # The answer.
        def headline(text = @document[:sentence]) = @style.paint(:bold, @style.wrap(text))

        # The lines below a table, from [[name, text], ...].
        def named(lines) = lines.map { |line| @style.named(*line) }.join("\n")

        def paragraphs(*parts) = "#{parts.compact.reject(&:empty?).join("\n\n")}\n"

        def painted(colour, text) = @style.paint(colour, @style.wrap(text, indent: INDENT))
      end

      # Rows of text in columns of equal width; the last column may be of any width.
      class Columns
        GAP = "  "
        LEAST = 20

        # Indexes of the columns that fit. least_first: groups of columns in the order in which they
        # are left out; other columns always stay.
        #: (Array[Array[String]], least_first: Array[Array[Integer]], width: Integer) -> Array[Integer]
        def self.fitting(rows, least_first:, width:)
          widths = rows.transpose.map { |cells| cells.map(&:length).max }
          kept, left = widths.each_index.to_a, least_first.dup
          kept -= left.shift while left.any? && total(widths.values_at(*kept)) > width
          kept
        end

        # Rows whose last column is wrapped, so that no line is longer than `width`, if the other
        # columns leave it LEAST.
        #: (Array[Array[String]], width: Integer) -> Terminal::Columns
        def self.wrapped(rows, width:)
          others = rows.map { |row| row[0...-1].map(&:length) }.transpose.map(&:max)
          style = Style.new(width: [width - total([*others, 0]), LEAST].max)
          new(rows.flat_map { |row| lines_of(row, style) })
        end

        def self.lines_of(row, style)
          first, *rest = style.flow(row.last.split(Style::SPACE), gap: " ", indent: 0).split("\n")
          [[*row[0...-1], first.to_s], *rest.map { |text| [*row[0...-1].map { "" }, text] }]
        end

        def self.total(widths) = widths.sum + ((widths.size - 1) * GAP.length)
        private_class_method :lines_of, :total

        # figures: right-aligned columns; the others are left-aligned.
        #: (Array[Array[String]], ?figures: Range[Integer?]?) -> void
        def initialize(rows, figures: nil)
          @rows = rows
          @figures = figures
        end

        #: () -> String
        def to_s = lines.map { |line| "#{line}\n" }.join

        #: () -> Array[String]
        def lines
          widths = @rows.map { |row| row.map(&:length) }.transpose.map(&:max)
          @rows.map do |row|
            row.zip(widths, 0..).map { |cell, width, column| aligned(cell, width, column) }
               .join(GAP).rstrip
          end
        end

        private

        def aligned(cell, width, column)
          @figures&.cover?(column) ? cell.rjust(width) : cell.ljust(width)
        end
      end

      # One line of a terminal that is redrawn in place, cut to its width.
      class LiveLine
        #: (IO, style: Terminal::Style) -> void
        def initialize(out, style:)
          @out = out
          @style = style
        end

        #: (String) -> void
        def draw(text) = write(@style.plain(@style.cut(text)))

        # Clears the line.
        #: () -> void
        def wipe = write("")

        private

        def write(text)
          Terminal.control(@out, "\r")
          @out.print(text)
          Terminal.control(@out, "\e[K")
          @out.flush
        end
      end

      # Progress under --quiet: receives the experiment's events and prints nothing.
      class NullProgress
        #: (Symbol, Hash[Symbol, untyped]) -> void
        def call(_name, _facts); end

        #: () -> void
        def close; end
      end

      # Numbers as a line of bars.
      module Sparkline
        BARS = %w[▁ ▂ ▃ ▄ ▅ ▆ ▇ █].freeze

        # The highest value is a full bar; 0 is blank, and small values stay visible. most: bars;
        # neighbouring values share one, as their mean, if there are more.
        #: (Array[Numeric], ?most: Integer) -> String
        def self.of(values, most: values.size)
          return "" if values.empty?

          values = values.each_slice(values.size.fdiv(most).ceil)
                         .map { |some| some.one? ? some.first : some.sum.fdiv(some.size) }
          highest = values.max.to_f
          values.map do |value|
            value.zero? ? " " : BARS[(value / highest * BARS.size).ceil - 1]
          end.join
        end
      end

      # Text for a terminal whose locale lacks UTF-8: one ASCII character for each character that
      # mohs prints, so that columns stay aligned.
      module Ascii
        SIGNS = { "·" => "-", "–" => "-", "−" => "-", "─" => "-", "━" => "=", "±" => "~",
                  "µ" => "u", "…" => "~", "∞" => "~", "│" => "|", "┤" => "+", "└" => "+",
                  "→" => ">" }.freeze
        # In rising order: the bars of a sparkline, then the ends of horizontal bars.
        BARS = { "▁" => "_", "▂" => ".", "▃" => ":", "▄" => "-", "▅" => "=", "▆" => "+", "▇" => "*",
                 "█" => "#", "▏" => "|", "▎" => "|", "▍" => "|", "▌" => "=", "▋" => "=", "▊" => "=",
                 "▉" => "#", "▕" => "|" }.freeze
        ALL = { **SIGNS, **BARS }.freeze

        # Other characters (in names, paths) become a question mark.
        #: (String) -> String
        def self.of(text) = text.gsub(/[^\x00-\x7f]/) { |sign| ALL.fetch(sign, "?") }

        # Whether the locale of this environment lacks UTF-8. If no locale is set, as in a bare
        # container, the terminal around it usually has UTF-8.
        #: (Hash[String, String]) -> bool
        def self.needed?(env)
          locale = env.values_at("LC_ALL", "LC_CTYPE", "LANG").find { |value| !value.to_s.empty? }
          !locale.nil? && !locale.match?(/utf-?8/i)
        end
      end
    end
  end
end

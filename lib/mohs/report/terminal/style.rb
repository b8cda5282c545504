# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The width and colours of a screen. Colour only repeats what the text says.
      class Style
        CODES = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 }.freeze
        # Colours of tones (Report::Tone); the others have none.
        TONES = { good: :green, bad: :red, warn: :yellow }.freeze

        # Prose is no wider than this, however wide the terminal is.
        PROSE = 100

        MARGIN = 10

        # Where a line may be broken: not inside a number ("2 336"), before its unit ("14 s") or
        # inside an interval ("[7, 20]").
        SPACE = /(?:(?<!\d)\s+|\s+(?!(?:\d{3}|s|min|%|ms|µs|MB)(?![\w%])))(?!-?[\d.]+\])/

        attr_reader :width

        # ascii: whether the terminal lacks UTF-8.
        #: (?colour: bool, ?width: Integer, ?ascii: bool) -> void
        def initialize(colour: false, width: PROSE, ascii: false)
          @colour = colour
          @width = width
          @ascii = ascii
        end

        # `text` in the characters that the terminal has.
        #: (String) -> String
        def plain(text) = @ascii ? Ascii.of(text) : text

        #: (Symbol, String) -> String
        def paint(colour, text) = @colour ? "\e[#{CODES.fetch(colour)}m#{text}\e[0m" : text

        # `text` in the colour of its tone.
        #: (Symbol?, String) -> String
        def toned(tone, text)
          colour = TONES[tone]
          colour ? paint(colour, text) : text
        end

        # `text` in lines that fit; all but the first are indented by `indent`.
        #: (String, ?indent: Integer) -> String
        def wrap(text, indent: 0)
          width = [[@width, PROSE].min - indent, 20].max
          lines = text.split("\n").flat_map { |line| fill(line.strip.split(SPACE), " ", width) }
          lines.join("\n#{' ' * indent}")
        end

        # A line below a table, whose name has a column of its own.
        #: (String, String) -> String
        def named(name, text)
          "#{paint(:dim, name.ljust(MARGIN))}#{wrap(text, indent: MARGIN)}"
        end

        # The same with a command at its end, which is broken only as a shell wants it, so that it
        # can be copied.
        #: (String, String, Report::Proposal) -> String
        def named_command(name, text, command)
          width = @width - MARGIN
          lines = fill([text, command.line].reject(&:empty?), " ", width)
          lines = [*lines[0...-1], *broken(command, width)] if lines.last.length > width
          "#{paint(:dim, name.ljust(MARGIN))}#{lines.join("\n#{' ' * MARGIN}")}"
        end

        # The line below a table that lists the columns that did not fit: its name and text.
        #: (Array[String]) -> [String, String]
        def left_out(titles)
          ["columns", "no room for #{titles.join(', ')} in #{width} columns: widen the terminal, " \
                      "or use --json"]
        end

        # Words that are never broken, in lines that fit; all but the first are indented by
        # `indent`.
        #: (Array[String], gap: String, indent: Integer) -> String
        def flow(words, gap:, indent:) = fill(words, gap, @width, " " * indent).join("\n")

        # `text`, cut with an ellipsis if it is longer than `width`.
        #: (String, ?Integer) -> String
        def cut(text, width = @width)
          text.length > width ? "#{text[0, [width - 1, 0].max]}…" : text
        end

        # The same, but cut in the middle: names of variants differ at either end.
        #: (String, Integer) -> String
        def squeeze(text, width)
          return text if text.length <= width

          tail = (width - 1) / 2
          "#{text[0, width - 1 - tail]}…#{text[-tail, tail]}"
        end

        private

        # The command in lines that end in a backslash, and its hint in comments.
        def broken(command, width)
          words = command.words.map { |word| Shell.quoted(word) }
          *lines, last = fill(words, " ", width - 2)
          hint = fill(command.hint.to_s.split, " ", width - 2) if command.hint
          [*lines.map { |line| "#{line} \\" }, last, *hint&.map { |line| "# #{line}" }]
        end

        # start: the beginning of all lines but the first.
        def fill(words, gap, width, start = "")
          words.drop(1).each_with_object([words.first.to_s.dup]) do |word, lines|
            fits = lines.last.length + gap.length + word.length <= width
            fits ? lines.last << gap << word : lines << (start + word)
          end
        end
      end
    end
  end
end

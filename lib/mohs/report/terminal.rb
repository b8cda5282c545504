# frozen_string_literal: true

module Mohs
  module Report
    # Renders a run's document (docs/json.md) for people: the answer in a sentence, the table, notes
    # on its figures, and what to type next.
    class Terminal
      WIDTH = 100
      LOG_LINES = 12
      # Codes of cuts of rounds, as opposed to variants.
      ROUNDS = %w[cut_rounds dropped_rounds].freeze
      EXCEPTION = /\[BUG\]|
                   \b[A-Z]\w+(?:Error|Exception|NotFound|Invalid\w*|NotEstablished|Failed)\b/x

      # The last lines below the table: what to type next. [[name, text], ...].
      #: (Hash[Symbol, untyped]) -> Array[[String, String]]
      def self.next_lines(document)
        run, state, rows = document.values_at(:run, :state, :rows)
        failed = rows.find { |row| !row[:log_tail].to_s.empty? }
        stopped = [*progress(document), "continue: mohs resume #{run}"].join(" · ")
        [(["log", "mohs show #{run} --log #{Style.quoted(failed[:variant])}"] if failed),
         (["stopped", stopped] unless %w[finished running].include?(state)),
         *suggestions(document),
         ["run", "#{run} · show again: #{show(document)}"]].compact
      end

      # What to measure next: [["next", text]], none or one.
      #: (Hash[Symbol, untyped]) -> Array[[String, String]]
      def self.suggestions(document)
        document[:next].to_a.map do |one|
          hint = " (#{one[:hint]})" if one[:hint]
          ["next", "#{one[:what]}: #{one[:command]}#{hint}"]
        end
      end

      # The command that prints a run's table; without --table a reproduction prints its claims.
      #: (Hash[Symbol, untyped]) -> String
      def self.show(document)
        Style.command(["mohs", "show", document[:run], *("--table" if document[:reproduces])])
      end

      # What the budget cut, in one line for each reason.
      #: (Array[Hash[Symbol, untyped]]) -> Array[String]
      def self.dropped(cuts)
        cuts.group_by { |cut| cut.values_at(:code, :values) }.values.map do |same|
          "#{same.map { |cut| cut[:variant] }.join(', ')}: #{same.first[:reason]}"
        end
      end

      # Moves a stream's cursor, or clears: CLI::SafeOutput allows it only through this method.
      #: (IO, String) -> void
      def self.control(out, sequence)
        out.respond_to?(:control) ? out.control(sequence) : out.print(sequence)
      end

      # The screen of a result's document.
      #: (Hash[Symbol, untyped], ?style: Terminal::Style) -> Terminal::Screen
      def self.screen(document, style: Style.new)
        kind = case document[:command]
               when "compare" then CompareScreen
               when "explain" then ExplainScreen
               when "gate" then GateScreen
               when "history" then HistoryScreen
               when "tune" then TuneScreen
               when "bisect" then BisectScreen
               when "load" then document.key?(:probes) ? RateScreen : LoadScreen
               when "repro" then document.key?(:studies) ? ReproAllScreen : ReproScreen
               else RunScreen
               end
        kind.new(document, style:)
      end

      # How far a stopped run got, as a remark on the figures above it.
      def self.progress(document)
        measured = document[:rows].select { |row| row[:state] == "measured" }
        return if measured.empty?
        return "these figures are from before you stopped it" if document[:command] == "compare"

        done, planned = document[:rounds].values_at(:done, :planned)
        allow = "; intervals allow for that" if measured.any? { |row| row[:verdict][:interval] }
        "after #{done} of #{Numbers.counted(planned, 'round')}#{allow}"
      end
      private_class_method :progress

      #: (?style: Terminal::Style) -> void
      def initialize(style: Style.new)
        @style = style
      end

      #: (Hash[Symbol, untyped]) -> String
      def call(document)
        return compared(document) if document[:command] == "compare"

        screen = Terminal.screen(document, style: @style)
        return screen.to_s unless screen.is_a?(RunScreen)

        table = Table.new(document, style: @style)
        below = below(document, table).map { |line| @style.named(*line) }
        parts = [Screen.new(document, style: @style).head,
                 (table.to_s.chomp unless only_refused?(document)),
                 *ColdStartTable.new(document[:cold_start], style: @style).paragraphs,
                 below.join("\n"), log(document)]
        "#{parts.compact.reject(&:empty?).join("\n\n")}\n"
      end

      # What a run prints below its table: [[name, text], ...].
      #: (Hash[Symbol, untyped]) -> Array[[String, String]]
      def remarks(document) = below(document, Table.new(document, style: @style))

      private

      def compared(document)
        [CompareScreen.new(document, style: @style).to_s, *log(document)&.concat("\n")].join("\n")
      end

      # Whether the document has one variant, which was not measured: the sentence already says
      # that.
      def only_refused?(document)
        document[:rows].one? && document[:rows].first[:state] != "measured"
      end

      # The lines below the table: [[name, text], ...].
      def below(document, table)
        [table.marks_line, rates(document), names(table), missing(document),
         *reasons(document, table), *differences(document), *notes(document),
         *dropped(document), columns(table), *Terminal.next_lines(document)].compact
      end

      # Why some rates have no ± although there is a verdict. A single variant has its interval in
      # the sentence.
      def rates(document)
        rows = document[:rows]
        scattered = rows.any? { |row| Numbers.scattered?(row[:throughput_per_s]) }
        ["rates", Phrase.text("marks_scattered")] if scattered && rows.size > 1
      end

      def names(table)
        names = table.cut_names
        ["names", "cut above, in the same order:\n#{names.join("\n")}"] if names.any?
      end

      # Which of the table's latencies are missing, and why; several of the same rows together.
      def missing(document)
        lacks = Table::LATENCIES.keys.flat_map { |name| lacks(name, document[:rows]) }
        all = lacks.group_by(&:last).map do |(names, why), same|
          "#{same.map(&:first).join(', ')} of #{names}: #{why}"
        end
        ["missing", all.join("; ")] if all.any?
      end

      # [name, [the rows that lack this latency, and why]] for each reason.
      def lacks(name, rows)
        rows = rows.select { |row| row.dig(:latency_ms, :missing).to_h.key?(name) }
        rows.group_by { |row| row[:latency_ms][:missing_codes][name] }.values.map do |same|
          [name, [same.map { |row| row[:variant] }.join(", "), lack(name, same)]]
        end
      end

      # What these rows lack for a latency, with the numbers of the worst row.
      def lack(name, rows)
        numbers = rows.filter_map { |row| row[:latency_ms][:missing_values][name] }
        return rows.first[:latency_ms][:missing][name] if numbers.empty?

        Phrase.text("too_few_requests", **numbers.min_by { |one| one[:had] })
      end

      # Reasons that fit neither in the table nor in the sentence; one that several variants share
      # is shown once.
      def reasons(document, table)
        document[:reasons].filter_map do |reason|
          next why(reason, reason[:variants]) if reason[:remedy]

          rows = document[:rows].select { |row| reason[:variants].include?(row[:variant]) }
          names = rows.reject { |row| table.whole?(row) }.map { |row| row[:variant] }
          why(reason, names) unless reason[:covered] || names.empty?
        end
      end

      # What causes the differences, as far as that is known.
      def differences(document)
        rows = document[:rows].select { |row| row[:why] }
        rows.map { |row| ["why", "#{row[:variant]}: #{row[:why]}"] }
      end

      # A reason's line; if the sentence gives the reason, what to try.
      def why(reason, names)
        return ["next", reason[:remedy]] if reason[:covered]

        ["why", "#{names.join(', ')}: #{reason[:reason]}"]
      end

      def notes(document) = document[:notes].to_a.map { |note| note.values_at(:name, :text) }

      def dropped(document)
        cuts = document[:dropped].to_a
        # Advice on measuring more rounds doesn't help if nothing was measured.
        cuts = cuts.reject { |cut| ROUNDS.include?(cut[:code]) } if
          document[:rows].none? { |row| row[:state] == "measured" }
        Terminal.dropped(cuts).map { |text| ["left out", text] }
      end

      def columns(table)
        @style.left_out(table.left_out) if table.left_out.any?
      end

      # If nothing was measured, the server's log helps most.
      def log(document)
        rows = document[:rows]
        row = rows.find { |candidate| !candidate[:log_tail].to_s.empty? }
        return if row.nil? || rows.any? { |candidate| candidate[:state] == "measured" }

        lines = telling(row[:log_tail].lines(chomp: true)).map { |line| "    #{line}" }
        "From the log of #{row[:variant]}:\n#{lines.join("\n")}"
      end

      # The lines from the last exception on, if there is one, as those before it only led to it.
      def telling(lines)
        raised = lines.rindex { |line| line.match?(EXCEPTION) }
        raised ? lines[raised, LOG_LINES] : lines.last(LOG_LINES)
      end

      # A document as people read it; a subclass defines #to_s.
      class Screen
        # Spaces before every line but the first.
        INDENT = 2

        #: (Hash[Symbol, untyped], ?style: Terminal::Style) -> void
        def initialize(document, style: Style.new)
          @document = document
          @style = style
        end

        # What was measured, then the answer.
        #: () -> String
        def head
          subject = Subject.of(@document)
          [*(@style.wrap(subject) unless subject.empty?), headline].join("\n")
        end

        # The rows of its table at full width; the first has the titles. [] if there is no table.
        #: () -> Array[Array[String]]
        def cells = []

        # All tables of the screen.
        #: () -> Array[Array[Array[String]]]
        def tables = [cells]

        # The lines below the table: [[name, text], ...].
        #: () -> Array[[String, String]]
        def remarks = []

        # What the answer rests on.
        #: () -> String?
        def basis
          done, planned = @document[:rounds].to_h.values_at(:done, :planned)
          "#{done} of #{Numbers.counted(planned, 'round')}" if done && planned
        end

        private

        # The server of a load and its requests.
        def loaded = @style.wrap(Subject.of_load(@document))

        # The answer.
        def headline(text = @document[:sentence]) = @style.paint(:bold, @style.wrap(text))

        # The lines below a table, from [[name, text], ...].
        def named(lines) = lines.map { |line| @style.named(*line) }.join("\n")

        def paragraphs(*parts) = "#{parts.compact.reject(&:empty?).join("\n\n")}\n"

        # A table's line, in which the word at the end has its colour (COLOURS of the screen) if the
        # line fits.
        def coloured(line, mark)
          colour = self.class::COLOURS[mark]
          return @style.cut(line) if colour.nil? || line.length > @style.width

          line[0...-mark.length] + @style.paint(colour, mark)
        end

        def painted(colour, text) = @style.paint(colour, @style.wrap(text, indent: INDENT))

        # Counts by class of error, the most frequent first.
        def classes(counts)
          counts.sort_by { |_, count| -count }
                .map { |name, count| "#{name} #{Numbers.whole(count)}" }.join(", ")
        end

        # Self-checks that did not pass: [[name, detail], ...].
        def failed_checks
          failed = @document[:checks].reject { |check| check[:ok] }
          failed.map { |check| [check[:name].tr("_", " "), check[:detail]] }
        end

        def warnings = failed_checks.map { |check| painted(:yellow, check.join(": ")) }
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

      # Progress under --quiet: receives the laboratory's events and prints nothing.
      class NullProgress
        #: (Symbol, Hash[Symbol, untyped]) -> void
        def call(_name, _facts); end

        #: () -> void
        def close; end
      end

      # Numbers as a line of bars.
      module Sparkline
        BARS = %w[▁ ▂ ▃ ▄ ▅ ▆ ▇ █].freeze

        # The highest value is a full bar; 0 is blank, and small values stay visible.
        #: (Array[Numeric]) -> String
        def self.of(values)
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

# frozen_string_literal: true

module Mohs
  module Report
    # Renders a run's document (docs/json.md) for people: the answer in a sentence, the table, what
    # is to be known about its figures, and what to type next.
    class Terminal
      WIDTH = 100
      # Names of the lines below the table stand in a column of this width.
      MARGIN = 10
      LOG_LINES = 12

      #: (?style: Terminal::Style) -> void
      def initialize(style: Style.new)
        @style = style
      end

      #: (Hash[Symbol, untyped]) -> String
      def call(document)
        table = Table.new(document, style: @style)
        below = below(document, table).map { |name, text| named(name, text) }
        parts = [@style.paint(:bold, @style.wrap(document[:sentence].to_s)), table.to_s.chomp,
                 below.join("\n"), log(document)]
        "#{parts.compact.reject(&:empty?).join("\n\n")}\n"
      end

      private

      def named(name, text)
        "#{@style.paint(:dim, name.ljust(MARGIN))}#{@style.wrap(text, indent: MARGIN)}"
      end

      # The lines below the table: [[name, text], ...].
      def below(document, table)
        [marks(document), *reasons(document, table), *notes(document), *dropped(document),
         columns(table), *logs(document), *state(document)].compact
      end

      def marks(document)
        marks = document[:groups].to_a.map { |group| group[:mark] }
        [marks.join(", "), "what shares a mark can't be told apart here"] if marks.any?
      end

      # Reasons that the table had no room for.
      def reasons(document, table)
        rows = document[:rows].reject { |row| row[:reason].nil? || row[:state].to_s == "measured" }
        rows.reject { |row| table.whole?(row) && row[:reason].lines.one? }
            .map { |row| ["why", "#{row[:variant]}: #{row[:reason]}"] }
      end

      def notes(document) = document[:notes].to_a.map { |note| note.values_at(:name, :text) }

      def dropped(document)
        document[:dropped].to_a.map { |cut| ["left out", "#{cut[:variant]}: #{cut[:reason]}"] }
      end

      def columns(table)
        return if table.left_out.empty?

        titles = table.left_out.join(", ")
        ["columns", "no room for #{titles} in #{@style.width} columns: --json has them"]
      end

      def logs(document)
        row = document[:rows].find { |candidate| candidate[:log_tail] }
        row ? [["log", "mohs show #{document[:run]} --log #{quoted(row[:variant])}"]] : []
      end

      def state(document)
        again = ["run", "#{document[:run]} · again: mohs show #{document[:run]}"]
        return [again] if %w[finished running].include?(document[:state].to_s)

        stopped = "what is above was measured until then · to go on: mohs resume #{document[:run]}"
        [["stopped", stopped], again]
      end

      def quoted(name) = name.match?(/[\s"'$;&]/) ? name.inspect : name

      # Where nothing was measured, the server's own words help most.
      def log(document)
        rows = document[:rows]
        row = rows.find { |candidate| candidate[:log_tail] }
        return if row.nil? || rows.any? { |candidate| candidate[:state].to_s == "measured" }

        lines = row[:log_tail].lines.last(LOG_LINES).map { |line| "    #{line.chomp}" }
        "Last lines of the log of #{row[:variant]}:\n#{lines.join("\n")}"
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The screen of `mohs servers`, from its document: the matrix of what was seen and what is
      # only claimed, then what servers are known not to do, and what was refused; at the end, what
      # can stand in front of a server.
      class ServersScreen < Screen
        # Columns for the names of Rubies in a row; further names are on the lines below.
        RUBIES = 26
        VERIFY = "mohs servers --verify"
        FRONTS = ["in front", "connects by", "comes from"].freeze

        #: () -> String
        def to_s
          paragraphs(table, legend, untried,
                     *matrix.sections.map { |heading, notes| [heading, *lines(notes)].join("\n") },
                     fronts)
        end

        private

        def matrix = @matrix ||= ServersMatrix.new(@document)

        def table
          return "No server can run on the Rubies found here." if matrix.rows.empty?

          head = ["server", "Rubies", *ServersMatrix::TITLES.values]
          last = nil
          rows = matrix.rows.flat_map do |row|
            shown = row.server == last ? "" : row.server
            last = row.server
            row_lines(row, shown)
          end
          Columns.new([head, *rows]).to_s.chomp
        end

        # The marks are on the line of the first names.
        def row_lines(row, server)
          names = Style.new(width: RUBIES).flow(row.rubies, gap: " ", indent: 0).split("\n")
          blank = [""] * ServersMatrix::TITLES.size
          names.each_with_index.map do |text, at|
            at.zero? ? [server, text, *row.marks] : ["", text, *blank]
          end
        end

        def legend
          return if matrix.rows.empty?

          @style.wrap(matrix.legend.map { |mark, text| "#{mark}: #{text}" }.join("; "))
        end

        def untried
          count = matrix.rows.reject(&:tried).sum { |row| row.rubies.size }
          return if count.zero?

          @style.wrap("#{Numbers.counted(count, 'combination')} of server and Ruby never tried " \
                      "here: #{VERIFY}")
        end

        def lines(notes)
          notes.map do |note|
            text = "#{note.servers.join(', ')} on #{note.rubies.join(', ')}: #{note.text}"
            "  #{@style.wrap(text, indent: 4)}"
          end
        end

        def fronts
          rows = @document.fetch(:fronts).map do |front|
            origin = front[:reason] || front[:program] || "gem #{front[:gem]}"
            [front[:name], front[:unix] ? "tcp, unix" : "tcp", origin]
          end
          Columns.new([FRONTS, *rows]).to_s.chomp
        end
      end
    end
  end
end

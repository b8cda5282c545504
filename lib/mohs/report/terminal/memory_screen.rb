# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # `mohs show RUN --memory`: where the memory of each variant is, for its process tree and,
      # indented, for each process. Rendered from the run's document.
      class MemoryScreen
        HEAD = ["megabytes", "before load", "after", "private", "shared", "PSS", "RSS", "peak",
                "heap"].freeze
        FIGURES = (1..)
        # Characters of a process's title.
        MOST_NAME = 32
        AFTER = %i[private_bytes shared_bytes pss_bytes rss_bytes peak_rss_bytes].freeze
        LEGEND = [
          ["before", "at rest after the first response; the other columns after the load"],
          ["after", "as the column MB of the run: private memory and what forks share counted " \
                    "once, mapped files once"],
          ["shared", "of RSS, what other processes map as well: counted for each of them"],
          ["heap", "taken by a virtual machine for objects, part of RSS as far as it was touched"],
          ["boots", "the last measured boot of each variant"],
        ].freeze

        #: (Hash[Symbol, untyped], style: Terminal::Style) -> void
        def initialize(document, style:)
          @rows = document[:rows].select { |row| row[:memory] }
          @style = style
        end

        #: () -> String
        def to_s
          return "No memory was read: no variant was measured.\n" if @rows.empty?

          table = Columns.new([HEAD, *@rows.flat_map { |row| lines(row) }], figures: FIGURES).to_s
          legend = LEGEND.map { |line| @style.named(*line) }
          "#{table}\n#{legend.join("\n")}\n"
        end

        private

        def lines(row)
          before, after = row[:memory].values_at(:after_boot, :at_end).map(&:to_h)
          tree = [row[:variant], megabytes(before[:tree_bytes]), megabytes(after[:tree_bytes]),
                  *figures(after), megabytes(after.dig(:heap, :committed_bytes))]
          [tree, *after[:processes].to_a.map { |one| process(one, before[:processes].to_a) }]
        end

        # The figure before load is a dash for a process that started later.
        def process(one, earlier)
          then_too = earlier.find { |other| other[:pid] == one[:pid] }.to_h
          ["  #{@style.squeeze(one[:name], MOST_NAME)}", megabytes(then_too[:pss_bytes]),
           megabytes(one[:pss_bytes]), *figures(one), ""]
        end

        def figures(point) = AFTER.map { |name| megabytes(point[name]) }

        def megabytes(bytes) = Numbers.figure(bytes && (bytes / Numbers::MEGABYTE))
      end
    end
  end
end

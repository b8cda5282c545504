# frozen_string_literal: true

module Mohs
  class LoadRun
    # The latencies of a load as bars, from its document's histogram. Each row's range is wider
    # than the previous one by the same factor, so that both the many fast and the few slow
    # responses can be seen.
    class Histogram
      # Bars of the document that make up a row.
      TOGETHER = 3
      # The fastest responses share a row if they are at most this share of all.
      FASTEST = 0.01
      WIDEST = 40
      EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].freeze
      HEAD = ["from ms", "answers", "share", ""].freeze
      WIDTHS = [9, 11, 7].freeze

      #: (Array[Hash[Symbol, untyped]], style: Report::Terminal::Style) -> void
      def initialize(histogram, style:)
        @bars = histogram
        @style = style
        @total = histogram.sum { |bar| bar[:count] }
      end

      # [] if there is nothing to compare.
      #: () -> Array[String]
      def lines
        return [] if @bars.size < 2 || @total.zero?

        most = rows.map { |row| row[:count] }.max
        [line(HEAD), *rows.map { |row| line([*figures(row), bar(row[:count].fdiv(most))]) }]
      end

      private

      def rows = @rows ||= merged(@bars.each_slice(TOGETHER).map { |bars| sum(bars) })

      def sum(bars) = { from_ms: bars.first[:from_ms], count: bars.sum { |bar| bar[:count] } }

      def merged(rows)
        seen = 0
        first = rows.index { |row| (seen += row[:count]) > FASTEST * @total }
        first < 2 ? rows : [sum(rows.first(first)), *rows.drop(first)]
      end

      def figures(row)
        count = row[:count]
        [Report::Numbers.figure(row[:from_ms]), Report::Numbers.thousands(count),
         count.zero? ? "" : Report::Numbers.tenths(count.fdiv(@total))]
      end

      # Small counts stay visible.
      def bar(share)
        room = (@style.width - WIDTHS.sum - 3).clamp(8, WIDEST)
        eighths = (share * room * 8).ceil
        ("█" * (eighths / 8)) + EIGHTHS[eighths % 8]
      end

      def line(cells)
        *numbers, bar = cells
        "#{numbers.zip(WIDTHS).map { |cell, width| cell.rjust(width) }.join}   #{bar}".rstrip
      end
    end
  end
end

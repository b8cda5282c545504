# frozen_string_literal: true

module Mohs
  module Repro
    # The categories in which sampled servers spent their CPU time, from the document of `mohs
    # repro`: a line for each category, a column for each variant. If there is little room,
    # variants have no intervals, and the last ones are left out.
    class ShareTable
      HEAD = "share of CPU time"
      # A category whose share is smaller in every variant is not worth a line.
      LEAST = 0.0005
      # Width of a share, so that figures are aligned.
      FIGURE = 6

      #: (Array[Hash[Symbol, untyped]]?, style: Report::Terminal::Style) -> void
      def initialize(levels, style:)
        @levels = levels.to_a
        @style = style
      end

      # [] if nothing was sampled.
      #: () -> Array[String]
      def paragraphs = @levels.empty? ? [] : [table, notes]

      private

      def table
        rows = rows(intervals: true)
        narrow = fitting(rows) != columns
        rows = rows(intervals: false) if narrow
        kept = fitting(rows)
        absent = @levels.values_at(*(columns - kept).map(&:pred)).map { |one| one[:variant] }
        @left_out = [*("intervals" if narrow), *absent]
        Report::Terminal::Columns.new(rows.map { |row| row.values_at(*kept) }).lines
               .map { |line| @style.cut(line) }.join("\n")
      end

      def columns = (0..@levels.size).to_a

      # The names of categories and the first variant always stay.
      def fitting(rows)
        least_first = columns.drop(2).reverse.map { |column| [column] }
        Report::Terminal::Columns.fitting(rows, least_first:, width: @style.width)
      end

      def rows(intervals:)
        [[HEAD, *@levels.map { |level| level[:variant] }],
         *names.map { |name| [name, *@levels.map { |level| cell(level, name, intervals) }] }]
      end

      # Sorted by the largest share in any variant.
      def names
        all = @levels.flat_map { |level| level[:categories] }.group_by { |one| one[:name] }
        sizes = all.transform_values { |same| same.map { |one| one[:share] }.max }
        sizes.select { |_, size| size >= LEAST }.sort_by { |_, size| -size }.map(&:first)
      end

      def cell(level, name, intervals)
        found = level[:categories].find { |one| one[:name] == name }
        return Report::Numbers::NONE.rjust(FIGURE) unless found

        [Report::Numbers.share(found[:share]).rjust(FIGURE),
         *(Report::Numbers.shares(found[:interval]) if intervals && found[:interval])].join(" ")
      end

      def notes
        named = [["shares", text], *([@style.left_out(@left_out)] if @left_out.any?)]
        named.map { |name, text| @style.named(name, text) }.join("\n")
      end

      def text
        samples = @levels.map do |level|
          Report::Render.text("repro_samples", variant: level[:variant], samples: level[:samples],
                                       boots: Report::Numbers.counted(level[:trials], "boot"))
        end
        Report::Render.text("repro_shares", samples:)
      end
    end
  end
end

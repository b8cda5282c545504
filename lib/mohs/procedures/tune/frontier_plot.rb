# frozen_string_literal: true

module Mohs
  module Tune
    # Rates of settings against the memory that they need, as points: rates upwards, memory to the
    # right. Each point has a number, which the legend below explains; points in the same place
    # share one. Letters would be mistaken for those of groups.
    class FrontierPlot
      WIDEST = 80
      # With less room the labels of an axis would collide, and the legend would have no names.
      NARROWEST = 40
      LOWEST = 3

      # An axis covers at least this share of its highest value, so that points that differ by
      # chance only are drawn close together.
      LEAST_SPAN = 0.1

      NUMBERS = ("1".."9").to_a.freeze
      # The mark of all further places.
      MORE = "+"
      # Columns between the labels of the rates and the points.
      AXIS = 3

      FRONTIER = "frontier: no other setting serves more with as little memory"
      FIGURES = (2..)

      # points: [{ name:, x: (memory in bytes), y: (rate per second), frontier: (bool) }, ...], in
      # the order of the legend. height: rows of the field of points, LOWEST at least. Lines are
      # as wide as the style, from NARROWEST to WIDEST columns.
      #: (Array[Hash[Symbol, untyped]], height: Integer, ?style: Report::Terminal::Style) -> void
      def initialize(points, height:, style: Report::Terminal::Style.new)
        @points = points
        @width = style.width.clamp(NARROWEST, WIDEST)
        @height = [height, LOWEST].max
        @style = style
      end

      # [] if there are no points.
      #: () -> Array[String]
      def lines
        return [] if @points.empty?

        all = [title, *field, *memory_axis, "", *legend]
        all.map { |line| @style.plain(line.rstrip) }
      end

      # The range of values that an axis with this number of cells covers.
      Axis = Struct.new(:low, :high, :cells) do
        #: (Array[Numeric], Integer) -> Axis
        def self.of(values, cells)
          low, high = values.minmax
          margin = [(high * LEAST_SPAN) - (high - low), 0].max / 2.0
          new(low - margin, high + margin, cells)
        end

        # The index of the value's cell; the middle cell if all values are 0.
        #: (Numeric) -> Integer
        def cell(value)
          share = high == low ? 0.5 : (value - low).fdiv(high - low)
          (share * (cells - 1)).round
        end
      end
      private_constant :Axis

      private

      def title = "#{' ' * margin}requests/s"

      def field
        ends = { 0 => rates.high, @height - 1 => rates.low }
        Array.new(@height) do |row|
          cells = Array.new(memory.cells, " ")
          marks.each { |(column, at), mark| cells[column] = mark if at == row }
          "#{label(ends[row])} #{cells.join}"
        end
      end

      def label(rate)
        rate ? "#{Report::Numbers.figure(rate).rjust(margin)} ┤" : "#{' ' * margin} │"
      end

      def memory_axis
        low, high = megabytes(memory.low), megabytes(memory.high)
        title = "memory".center(memory.cells - low.length - high.length)
        ["#{' ' * margin} └#{'─' * (memory.cells + 1)}",
         "#{' ' * (margin + AXIS)}#{low}#{title}#{high}"]
      end

      def legend
        rows = @points.map { |point| explained(point) }
        table = Report::Terminal::Columns.new(rows, figures: FIGURES).lines
        frontier? ? [*table, "", *@style.wrap(FRONTIER).lines] : table
      end

      def explained(point)
        [marks.fetch(place(point)), @style.squeeze(point[:name], most_name), *figures(point)]
      end

      def figures(point)
        frontier = point[:frontier] ? "frontier" : ""
        ["#{Report::Numbers.figure(point[:y])}/s", megabytes(point[:x]),
         *(frontier if frontier?)]
      end

      def frontier? = @points.any? { |point| point[:frontier] }

      # Columns that the mark and the figures leave for a name.
      def most_name
        widths = @points.map { |point| figures(point).map(&:length) }.transpose.map(&:max)
        @width - 1 - widths.sum - ((widths.size + 1) * Report::Terminal::Columns::GAP.length)
      end

      # { [column, row] => mark }
      def marks
        @marks ||= @points.map { |point| place(point) }.uniq.zip(NUMBERS).to_h
                          .transform_values { |number| number || MORE }
      end

      def place(point) = [memory.cell(point[:x]), @height - 1 - rates.cell(point[:y])]

      def rates = @rates ||= Axis.of(@points.map { |point| point[:y] }, @height)

      def memory = @memory ||= Axis.of(@points.map { |point| point[:x] }, @width - margin - AXIS)

      # Width of the labels of the rates.
      def margin
        @margin ||= [rates.low, rates.high].map { |rate| Report::Numbers.figure(rate).length }.max
      end

      def megabytes(bytes) = "#{Report::Numbers.figure(bytes / Report::Numbers::MEGABYTE)} MB"
    end
  end
end

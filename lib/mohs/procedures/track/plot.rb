# frozen_string_literal: true

module Mohs
  module Track
    # A history as points from left to right, one in each column, the newest on the right: the
    # change relative to the reference upwards, the means between changes as lines.
    class Plot
      HEIGHT = 9
      POINT = "o"
      LINE = "-"
      CHANGE = "^"

      # Between the labels and the points.
      AXIS = " |"

      # points: per cent, or any other numbers. stretches: [[first, last, level], ...], the
      # indexes of a stretch's end points and its level. changes: indexes of the first point after
      # each change.
      #: (Array[Numeric], stretches: Array[[Integer, Integer, Numeric]], changes: Array[Integer], ?label: ^(Numeric) -> String, ?style: Report::Terminal::Style) -> void
      def initialize(points, stretches:, changes:, label: :to_s.to_proc, style: Report::Terminal::Style.new)
        @points = points
        @stretches = stretches
        @changes = changes
        @label = label
        @style = style
      end

      # [] if there are no points.
      #: () -> Array[String]
      def lines
        return [] if @points.empty?

        [*field, marks].map { |line| @style.plain(line.rstrip) }.reject(&:empty?)
      end

      private

      def field
        Array.new(HEIGHT) do |row|
          cells = shown.map { |index| cell(index, row) }
          "#{margin(row)}#{AXIS} #{cells.join}"
        end
      end

      def cell(index, row)
        return POINT if row_of(@points[index]) == row

        level = @stretches.find { |first, last, _| index.between?(first, last) }&.last
        level && row_of(level) == row ? LINE : " "
      end

      def marks
        cells = shown.map { |index| @changes.include?(index) ? CHANGE : " " }
        "#{' ' * (width + AXIS.length)} #{cells.join}"
      end

      # The newest points that fit.
      def shown
        room = [@style.width - width - AXIS.length - 1, 1].max
        @shown ||= @points.each_index.to_a.last(room)
      end

      def margin(row)
        labels = { 0 => high, HEIGHT - 1 => low }
        (labels[row] ? @label.call(labels[row]) : "").rjust(width)
      end

      def width = @width ||= [low, high].map { |value| @label.call(value).length }.max

      def row_of(value)
        share = high == low ? 0.5 : (high - value).fdiv(high - low)
        (share * (HEIGHT - 1)).round
      end

      def low = @low ||= @points.min

      def high = @high ||= @points.max
    end
  end
end

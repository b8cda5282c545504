# frozen_string_literal: true

module Mohs
  module Track
    # A history: the plot of its points, its changes, and a table of the points. document: that of
    # `mohs history NAME`.
    class Section < Report::Sections::Base
      KEY = "history"
      TITLE = "Against the reference, point by point"
      HEIGHT = 286
      TOP = 10
      # Most labels along the axis: as many as fit on a phone.
      LABELS = 4

      private

      def any? = !@document[:track].nil? && @document[:points].is_a?(Array)

      def parts = [picture, changes, points]

      def better = @document[:metric][:better]

      def how
        "A dot is a point, the line the mean between changes, an upright line a change. " \
          "Up is #{better == 'more' ? 'better' : 'worse'}."
      end

      def line = @line ||= Line.new(@document)

      def picture
        return "No point has figures yet." if line.kept.empty?

        across = Parts::Axis.new(values: [-0.5, line.kept.size - 0.5], ticks: dates, plain: true)
        down = Parts::Axis.new(values: [0.0, *line.values], unit: :percent, ticks: 5)
        Parts::Chart.new(key: "plot", title: "History #{@document[:track]}", height: HEIGHT,
                         top: TOP, text: @document[:sentence].to_s, across:, down:,
                         limits: line.firsts.map { |at| Parts::Limit.new(across: at - 0.5) },
                         lines: line.stretches.map { |one| mean(*one) },
                         marks: line.values.each_with_index.map { |value, at| mark(value, at) })
      end

      # A mean's line ends a little beyond its points.
      def mean(from, to, value)
        points = [from - 0.4, to + 0.4].map { |at| [at, value] }
        Parts::Line.new(points:, series: 0)
      end

      def mark(value, at)
        point = line.kept[at]
        text = "#{Line.place(point)}: #{Report::Change.new(point, better:).signed}"
        Parts::Mark.new(x: at, y: value, shape: :disc, series: 0, small: true, text:)
      end

      def dates
        step = line.kept.size.fdiv(LABELS).ceil
        shown = line.kept.each_with_index.select { |_, at| (at % step).zero? }
        shown.to_h { |point, at| [at, Report::Numbers.day(point[:at_ms])] }
      end

      def changes
        table = view.table(:changes) or return "No changes."
        shown(table, "Changes, the newest first", figures: %i[change interval points])
      end

      def points
        columns = [column(:run, "run"), column(:measured, "measured"), column(:commit, "commit"),
                   column(:change, "against the reference", figure: true),
                   column(:interval, "interval", figure: true), column(:reason, "")]
        rows = @document[:points].reverse.map { |point| row(point) }
        folded("Every point", table(:points, columns, rows, caption: "Points, the newest first"))
      end

      def row(point)
        change = Report::Change.new(point, better:) if point[:effect]
        { run: cell(point[:run]), measured: moment(point[:at_ms]),
          commit: cell([Line.place(point), *point.dig(:commit, :title)].join(" ")),
          change: cell(change ? change.signed : Report::Numbers::NONE),
          interval: cell(change&.interval), reason: cell(point[:reason]) }
      end

      def moment(at_ms)
        cell(at_ms ? Report::Numbers.minute(at_ms) : Report::Numbers::NONE, value: at_ms)
      end
    end
  end
end

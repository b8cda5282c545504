# frozen_string_literal: true

module Mohs
  module Track
    # A history: the plot of its points, its changes, and a table of the points. document: that of
    # `mohs history NAME`.
    class Section < Report::Html::Section
      ID = "history"
      TITLE = "Against the reference, point by point"
      HEIGHT = 280
      BOTTOM = 254
      TOP = 10
      # Most labels along the axis: as many as fit on a phone.
      LABELS = 4
      POINTS = ["run", "measured", "commit", "against the reference", "interval", ""].freeze

      #: () -> bool
      def any? = !@document[:track].nil? && @document[:points].is_a?(Array)

      #: () -> untyped
      def content = [picture, changes, points]

      private

      def better = @document[:metric][:better]

      def how
        "A dot is a point, the line the mean between changes, an upright line a change. " \
          "Up is #{better == 'more' ? 'better' : 'worse'}."
      end

      def line = @line ||= Track::Line.new(@document)

      def picture
        return element(:p, "No point has figures yet.") if line.kept.empty?

        plot = plot("plot", title: "History #{@document[:track]}", height: HEIGHT,
                            text: @document[:sentence].to_s)
        plot.down(down, down.ticks(5), TOP, BOTTOM) { |tick| "#{Report::Numbers.number(tick)} %" }
        dates(plot)
        line.firsts.map { |at| across.at(at - 0.5) }
            .each { |x| plot.line(x, TOP, x, BOTTOM, "limit") }
        plot.curves(line.stretches.map { |from, to, mean| [ends(from, to, mean), "s0"] })
        line.values.each_with_index { |value, at| mark(plot, value, at) }
        plot.to_element
      end

      def across = @across ||= Report::Html::Scale.linear([-0.5, line.kept.size - 0.5]).indented

      def down = @down ||= Report::Html::Scale.linear([0.0, *line.values])

      # The ends of a mean's line, a little beyond its points but within the axis.
      def ends(from, to, mean)
        [from - 0.4, to + 0.4].map { |at| [across.at(at), y(mean)] }
      end

      def y(value) = down.y(value, BOTTOM, top: TOP)

      def mark(plot, value, at)
        point = line.kept[at]
        plot.mark(across.at(at), y(value), :disc, "small s0",
                  "#{Track::Line.place(point)}: #{Report::Change.new(point, better:).signed}")
      end

      def dates(plot)
        step = line.kept.size.fdiv(LABELS).ceil
        line.kept.each_with_index do |point, at|
          next unless (at % step).zero?

          plot.text(across.at(at), BOTTOM + 16, Report::Numbers.day(point[:at_ms]), kind: "tick",
                                                                            anchor: "middle")
        end
      end

      def changes
        changes = view.table(:changes) or return element(:p, "No changes.")
        table_of(changes, "Changes, the newest first", figures: %i[change interval points])
      end

      def points
        rows = @document[:points].reverse.map { |point| row(point) }
        folded("Every point", table("Points, the newest first", POINTS, rows, figures: 3..4))
      end

      def row(point)
        shown = Report::Change.new(point, better:) if point[:effect]
        title = point.dig(:commit, :title)
        [run(point[:run]), moment(point[:at_ms]),
         [Track::Line.place(point), title].compact.join(" "), shown ? shown.signed : Report::Numbers::NONE,
         shown&.interval.to_s, point[:reason].to_s]
      end

      # The cell for a point's run; a served page makes it a link.
      def run(key) = key
    end
  end
end

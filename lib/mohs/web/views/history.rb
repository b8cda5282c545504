# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # A history: the picture of its points, its changes, the points. document: that of
      # mohs history NAME.
      class History < View
        ID = "history"
        TITLE = "Against the reference, point by point"
        HEIGHT = 280
        BOTTOM = 254
        TOP = 10
        # Labels along the axis, at most: as many as a telephone has room for.
        LABELS = 4
        HEAD = ["changed between", "and", "change", "interval", "points"].freeze
        POINTS = ["run", "measured", "commit", "against the reference", "interval", ""].freeze

        #: () -> untyped
        def content = [metrics, picture, changes, points]

        private

        def better = @document[:metric][:better]

        def how
          "A dot is a point, the line the mean between changes, an upright line a change. " \
            "Up is #{better == 'more' ? 'better' : 'worse'}."
        end

        # Which metric is drawn.
        def metrics
          names = Analysis::Metric::ALL.to_h { |metric| [metric.name, metric.title] }
          element(:form, field("metric", choice("metric", names, @document[:metric][:name])),
                  button("Show"), method: "get", class: "filters")
        end

        def line = @line ||= Report::HistoryLine.new(@document)

        def picture
          return element(:p, "No point has figures yet.") if line.kept.empty?

          plot = plot("plot", title: "History #{@document[:track]}", height: HEIGHT,
                              text: @document[:sentence].to_s)
          plot.down(down, down.ticks(5), TOP, BOTTOM) { |tick| percent(tick) }
          dates(plot)
          line.firsts.map { |at| across.at(at - 0.5) }
              .each { |x| plot.line(x, TOP, x, BOTTOM, "limit") }
          plot.curves(line.stretches.map { |from, to, mean| [ends(from, to, plot, mean), "s0"] })
          line.values.each_with_index { |value, at| mark(plot, value, at) }
          plot.to_element
        end

        def across
          @across ||= Report::Html::Scale.linear([-0.5, line.kept.size - 0.5]).indented
        end

        def down = @down ||= Report::Html::Scale.linear([0.0, *line.values])

        def percent(value) = "#{Report::Numbers.number(value)} %"

        # A little beyond the points, as far as the axis goes.
        def ends(from, to, plot, mean)
          [from - 0.4, to + 0.4].map { |at| [across.at(at), y(plot, mean)] }
        end

        def y(plot, value) = plot.down_at(down, value, TOP, BOTTOM)

        def mark(plot, value, at)
          point = line.kept[at]
          plot.mark(across.at(at), y(plot, value), :disc, "small s0",
                    "#{place(point)}: #{signed(point[:effect])}")
        end

        def dates(plot)
          step = line.kept.size.fdiv(LABELS).ceil
          line.kept.each_with_index do |point, at|
            next unless (at % step).zero?

            plot.text(across.at(at), BOTTOM + 16, day(point[:at_ms]), kind: "tick",
                                                                      anchor: "middle")
          end
        end

        def day(at_ms) = Time.at(at_ms / 1000).strftime("%Y-%m-%d")

        def place(one)
          commit = one[:commit] or return day(one[:at_ms])
          "#{commit[:short]} (#{commit[:date]})"
        end

        def signed(effect) = Report::Change.new({ effect: }, better:).signed

        def changes
          return element(:p, "No changes.") if @document[:changes].empty?

          rows = @document[:changes].reverse.map do |change|
            shown = Report::Change.new(change, better:)
            [place(change[:from]), place(change[:to]), shown.signed, shown.interval.to_s,
             change[:points].join(" + ")]
          end
          table("Changes, the newest first", HEAD, rows, figures: 2..)
        end

        def points
          rows = @document[:points].reverse.map { |point| row(point) }
          folded("Every point", table("Points, the newest first", POINTS, rows, figures: 3..4))
        end

        def row(point)
          shown = Report::Change.new(point, better:) if point[:effect]
          title = point.dig(:commit, :title)
          [run_link(point[:run]), moment(point[:at_ms]),
           [place(point), title].compact.join(" "), shown ? shown.signed : DASH,
           shown&.interval.to_s, point[:reason].to_s]
        end
      end
    end
  end
end

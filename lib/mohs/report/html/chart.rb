# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Draws lines and marks between two axes, and the legend of lines that have names.
      class Chart
        # Pixels below the chart, for the labels of its axis, and how far below it they are.
        FOOT = 32
        TICK = 16
        # From the right of this place on, in per cent, labels are left of their marks.
        RIGHT = 75
        # Characters of a label.
        LABEL = 16
        # The height of marks beyond the chart.
        BEYOND = 6

        #: (View::Section::Chart, id: String) -> void
        def initialize(chart, id:)
          @chart = chart
          @id = id
        end

        #: () -> Array[Markup::Element?]
        def to_element = [picture, legend]

        private

        def element(...) = Markup.element(...)

        def picture
          plot = Plot.new("#{@id}-#{@chart.key}", title: @chart.title, text: @chart.text,
                                                  height: @chart.height)
          axes(plot)
          @chart.limits.to_a.each { |limit| limit(plot, limit) }
          plot.curves(@chart.lines.map { |line| [places(line), kind(line)] }) if @chart.lines.any?
          @chart.marks.each_with_index { |mark, at| mark(plot, mark, at) }
          plot.to_element
        end

        def top = @chart.top || 0

        def bottom = @chart.height - FOOT

        def across = @across ||= scale(@chart.across).indented

        def down = @down ||= scale(@chart.down)

        def scale(axis)
          axis.log ? Scale.log(axis.values) : Scale.linear(axis.values, zero: axis.zero)
        end

        def axes(plot)
          plot.down(down, down.ticks(@chart.down.ticks), top, bottom) do |tick|
            Ticks.text(@chart.down.unit, tick)
          end
          ticks, unit = @chart.across.ticks, @chart.across.unit
          return named(plot, ticks) if ticks.is_a?(Hash)

          plot.across(across, across.ticks(ticks), top, bottom) { |tick| Ticks.text(unit, tick) }
        end

        def named(plot, ticks)
          shown = ticks.select { |at, _| across.cover?(at) }
          return plot.across(across, shown.keys, top, bottom) { |at| shown.fetch(at) } unless
            @chart.across.plain

          shown.each do |at, text|
            plot.text(across.at(at), bottom + TICK, text, kind: "tick", anchor: "middle")
          end
        end

        def places(line) = line.points.map { |at| at && [across.at(at.first), height(at.last)] }

        def height(y) = down.y(y, bottom, top:)

        def limit(plot, limit)
          if limit.across
            x = across.at(limit.across)
            return plot.line(x, top, x, bottom, "limit")
          end

          y = height(limit.down)
          plot.line(0, y, 100, y, "limit")
          plot.text(100, y - 4, limit.text, anchor: "end", kind: "value") if limit.text
        end

        def kind(line) = line.series ? Plot.series(line.series) : "bound"

        def mark(plot, mark, at)
          x, y = across.at(mark.x), mark.y ? height(mark.y) : BEYOND
          low, high = mark.ends&.map { |one| height(one) }
          plot.line(x, low, x, high, "interval") if low
          kind = [*("small" if mark.small), *look(mark)]
          plot.mark(x, y, mark.shape || Plot.shape(mark.series), kind, mark.text)
          label(plot, mark, x, y, at) if mark.label
        end

        def look(mark) = mark.series ? Plot.series(mark.series) : Markup.tone(mark.tone)

        # Labels stand above and below the marks in turn, so that neighbours don't collide.
        def label(plot, mark, x, y, at)
          beside, anchor = x > RIGHT ? [-8, "end"] : [8, "start"]
          aside = element(:tspan, mark.aside, class: "wide") if mark.aside
          plot.text(x, y + (at.even? ? -8 : 18), [Printable.cut(mark.label, LABEL), aside],
                    kind: "name", beside:, anchor:)
        end

        # Explains the lines, in their order.
        def legend
          lines = @chart.lines.select(&:name)
          return if lines.size < 2

          items = lines.map { |line| element(:li, sample(line.series), " ", line.name) }
          element(:ul, items, class: "legend")
        end

        # A short piece of the series' line, with its mark.
        def sample(series)
          kind = Plot.series(series)
          line = element(:line, x1: "0", y1: "7", x2: "30", y2: "7", class: "curve #{kind}")
          path = element(:path, d: Plot::SHAPES.fetch(Plot.shape(series)), class: "m small #{kind}")
          mark = element(:svg, path, x: "15", y: "7", overflow: "visible")
          element(:svg, line, mark, width: "30", height: "14", "aria-hidden": "true")
        end
      end
    end
  end
end

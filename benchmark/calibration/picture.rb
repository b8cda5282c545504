# frozen_string_literal: true

module Mohs
  module Calibration
    # A chart as SVG text: axes with ticks, and marks placed in the data's units. It has its own
    # background, so that it is readable on a dark page too.
    class Picture
      WIDTH = 720
      HEIGHT = 300
      LEFT = 150
      RIGHT = 24
      TOP = 44
      BOTTOM = 52

      INK = "#24292f"
      FAINT = "#d0d7de"
      BLUE = "#0969da"
      RED = "#cf222e"
      GREEN = "#1a7f37"
      GREY = "#6e7781"

      # x, y: ranges of the data.
      #: (title: String, x: Range[Float], y: Range[Float], ?height: Integer) -> void
      def initialize(title:, x:, y:, height: HEIGHT)
        @x = x
        @y = y
        @height = height
        @marks = [element("rect", width: WIDTH, height:, fill: "#ffffff"),
                  label(title, 16, 26, size: 15, weight: "bold")]
      end

      # Ticks below the chart, and their label.
      #: (Array[Numeric], String) { (Numeric) -> String } -> void
      def x_axis(ticks, name)
        ticks.each do |tick|
          line([tick, @y.begin], [tick, @y.end], FAINT)
          @marks << label(yield(tick), across(tick), base + 16, anchor: "middle")
        end
        @marks << label(name, (LEFT + WIDTH - RIGHT) / 2, base + 38, anchor: "middle")
      end

      # Labels left of the chart, at heights of the data.
      #: (Hash[Numeric, String]) -> void
      def y_axis(words)
        words.each { |y, text| @marks << label(text, LEFT - 10, up(y) + 4, anchor: "end") }
      end

      #: ([Numeric, Numeric], [Numeric, Numeric], String, ?width: Numeric) -> void
      def line(from, to, color, width: 1)
        @marks << element("line", x1: across(from[0]), y1: up(from[1]), x2: across(to[0]),
                                  y2: up(to[1]), stroke: color, "stroke-width": width)
      end

      #: (Array[[Numeric, Numeric]], String) -> void
      def path(points, color)
        at = points.map { |x, y| "#{across(x)},#{up(y)}" }.join(" ")
        @marks << element("polyline", points: at, fill: "none", stroke: color, "stroke-width": 2)
      end

      # The area between two lines of points, as a background for other marks.
      #: (Array[[Numeric, Numeric]], Array[[Numeric, Numeric]], String) -> void
      def band(low, high, color)
        at = (low + high.reverse).map { |x, y| "#{across(x)},#{up(y)}" }.join(" ")
        @marks << element("polygon", points: at, fill: color, "fill-opacity": 0.18)
      end

      #: (Numeric, Numeric, String, ?radius: Numeric) -> void
      def dot(x, y, color, radius: 3.5)
        @marks << element("circle", cx: across(x), cy: up(y), r: radius, fill: color,
                                    "fill-opacity": 0.75)
      end

      #: (String, Numeric, Numeric, String) -> void
      def note(text, x, y, color) = @marks << label(text, across(x), up(y), color:)

      #: () -> String
      def to_s
        <<~SVG
          <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 #{WIDTH} #{@height}" width="#{WIDTH}" height="#{@height}" font-family="sans-serif">
          #{@marks.join("\n")}
          </svg>
        SVG
      end

      private

      def base = @height - BOTTOM

      def across(x) = place(x, @x, LEFT, WIDTH - RIGHT)

      def up(y) = place(y, @y, base, TOP)

      # The position of a value, clamped to the ends.
      def place(value, range, from, to)
        share = (value.clamp(range) - range.begin) / (range.end - range.begin).to_f
        (from + (share * (to - from))).round(1)
      end

      def label(text, x, y, color: INK, size: 12, weight: "normal", anchor: "start")
        element("text", text.encode(xml: :text), x:, y:, fill: color, "font-size": size,
                                                 "font-weight": weight, "text-anchor": anchor)
      end

      def element(name, content = nil, **attributes)
        given = attributes.map { |key, value| " #{key}=#{value.to_s.encode(xml: :attr)}" }.join
        content ? "<#{name}#{given}>#{content}</#{name}>" : "<#{name}#{given}/>"
      end
    end
  end
end

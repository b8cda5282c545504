# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # An SVG picture as wide as its container: horizontal positions are shares of the width
      # (Scale#at, in per cent), vertical ones are pixels, so that text has the same size on every
      # screen. Lines with many points are in an element of their own, which is stretched.
      class Plot
        # Paths of marks, relative to their position. Shape and colour carry the same meaning.
        SHAPES = { disc: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
                   square: "M-4.5-4.5h9v9h-9z", diamond: "M0-6.5 6.5 0 0 6.5-6.5 0z",
                   up: "M0-6 6 5-6 5z", down: "M0 6 6-5-6-5z", tick: "M0-7v14",
                   cross: "M-4.5-4.5 4.5 4.5M-4.5 4.5 4.5-4.5" }.freeze
        # Width of a stretched part, in its own units.
        WIDE = 1000
        # Characters of a name in a picture; its title has the whole name.
        NAME = 38

        # Series differ in colour, in shape and, from the seventh on, in their dashes.
        COLOURS = 6
        SERIES = %i[disc square up diamond down].freeze

        # CSS classes of a series' line, by the number of the series.
        #: (Integer) -> String
        def self.series(number)
          "s#{number % COLOURS}#{" d#{(number / COLOURS) % 3}" if number >= COLOURS}"
        end

        #: (Integer) -> Symbol
        def self.shape(number) = SERIES[number % SERIES.size]

        # id: unique in the page. title, text: what the picture shows, for readers who can't see it.
        #: (String, title: String, text: String, height: Integer) -> void
        def initialize(id, title:, text:, height:)
          @id = id
          @title = title
          @text = text
          @height = height
          @parts = []
        end

        #: (Numeric, Numeric, Numeric, Numeric, String) -> void
        def line(x1, y1, x2, y2, kind)
          add(:line, x1: per_cent(x1), y1:, x2: per_cent(x2), y2:, class: kind)
        end

        # title: what the band stands for, read out under the pointer.
        #: (Numeric, Numeric, Numeric, Numeric, String, ?title: String?) -> void
        def band(x1, x2, y, height, kind, title: nil)
          rect = element(:rect, x: per_cent(x1), y:, width: per_cent((x2 - x1).round(2)), height:,
                                class: title ? nil : kind)
          @parts << (title ? element(:g, element(:title, title), rect, class: kind) : rect)
        end

        # anchor: start, middle or end. beside: pixels that the text is moved to the right.
        #: (Numeric, Numeric, untyped, ?kind: String, ?anchor: String?, ?beside: Integer?) -> void
        def text(x, y, text, kind: "", anchor: nil, beside: nil)
          add(:text, text, x: per_cent(x), y:, dx: beside, class: kind.empty? ? nil : kind,
                           "text-anchor": anchor)
        end

        # A name, cut if it is longer than this many characters.
        #: (Numeric, Numeric, String, ?most: Integer) -> void
        def name(x, y, name, most: NAME)
          short = Printable.cut(name, most)
          full = element(:title, name) if short != name
          add(:text, short, full, x: per_cent(x), y:, class: "name")
        end

        # kind: CSS classes. title: what the mark stands for, read out under the pointer.
        #: (Numeric, Numeric, Symbol, (String | Array[String])?, String) -> void
        def mark(x, y, shape, kind, title)
          path = element(:path, d: SHAPES.fetch(shape))
          dot = element(:g, element(:title, title), path, class: ["m", shape, *kind].join(" "))
          @parts << element(:svg, dot, x: per_cent(x), y:, overflow: "visible")
        end

        # The grid and labels of a horizontal axis. The block returns a tick's label.
        #: (Html::Scale, Array[Numeric], Integer, Integer) { (Numeric) -> String } -> void
        def across(scale, ticks, top, bottom)
          ticks.each do |tick|
            x = scale.at(tick)
            line(x, top, x, bottom, "grid")
            anchor = { true => "start" }.fetch(x < 6) { x > 94 ? "end" : "middle" }
            text(x, bottom + 14, yield(tick), kind: "tick", anchor:)
          end
        end

        # The grid and labels of a vertical axis, between `top` and `bottom`. The block returns a
        # tick's label.
        #: (Html::Scale, Array[Numeric], Integer, Integer) { (Numeric) -> String } -> void
        def down(scale, ticks, top, bottom)
          ticks.each do |tick|
            y = scale.y(tick, bottom, top:)
            line(0, y, 100, y, "grid")
            text(0, y - 3, yield(tick), kind: "tick")
          end
        end

        # Lines through points [[x in per cent, y], ...]; nil interrupts a line. Each line has its
        # CSS classes.
        #: (Array[[Array[[Numeric, Numeric]?], String]]) -> void
        def curves(curves)
          paths = curves.map do |points, kind|
            runs = points.chunk_while { |one, other| one && other }.map(&:compact)
            d = runs.reject(&:empty?).map { |run| path(run) }.join
            element(:path, d:, class: "curve #{kind}")
          end
          stretched(paths, view: "0 0 #{WIDE} #{@height}", y: 0, height: @height)
        end

        # Elements in units of their own (view), stretched to the width from `from` on.
        #: (untyped, view: String, y: Integer, height: Integer, ?from: Numeric, ?kind: String?) -> void
        def stretched(children, view:, y:, height:, from: 0, kind: nil)
          place = { x: per_cent(from), y:, width: per_cent(100 - from), height: }
          @parts << element(:svg, children, viewBox: view, preserveAspectRatio: "none",
                                            class: kind, **place)
        end

        #: () -> Markup::Element
        def to_element
          svg = element(:svg, element(:title, @title, id: "#{@id}-title"),
                        element(:desc, @text, id: "#{@id}-text"), @parts,
                        class: "plot", width: "100%", height: @height, role: "img",
                        "aria-labelledby": "#{@id}-title #{@id}-text")
          element(:div, svg, element(:p, class: "readout", "aria-live": "polite"), class: "picture")
        end

        private

        def element(...) = Markup.element(...)

        def add(name, *children, **attributes)
          @parts << element(name, *children, **attributes)
        end

        def per_cent(value) = "#{value.is_a?(Float) && value == value.round ? value.round : value}%"

        def path(run)
          "M#{run.map { |x, y| "#{(x * 10).round(1)} #{y}" }.join('L')}"
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Draws values as marks on one axis, one row for each name.
      class Dots
        ROW = 38
        AXIS = 26

        # How the kinds of marks are drawn.
        MARKS = { boot: [:disc, "boot-mark"], mean: [:tick, "mean"], early: [:disc, "m-open"],
                  middle: [:diamond, "m-half"], late: [:disc, "m-full"] }.freeze

        #: (View::Section::Dots, id: String) -> void
        def initialize(dots, id:)
          @dots = dots
          @rows = dots.rows
          @id = id
        end

        #: () -> Markup::Element
        def to_element
          plot = Plot.new("#{@id}-#{@dots.key}", title: @dots.title, text: @dots.text,
                                                 height: bottom + AXIS)
          plot.across(scale, scale.ticks, 0, bottom) { |tick| Ticks.text(@dots.unit, tick) }
          @rows.each_with_index { |row, at| row(plot, row, at * ROW) }
          plot.to_element
        end

        private

        def bottom = @rows.size * ROW

        def scale
          @scale ||= begin
            values = @rows.flat_map { |row| row[:marks].map(&:first) }
            Scale.linear(values, zero: @dots.zero)
          end
        end

        def row(plot, row, top)
          y = top + 27
          plot.line(0, top, 100, top, "rule") if top.positive?
          plot.name(0, top + 15, row[:name])
          plot.text(100, top + 15, row[:text], anchor: "end", kind: "value")
          plot.line(scale.at(row[:from]), y, scale.at(row[:to]), y,
                    "span") if row[:from] && row[:to]
          row[:marks].each do |value, kind, text|
            plot.mark(scale.at(value), y, *MARKS.fetch(kind), text)
          end
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Draws values as marks on one axis, one row for each name.
      class Dots
        ROW = 38
        AXIS = 26

        # rows: { name:, text:, marks: [[value, shape, kind, title]], from:, to: (a line between
        # these, or nil) }. The block returns a tick's label.
        #: (Array[Hash[Symbol, untyped]], scale: Html::Scale) { (Numeric) -> String } -> void
        def initialize(rows, scale:, &label)
          @rows = rows
          @scale = scale
          @label = label
        end

        #: () -> Integer
        def height = (@rows.size * ROW) + AXIS

        #: (Html::Plot) -> Markup::Element
        def draw(plot)
          plot.across(@scale, @scale.ticks, 0, @rows.size * ROW, &@label)
          @rows.each_with_index { |row, at| row(plot, row, at * ROW) }
          plot.to_element
        end

        private

        def row(plot, row, top)
          y = top + 27
          plot.line(0, top, 100, top, "rule") if top.positive?
          plot.name(0, top + 15, row[:name])
          plot.text(100, top + 15, row[:text], anchor: "end", kind: "value")
          plot.line(@scale.at(row[:from]), y, @scale.at(row[:to]), y,
                    "span") if row[:from] && row[:to]
          row[:marks].each do |value, shape, kind, title|
            plot.mark(@scale.at(value), y, shape, kind, title)
          end
        end
      end
    end
  end
end

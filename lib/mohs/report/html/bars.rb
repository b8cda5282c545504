# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Draws how often values are in each range.
      class Bars
        HEIGHT = 200
        BOTTOM = 168
        # Pixels left free above the highest bar.
        ABOVE = 8

        #: (View::Section::Bars, id: String) -> void
        def initialize(bars, id:)
          @bars = bars
          @id = id
        end

        #: () -> Markup::Element
        def to_element
          plot = Plot.new("#{@id}-#{@bars.key}", title: @bars.title, text: @bars.text,
                                                 height: HEIGHT)
          scale = Scale.log([@bars.bars.first.first, @bars.bars.last[1]])
          plot.across(scale, scale.ticks(8), 0, BOTTOM) { |tick| Ticks.text(@bars.unit, tick) }
          @bars.bars.each { |one| bar(plot, scale, one) }
          plot.to_element
        end

        private

        def most = @most ||= @bars.bars.map { |_, _, count| count }.max

        def bar(plot, scale, one)
          from, to, count, text = one
          return if count.zero?

          height = [(count.fdiv(most) * (BOTTOM - ABOVE)).round(1), 1].max
          plot.band(scale.at(from), scale.at(to), BOTTOM - height, height, "m bar", title: text)
        end
      end
    end
  end
end

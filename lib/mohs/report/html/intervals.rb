# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Draws ratios and their intervals, one row each, on one logarithmic axis around 1.
      class Intervals
        ROW = 40
        AXIS = 26
        # The height of a row below its name.
        BAND = 20
        # Of points that have no shape of their own, by their tone; a disc for the others.
        SHAPES = { good: :up, bad: :down, even: :square }.freeze
        # Values and ends further out are drawn at this ratio, or at its reciprocal.
        FARTHEST = 20.0

        # names: the most characters of a name.
        #: (View::Section::Intervals, id: String, ?names: Integer) -> void
        def initialize(intervals, id:, names: Plot::NAME)
          @intervals = intervals
          @points = intervals.points
          @margin = intervals.margin
          @gains = intervals.gains
          @id = id
          @names = names
        end

        #: () -> Markup::Element
        def to_element
          plot = Plot.new("#{@id}-#{@intervals.key}", title: @intervals.title,
                                                      text: @intervals.text, height: bottom + AXIS)
          plot.across(scale, ticks, 0, bottom) { |tick| label(tick) }
          @points.each_with_index { |point, at| row(plot, point, at * ROW) }
          plot.to_element
        end

        private

        def bottom = @points.size * ROW

        def scale
          @scale ||= begin
            values = @points.flat_map { |one| [one[:value], *one[:ends], one[:reference]] }.compact
            Scale.ratios([*values, *within].map { |one| one.clamp(1 / FARTHEST, FARTHEST) })
          end
        end

        # The ratios that are within the margin; nil without one.
        def within = @margin && Analysis::Verdict::Judge.alike(@margin)

        # Draws the margin and the line at 1 at the height of the mark only, so that the name above
        # it stays readable.
        def around(plot, top)
          low, high = within&.map { |one| scale.at(one) }
          plot.band(low, high, top, BAND, "margin") if low
          plot.line(scale.at(1), top, scale.at(1), top + BAND, "zero")
        end

        def ticks
          losses = @gains ? Scale::RATIOS.map { |one| 1.0 / one } : Scale::LOSSES
          scale.ratio_ticks(losses:)
        end

        def label(tick)
          return "equal" if tick == 1
          return gain(tick) if @gains

          tick >= Change::TIMES ? "#{Numbers.short(tick)} times" : Numbers.signed(tick)
        end

        def gain(tick)
          tick > 1 ? "#{format('%.4g', tick)}x better" : "#{format('%.4g', 1 / tick)}x worse"
        end

        def row(plot, point, top)
          y = top + ROW - (BAND / 2)
          plot.line(0, top, 100, top, "rule") if top.positive?
          around(plot, top + ROW - BAND)
          plot.name(0, top + 16, point[:name], most: @names)
          plot.text(100, top + 16, point[:text], anchor: "end", kind: "value")
          reference(plot, point, y)
          return unless point[:value]

          kind = Markup.tone(point[:tone])
          low, high = point[:ends]&.map { |one| scale.at(one) }
          plot.line(low, y, high, y, ["interval", *kind].join(" ")) if low
          plot.mark(scale.at(point[:value]), y, shape(point), kind,
                    "#{point[:name]}: #{point[:text]}")
        end

        def shape(point) = point[:shape] || SHAPES.fetch(point[:tone], :disc)

        def reference(plot, point, y)
          low, high = point[:range]
          if low || high
            from, to = scale.at(low || scale.low), scale.at(high || scale.high)
            plot.band(from, to, y - 7, 14, "range")
          end
          return unless point[:reference]

          plot.mark(scale.at(point[:reference]), y, :diamond, "reference",
                    "#{point[:name]}: #{point[:reference_text]}")
        end
      end
    end
  end
end

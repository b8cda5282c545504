# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Positions of values along an axis, in per cent of its length, on a linear or logarithmic
      # scale. Pure.
      class Scale
        # Per cent of the length left free at each end.
        EDGE = 2.0
        # The same, where labels stand.
        LABELS = 9.0
        # Leading digits of a step between ticks.
        STEPS = [1, 2, 5, 10].freeze
        # Where a decade of a logarithmic scale is divided: the longer the scale, the fewer
        # divisions.
        DIVISIONS = [[1, 2, 5], [1, 3], [1]].freeze
        # Ratios of 1 and more that have ticks.
        RATIOS = [1.001, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0,
                  20.0].freeze
        # Ratios below 1 that have ticks, in round per cent.
        LOSSES = [0.999, 0.998, 0.995, 0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.5, 0.3, 0.2, 0.1,
                  0.05].freeze
        # Ticks nearer to each other than this, in per cent of the length, would run together.
        APART = 14

        attr_reader :low, :high

        # From 0 if `zero` is true, else from the lowest value. Equal values get room on both sides.
        #: (Array[Numeric], ?zero: bool?) -> Html::Scale
        def self.linear(values, zero: false)
          low, high = values.minmax
          low, high = [0, high].minmax if zero
          low, high = low - (low.abs * 0.05) - 1e-9, high + (high.abs * 0.05) + 1e-9 if low == high
          new(low, high)
        end

        # A logarithmic scale for values above 0.
        #: (Array[Numeric]) -> Html::Scale
        def self.log(values)
          low, high = values.minmax
          low, high = low / 1.1, high * 1.1 if high < low * 1.21
          new(low, high, log: true)
        end

        # A logarithmic scale for ratios, which contains 1.
        #: (Array[Numeric]) -> Html::Scale
        def self.ratios(values)
          low, high = [1.0, *values].minmax
          low, high = low / 1.01, high * 1.01 if high < low * 1.02
          new(low, high, log: true)
        end

        # left: per cent of the length left free at the beginning, for labels.
        #: (Numeric, Numeric, ?log: bool, ?left: Numeric) -> void
        def initialize(low, high, log: false, left: EDGE)
          @low = low
          @high = high
          @log = log
          @left = left
        end

        # The same scale with room for the labels of a vertical axis.
        #: () -> Html::Scale
        def indented = Scale.new(@low, @high, log: @log, left: LABELS)

        # The position in per cent of the length; a value beyond an end is placed at that end.
        #: (Numeric) -> Float
        def at(value)
          from, to, here = [@low, @high, value.clamp(@low, @high)].map { |one| position(one) }
          share = to == from ? 0.5 : (here - from) / (to - from)
          (@left + (share * (100 - @left - EDGE))).round(2)
        end

        # The position in pixels on a vertical axis between `top` and `bottom`; larger values are
        # higher.
        #: (Numeric, Integer, ?top: Integer) -> Float
        def y(value, bottom, top: 0) = (bottom - (at(value) / 100 * (bottom - top))).round(1)

        #: (Numeric) -> bool
        def cover?(value) = value.between?(@low, @high)

        # An axis with fewer ticks can't be read.
        FEWEST = 3

        # Round values on the scale, about `count` of them. A logarithmic scale over less than a
        # power of ten has the ticks of a linear one.
        #: (?Integer) -> Array[Numeric]
        def ticks(count = 6)
          found = decades(count) if @log
          found && found.size >= FEWEST ? found : steps(count)
        end

        # Round ratios on the scale, including 1. losses: the candidates below 1.
        #: (?losses: Array[Numeric]) -> Array[Numeric]
        def ratio_ticks(losses: LOSSES)
          [*spread(losses.select { |one| cover?(one) }), 1.0,
           *spread(RATIOS.select { |one| cover?(one) })].sort
        end

        private

        def position(value) = @log ? Math.log(value) : value.to_f

        # The ratios that have room, chosen from the farthest to the nearest.
        def spread(ratios)
          ratios.reverse.each_with_object([1.0]) { |one, kept|
            kept << one if kept.all? { |other| (at(one) - at(other)).abs > APART }
          }.drop(1)
        end

        def steps(count)
          raw = (@high - @low) / count.to_f
          power = 10.0**Math.log10(raw).floor
          step = power * STEPS.find { |one| one * power >= raw }
          first = (@low / step).ceil
          last = (@high / step).floor
          (first..last).map { |number| (number * step).round(12) }
        end

        def decades(count)
          powers = (Math.log10(@low).floor..Math.log10(@high).ceil).to_a
          found = DIVISIONS.map do |division|
            powers.flat_map { |power| division.map { |one| one * (10.0**power) } }
                  .select { |one| cover?(one) }
          end
          found.find { |ticks| ticks.size <= count } || every(found.last, count)
        end

        def every(ticks, count)
          apart = ticks.size.fdiv(count).ceil
          ticks.each_slice(apart).map(&:first)
        end
      end
    end
  end
end

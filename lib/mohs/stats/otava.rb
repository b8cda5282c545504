# frozen_string_literal: true

module Mohs
  module Stats
    # Change points of a long history, as found by Otava (formerly Hunter; Fleming et al., ICPE
    # 2023): within windows that overlap by half, splits of the largest energy are kept if they pass
    # a weak t test; then the weakest is removed, its neighbours are tested again on their new
    # segments, and so on, until all are strong. Deterministic without a seed, and a change does not
    # move when values are added long after it. The values are ratios to a fixed reference measured
    # in the same session, as logarithms, independent and roughly normal; never absolute figures,
    # whose changes are the host's.
    class Otava
      # Otava's own level: strict, because splits are searched for before they are tested.
      # Simulated, it finds a change in 1.7 % of histories of up to 50 values that have none, in 12
      # % of 300.
      ALPHA = 0.001
      WINDOW = 50
      # Candidates are tested at a level weaker by this factor, since windows cut neighbours short.
      WEAK = 10
      FEWEST = 2

      # smallest: smaller changes of the mean are not reported.
      #: (Array[Numeric], ?alpha: Float, ?smallest: Float) -> Array[Stats::ChangePoint]
      def self.call(values, alpha: ALPHA, smallest: 0.0) = new(values, alpha, smallest).call

      # p of Student's t with pooled variance, of the change from one stretch to the next. bias: how
      # far the change may be off.
      #: (Array[Numeric], Array[Numeric], ?bias: Stats::Bias) -> Float
      def self.p(one, other, bias: Bias.of(0.0))
        sides = [one, other]
        change = Center.mean(other) - Center.mean(one)
        beyond = [change.abs - (change.positive? ? bias.below : bias.above), 0.0].max
        df = sides.sum(&:size) - 2
        squares = sides.sum { |side| Spread.variance(side) * (side.size - 1) }
        return df.positive? && !beyond.zero? ? 0.0 : 1.0 if squares.zero?

        error = Math.sqrt(squares / df * sides.sum { |side| 1.0 / side.size })
        StudentT.two_sided(beyond / error, df)
      end

      #: (Array[Numeric], Float, Float) -> void
      def initialize(values, alpha, smallest)
        @values = values
        @alpha = alpha
        @smallest = smallest
      end

      #: () -> Array[Stats::ChangePoint]
      def call
        indexes = candidates
        loop do
          points = ChangePoint.all(@values, tested(indexes))
          weakest = weakest(points) or return points
          indexes -= [weakest.index]
        end
      end

      private

      # A window begins at the last change of the one before it, or half a window after its start.
      def candidates
        start = 0
        found = []
        while start < @values.size
          within = split(start, [start + WINDOW, @values.size].min)
          found |= within
          start = [within.max || 0, start + (WINDOW / 2)].max
        end
        found
      end

      # Candidates from `first` up to `last`.
      def split(first, last)
        best = Energy.new(@values[first...last]).best(fewest: FEWEST) or return []
        index = first + best[0]
        return [] if p(first, index, last) > WEAK * @alpha

        split(first, index) + [index] + split(index, last)
      end

      def tested(indexes)
        [0, *indexes, @values.size].each_cons(3).to_h do |first, index, last|
          [index, p(first, index, last)]
        end
      end

      def weakest(points)
        unsure = points.max_by(&:p)
        return unsure if unsure && unsure.p > @alpha

        points.select { |point| point.change.abs < @smallest }.min_by { |point| point.change.abs }
      end

      def p(first, index, last)
        self.class.p(@values[first...index], @values[index...last])
      end
    end
  end
end

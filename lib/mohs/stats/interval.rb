# frozen_string_literal: true

module Mohs
  module Stats
    # An estimate and its confidence interval: `value`, `low`, `high` (nil where fewer than three
    # observations give none), and the `count` of observations that it rests on.
    class Interval < Struct.new(:value, :low, :high, :count, keyword_init: true)
      include Value

      # With two observations (one degree of freedom, t = 12.7) the interval says nothing that a
      # person could use; the method's first look is at three.
      FEWEST = 3

      # Of a mean, by Student's t; for observations that are roughly normal.
      #: (Array[Numeric], ?level: Float) -> Stats::Interval
      def self.of(values, level: 0.95)
        return new(count: 0) if values.empty?

        mean = Center.mean(values)
        return new(value: mean, count: values.size) if values.size < FEWEST

        error = Spread.sd(values) / Math.sqrt(values.size)
        half = StudentT.upper_quantile((1 - level) / 2, values.size - 1) * error
        new(value: mean, low: mean - half, high: mean + half, count: values.size)
      end

      # Of a geometric mean: times and rates differ between boots by factors, so the interval is
      # made on logarithms.
      #: (Array[Numeric], ?level: Float) -> Stats::Interval
      def self.of_positive(values, level: 0.95)
        of(values.map { |value| Math.log(value) }, level:).exp
      end

      # The same on the scale whose logarithms these are.
      #: () -> Stats::Interval
      def exp = map { |number| Math.exp(number) }

      # Every number that is there, through the block.
      #: () { (Float) -> Float } -> Stats::Interval
      def map
        changed = [value, low, high].map { |number| number && yield(number) }
        self.class.new(value: changed[0], low: changed[1], high: changed[2], count:)
      end
    end
  end
end

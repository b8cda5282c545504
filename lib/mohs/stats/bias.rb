# frozen_string_literal: true

module Mohs
  module Stats
    # How far a mean may be off, however many values it has: by at most `below`, the truth may be
    # lower, by at most `above`, higher.
    class Bias < Struct.new(:below, :above, keyword_init: true)
      include Value

      # From a bound to both sides; a Bias as it is.
      #: (Float | Stats::Bias) -> Stats::Bias
      def self.of(bound) = bound.is_a?(self) ? bound : new(below: bound, above: bound)

      # Of the lead of the first over the second in a metric, by what each looks better than it is
      # beside the other (#bias).
      #: (Symbol, untyped, untyped) -> Stats::Bias
      def self.of_lead(metric, one, other)
        new(below: one.bias(metric, other), above: other.bias(metric, one))
      end

      # Of the mean of values, each with its own; of none, nothing.
      #: (Array[Stats::Bias]) -> Stats::Bias
      def self.mean(biases)
        return of(0.0) if biases.empty?

        new(below: Center.mean(biases.map(&:below)), above: Center.mean(biases.map(&:above)))
      end

      # Of the mean of `others` less that of `ones`.
      #: (Array[Stats::Bias], Array[Stats::Bias]) -> Stats::Bias
      def self.between(ones, others) = mean(others) + -mean(ones)

      #: (Float | Stats::Bias) -> Stats::Bias
      def +(other)
        other = self.class.of(other)
        self.class.new(below: below + other.below, above: above + other.above)
      end

      # Of the negative value.
      #: () -> Stats::Bias
      def -@ = self.class.new(below: above, above: below)

      # Does it hide whatever lies between two values? Then no number of them shows that the truth
      # is not 0, or that it is within a margin of 0.
      #: (Float, Float, margin: Float) -> bool
      def hides?(low, high, margin:)
        return false if low < -above || high > below

        [low, below - margin].max > [high, margin - above].min
      end

      #: () -> bool
      def none? = most.zero?

      # To the side where it is larger.
      #: () -> Float
      def most = [below, above].max

      # By which it makes half of an interval wider, on average.
      #: () -> Float
      def half = (below + above) / 2
    end
  end
end

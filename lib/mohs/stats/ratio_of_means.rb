# frozen_string_literal: true

module Mohs
  module Stats
    # The ratio of two means over the same rounds, `above` over `below`, as an Effect on the scale
    # of its logarithm. A ratio is tested by whether the mean of (above - ratio * below) could be 0,
    # and the interval contains all ratios for which it could be (Fieller 1954). A mean of the
    # logarithms would be off if either is small relative to its noise, however many rounds there
    # are.
    class RatioOfMeans < Effect
      # An Effect of no round without rounds, or if either mean is not above 0.
      #: (Array[Float], Array[Float]) -> Stats::Effect
      def self.paired(above, below)
        known = above.any? && [above, below].all? { |values| Center.mean(values).positive? }
        known ? new(above:, below:) : Effect.new(count: 0)
      end

      # The error is that of the linearised logarithm: it is used for forecasts, not for tests.
      #: (above: Array[Float], below: Array[Float], ?bias: Float) -> void
      def initialize(above:, below:, bias: 0.0)
        @above = above
        @below = below
        means = [above, below].map { |values| Center.mean(values) }
        parts = above.zip(below).map { |one, other| (one / means[0]) - (other / means[1]) }
        effect = Effect.of(parts)
        super(**effect.to_h, value: Math.log(means[0] / means[1]), bias:)
      end

      #: (Float) -> Stats::RatioOfMeans
      def biased(bias) = self.class.new(above: @above, below: @below, bias:)

      #: () -> Stats::RatioOfMeans
      def reverse = self.class.new(above: @below, below: @above, bias:)

      #: () -> Float?
      def p = error && [2 * [above, below].min, 1.0].min

      #: (?Numeric) -> Float?
      def above(bound = 0.0) = error && beyond(bound + bias, 1)

      #: (?Numeric) -> Float?
      def below(bound = 0.0) = error && beyond(bound - bias, -1)

      # Without ends also if the mean of `below` could be 0.
      #: (?alpha: Float) -> Stats::Interval
      def interval(alpha: 0.05)
        found = Fieller.ratio(@above, @below, alpha:)
        return found unless found.low

        Interval.new(value: found.value, low: [found.low, 0.0].max * Math.exp(-bias),
                     high: found.high * Math.exp(bias), count:)
      end

      private

      def beyond(log, sign)
        rests = @above.zip(@below).map { |one, other| sign * (one - (Math.exp(log) * other)) }
        mean, sd = Center.mean(rests), Spread.sd(rests)
        return mean.positive? ? 0.0 : 1.0 if sd.zero?

        StudentT.upper(mean * Math.sqrt(count) / sd, df)
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    # Finds where a growing function crosses 0, when observations are noisy and expensive. The
    # belief about the place is a distribution; each look is at its middle, or beside it, and
    # updates it (probabilistic bisection: Horstein 1963; Waeber, Frazier and Henderson, SIAM J.
    # Control Optim. 51(3), 2013). A misleading look is outvoted by later ones, while plain
    # bisection would never recover.
    #
    # Looks in these papers return yes or no. Looks here return a value and its error, and near the
    # crossing many undecided ones add up (answers by sequential tests of power one alone left
    # intervals ten times as wide in simulations); so place and slope are estimated together, as for
    # thresholds of perception (Kontsevich and Tyler, Vision Research 39, 1999):
    #
    #     value at x = slope (x - place) (1 + m) + noise
    #
    # m has the standard deviation BENT, since the function is not a line. Beyond MOST the function
    # may be a cliff, and a value there gives no more than a side: the line bends into a plateau
    # (tanh). The noise has Student's distribution, since its error is itself estimated.
    class CrossingSearch
      SLOPES = [1.5, 3.0, 6.5, 14.0, 30.0].freeze
      BENT = 0.5
      MOST = 1.5
      # The chance that a look which gives only a side gives the right one.
      SURE = 0.98

      # Places from `low` to `high`, `step` apart. The prior is a Cauchy distribution: narrow enough
      # to begin near the `guess`, with tails so heavy that a wrong guess is soon given up. scale:
      # half the width between its quartiles.
      #: (low: Float, high: Float, step: Float, guess: Float, scale: Float) -> void
      def initialize(low:, high:, step:, guess:, scale:)
        @step = step
        @places = Array.new(((high - low) / step).ceil) { |index| low + ((index + 0.5) * step) }
        prior = @places.map { |place| -Math.log(1 + (((place - guess) / scale)**2)) }
        @logs = SLOPES.map { prior.dup }
        @looks = {}
        sum_up
      end

      # Adds the observation at x: a value with its standard error, which has `degrees` of freedom.
      # It replaces an earlier look with the same `key`.
      #: (Object, Float, value: Float, error: Float, degrees: Integer) -> void
      def look(key, x, value:, error:, degrees:)
        value = value.clamp(-MOST, MOST)
        replace(key, SLOPES.map { |slope| likelihood(slope, x, value, error * error, degrees) })
      end

      # Adds only that the crossing lies below x.
      #: (Float) -> void
      def beyond(x)
        logs = @places.map { |place| Math.log(place < x ? SURE : 1 - SURE) }
        replace(nil, SLOPES.map { logs })
      end

      # The place below which the crossing lies with probability p.
      #: (Float) -> Float
      def quantile(p)
        left = p
        index = @belief.index { |share| (left -= share) <= 0 } || (@belief.size - 1)
        inside = 1 + (left / @belief[index])
        @places[index] + ((inside.clamp(0, 1) - 0.5) * @step)
      end

      private

      # Log likelihood at each place, up to a constant.
      def likelihood(slope, x, value, variance, degrees)
        power = (degrees + 1) / -2.0
        @places.map do |place|
          mean = MOST * Math.tanh(slope * (x - place) / MOST)
          spread = variance + (BENT * BENT * mean * mean)
          gap = value - mean
          (power * Math.log(1 + (gap * gap / (degrees * spread)))) - (0.5 * Math.log(spread))
        end
      end

      # Looks without a key replace none: each of them counts.
      def replace(key, logs)
        before = key && @looks[key]
        @looks[key] = logs if key
        @logs.each_with_index do |sums, slope|
          added, taken = logs[slope], before && before[slope]
          sums.each_index { |at| sums[at] += taken ? added[at] - taken[at] : added[at] }
        end
        sum_up
      end

      def sum_up
        top = @logs.map(&:max).max
        sums = @logs.map { |logs| logs.map { |log| Math.exp(log - top) } }.transpose.map(&:sum)
        total = sums.sum
        @belief = sums.map { |share| share / total }
      end
    end
  end
end

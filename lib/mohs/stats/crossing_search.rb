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
    # thresholds of perception (Kontsevich and Tyler, Vision Research 39, 1999).
    #
    # The function is the logarithm of a response time, x that of a rate. For an M/M/1 queue, with
    # load = slope (e^(x - place) - 1), it is
    #
    #     value at x = -log(1 - load) (1 + m) + noise
    #
    # The slope at the place is share / (1 - share), share = rate / capacity: a third at a quarter
    # of the capacity, 19 at 95 %. Below the place this flattens, as a server's time does that no
    # longer queues. Above it a queue takes ever longer to reach its length, longer than a look is:
    # there the value is `load` itself, which is the same at first. m has the standard deviation
    # BENT, since not all servers are such queues. Values beyond MOST are alike. The noise has
    # Student's distribution, since its error is itself estimated.
    #
    # Some servers have no such curve, but a cliff: a pool runs out, and all requests wait. A value
    # there gives no more than a side. As the limit of steep slopes this would never be precise,
    # since values near and far from the place say the same; so it is a curve of its own.
    class CrossingSearch
      # About 2.4 times the one before.
      SLOPES = [0.1, 0.25, 0.6, 1.5, 3.5, 8.0, 20.0].freeze
      CLIFF = Float::INFINITY
      CURVES = [*SLOPES, CLIFF].freeze
      BENT = 0.25
      MOST = 1.5
      # How well the capacity is known before the first look: half the width between the quartiles
      # of its logarithm.
      KNOWN = 0.15
      # The chance that a look at a cliff gives the wrong side, however small its error.
      WRONG = 0.001
      # The chance that a look which gives only a side gives the right one.
      SURE = 0.98

      # Places from `low` to `high`, `step` apart. The prior is a Cauchy distribution: narrow enough
      # to begin near the `guess`, with tails so heavy that a wrong guess is soon given up. scale:
      # half the width between its quartiles. capacity: where the function has its pole, by another
      # guess (of which the same holds).
      #: (low: Float, high: Float, step: Float, guess: Float, scale: Float, capacity: Float) -> void
      def initialize(low:, high:, step:, guess:, scale:, capacity:)
        @step = step
        @places = Array.new(((high - low) / step).ceil) { |index| low + ((index + 0.5) * step) }
        prior = @places.map { |place| cauchy((place - guess) / scale) }
        @logs = CURVES.map do |slope|
          prior.zip(@places).map { |log, place| log + credence(slope, place - capacity) }
        end
        @looks = {}
        sum_up
      end

      # Adds the observation at x: a value with its standard error, which has `degrees` of freedom.
      # It replaces an earlier look with the same `key`.
      #: (Object, Float, value: Float, error: Float, degrees: Integer) -> void
      def look(key, x, value:, error:, degrees:)
        value = value.clamp(-MOST, MOST)
        curves = SLOPES.map { |slope| likelihood(slope, x, value, error * error, degrees) }
        replace(key, curves << sides(x, value / error))
      end

      # Adds only that the crossing lies below x.
      #: (Float) -> void
      def beyond(x)
        logs = @places.map { |place| Math.log(place < x ? SURE : 1 - SURE) }
        replace(nil, CURVES.map { logs })
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

      def cauchy(z) = -Math.log(1 + (z * z))

      # Log of the prior of a slope at a place `above` the capacity. Place and slope imply a
      # capacity, log((1 + slope) / slope) above the place, whose density changes by
      # 1 / (1 + slope) with the logarithm of the slope. A cliff, which has nothing to do with it,
      # is as likely as the likeliest slope.
      def credence(slope, above)
        return 0.0 if slope == CLIFF

        cauchy((above + Math.log((1 + slope) / slope)) / KNOWN) - Math.log(1 + slope)
      end

      # Log likelihood at each place, up to a constant.
      def likelihood(slope, x, value, variance, degrees)
        power = (degrees + 1) / -2.0
        @places.map do |place|
          mean = curve(slope * (Math.exp(x - place) - 1))
          spread = variance + (BENT * BENT * mean * mean)
          gap = value - mean
          (power * Math.log(1 + (gap * gap / (degrees * spread)))) - (0.5 * Math.log(spread))
        end
      end

      def curve(load)
        load.negative? ? [-Math.log(1 - load), -MOST].max : [load, MOST].min
      end

      # The same of a cliff: any value on the right side, up to MOST, is as likely as another. That
      # Student's density above lacks its constant, about 0.4, is on purpose: each look has to speak
      # against a curve by 2.5 before it speaks for a cliff. Otherwise noise passes for cliffs: the
      # spread of estimates of simulated queues at 95 % of their capacity doubled. z: the value in
      # units of its error.
      def sides(x, z)
        right = [z, -z].map do |one|
          normal = 0.5 * Math.erfc(-one / Math.sqrt(2))
          Math.log((WRONG + ((1 - (2 * WRONG)) * normal)) / MOST)
        end
        @places.map { |place| place < x ? right[0] : right[1] }
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

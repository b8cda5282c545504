# frozen_string_literal: true

module Mohs
  module Tune
    # How long a server works on a request, in seconds: a few `times_s`, each for that one of the
    # `shares` of requests. `short_s` and `long_s`: the shortest and the longest that each of them
    # may be, if only quantiles are known; nil: they are exact. `most_s`: the longest that two boots
    # saw; nil: that of times_s. Pure.
    class ServiceTimes < Struct.new(:times_s, :shares, :short_s, :long_s, :most_s,
                                    keyword_init: true)
      include Value

      # Between these quantiles, which a trial has of its latencies, times are taken to be alike.
      QUANTILES = { p50_ns: 0.5, p90_ns: 0.9, p99_ns: 0.99, max_ns: 1.0 }.freeze

      private_constant :QUANTILES

      # All requests take the same time.
      #: (Numeric) -> Tune::ServiceTimes
      def self.constant(mean_s) = new(times_s: [mean_s], shares: [1.0])

      # Those of a server that works on one request at a time while one connection asks, so that
      # none waits for another: its latencies are service times. trials: of the setting of one
      # process of one thread, in the race. nil if they lack the figures.
      #: (Array[Store::Trial]) -> Tune::ServiceTimes?
      def self.of(trials)
        boots = trials.filter_map { |trial| of_boot(trial) }
        return if boots.empty?

        times = %i[times_s short_s long_s].to_h do |part|
          each = boots.map { |boot| boot.public_send(part) }.transpose
          [part, each.map { |one| Stats::Center.median(one) }]
        end
        new(**times, shares: boots.first.shares, most_s: boots.map(&:most_s).max(2).last)
      end

      # The slower half of requests by its quantiles, the faster one by what is left of the mean.
      def self.of_boot(trial)
        slices = trial.measured_slices
        good = slices.sum { |slice| slice.good.to_i }
        ends = trial.latency.to_h.values_at(*QUANTILES.keys)
        return unless good.positive? && ends.all? && slices.all?(&:latency_sum_ns)

        mean_s = slices.sum(&:latency_sum_ns) / 1e9 / good
        slow_s = ends.each_cons(2).map { |low, high| (low + high) / 2e9 }
        slow = QUANTILES.values.each_cons(2).map { |low, high| high - low }
        rest_s = 2 * (mean_s - slow_s.zip(slow).sum { |time, share| time * share })
        first_s = rest_s.clamp(0.0, ends.first / 1e9)
        short_s, long_s = [ends.first(3), ends.last(3)].map do |slow_ns|
          [first_s, *slow_ns.map { |time| time / 1e9 }]
        end
        new(times_s: [first_s, *slow_s], shares: [0.5, *slow], short_s:, long_s:,
            most_s: long_s.last)
      end
      private_class_method :of_boot

      #: () -> Float
      def mean_s = expected { |time| time }

      # The longest that is known: what two boots saw the server has, and what one saw may be the
      # host's.
      #: () -> Float
      def longest_s = most_s || times_s.max

      # If all that is open between two quantiles is as short, or as long, as it may be. Among the
      # slowest percent that matters most: whether one request in a hundred takes the longest time,
      # or one in a thousand.
      #: () -> Tune::ServiceTimes
      def quickest = self.class.new(times_s: short_s || times_s, shares:)
      #: () -> Tune::ServiceTimes
      def slowest = self.class.new(times_s: long_s || times_s, shares:)

      # Their variance in units of the squared mean: 0 if all are alike, 1 if exponential.
      #: () -> Float
      def variability = (expected { |time| time**2 } / (mean_s**2)) - 1

      # The same with another mean.
      #: (Numeric) -> Tune::ServiceTimes
      def scaled(mean_s)
        factor = mean_s / self.mean_s
        self.class.new(times_s: times_s.map { |time| time * factor }, shares:,
                       most_s: most_s && (most_s * factor))
      end

      # The mean of a function of the time.
      #: () { (Float) -> Float } -> Float
      def expected
        sum = 0.0
        times_s.each_with_index { |time, index| sum += shares[index] * yield(time) }
        sum
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Tune
    # How long a server works on a request, in seconds: a few `times_s`, each for that one of the
    # `shares` of requests. Pure.
    class ServiceTimes < Struct.new(:times_s, :shares, keyword_init: true)
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

        new(times_s: boots.map(&:times_s).transpose.map { |one| Stats::Center.median(one) },
            shares: boots.first.shares)
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
        new(times_s: [rest_s.clamp(0.0, ends.first / 1e9), *slow_s], shares: [0.5, *slow])
      end
      private_class_method :of_boot

      #: () -> Float
      def mean_s = expected { |time| time }

      # The longest that is known.
      #: () -> Float
      def longest_s = times_s.max

      # Their variance in units of the squared mean: 0 if all are alike, 1 if exponential.
      #: () -> Float
      def variability = (expected { |time| time**2 } / (mean_s**2)) - 1

      # The same with another mean.
      #: (Numeric) -> Tune::ServiceTimes
      def scaled(mean_s)
        factor = mean_s / self.mean_s
        self.class.new(times_s: times_s.map { |time| time * factor }, shares:)
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

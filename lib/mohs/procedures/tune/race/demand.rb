# frozen_string_literal: true

module Mohs
  module Tune
    # What a request needs where one process of one thread serves it alone: `cpu_s` of CPU time,
    # `total_s` in all; `locked`: whether the threads of a process compute one at a time (a GVL);
    # `cores`: those of the server, nil if unknown. The most that other settings can serve follows
    # from these: the asymptotic bounds of a closed network of queues (Denning and Buzen,
    # Computing Surveys 10, 1978).
    class Demand < Struct.new(:cpu_s, :total_s, :locked, :cores, keyword_init: true)
      include Value

      # trials: those of that setting. quota_cores: the cores that the server may use, nil for
      # all. Returns nil if the trials lack the figures.
      #: (Array[Store::Trial], ?quota_cores: Numeric?) -> Tune::Demand?
      def self.of(trials, quota_cores: nil)
        figures = trials.map { |trial| Analysis::Figures.new(trial) }
        rates = figures.filter_map(&:throughput_per_s)
        costs_us = figures.filter_map(&:cpu_us_per_request)
        return if rates.empty? || costs_us.empty?

        new(cpu_s: Stats::Center.median(costs_us) / 1e6, total_s: 1 / Stats::Center.median(rates),
            locked: locked?(trials),
            cores: [*trials.filter_map(&:cores).max, *quota_cores].min)
      end

      # Do the threads of a process compute one at a time, under the Ruby of these trials?
      #: (Array[Store::Trial]) -> bool
      def self.locked?(trials) = Rubies::Engines.named(trials.first.attested[:engine])::GVL

      # An upper bound in requests a second: every thread busy, the lock of every process held, or
      # every core in use, whichever comes first.
      #: (Integer, Integer) -> Float
      def at_most(processes, threads)
        busy = processes * threads / total_s
        computing = [*(processes if locked), *cores].min
        [busy, *(computing / cpu_s if computing)].min
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Compare
    # Why a median is left out, or can't decide. With several connections on one interpreter lock,
    # slow requests finish in bunches, and the median of a slice says which bunch it fell into
    # (method, table 3h: medians of blocks spread by 14 to 24 %, means by 2 %).
    module Bunching
      METRIC = Analysis::Metric.fetch("p50")

      # Slower requests than this are "slow": a slice of 500 ms holds fewer than a hundred.
      SLOW_MS = 5

      module_function

      # How many `connections` share how many `locks`, so that their requests finish in bunches: the
      # numbers of processes, where a server attested none at least one. nil if this metric is no
      # median, or counts: at a fixed rate it does, and where no engine has such a lock.
      #: (Analysis::Metric, Array[Compare::Pair], rated: bool) -> Hash[Symbol, untyped]?
      def values(metric, pairs, rated:)
        return if rated || metric != METRIC

        trials = pairs.flat_map(&:trials).select { |trial| locked?(trial) }
        connections = trials.filter_map { |trial| trial.connections[:asked] }.max
        medians = trials.filter_map { |trial| Analysis::Figures.new(trial).latency_p50_ms }
        return if connections.to_i < 2 || medians.empty?

        { connections:, locks: locks(trials) } \
          unless Stats::Center.median(medians) < SLOW_MS * connections
      end

      # An engine that is not known is taken for one with a lock.
      def locked?(trial)
        engine = trial.attested.to_h[:engine]
        engine.nil? || Rubies::Engines.named(engine)::GVL
      end

      def locks(trials)
        known = trials.filter_map { |trial| trial.attested[:workers] }.uniq
        known.empty? ? [1] : known.sort
      end
      private_class_method :locked?, :locks
    end
  end
end

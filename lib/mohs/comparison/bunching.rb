# frozen_string_literal: true

module Mohs
  class Comparison
    # With several connections on one interpreter lock, slow requests finish in bunches, and the
    # median of a slice says which bunch it fell into (method, table 3h: its blocks spread by 14 to
    # 24 % where the mean's do by 2). Then it is left out, and said why.
    module Bunching
      # Slower requests than this are "slow": a slice of 500 ms holds fewer than a hundred.
      SLOW_MS = 5

      module_function

      # Why the median is left out; nil where it counts.
      #: (Comparison) -> String?
      def reason(comparison)
        trials = comparison.pairs.flat_map(&:trials)
        connections = trials.filter_map { |trial| trial.connections[:asked] }.max
        return if connections.to_i < 2 || median_ms(trials) < SLOW_MS * connections

        "with #{connections} connections slow requests finish in bunches " \
          "(--connections 1 measures it)"
      end

      def median_ms(trials)
        medians = trials.filter_map { |trial| Trial::Figures.new(trial).latency_p50_ms }
        medians.empty? ? 0 : Stats::Center.median(medians)
      end
      private_class_method :median_ms
    end
  end
end

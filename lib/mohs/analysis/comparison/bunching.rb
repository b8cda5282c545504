# frozen_string_literal: true

module Mohs
  module Analysis
    class Comparison
      # With several connections on one interpreter lock, slow requests finish in bunches, and the
      # median of a slice says which bunch it fell into (method, table 3h: its blocks spread by 14
      # to 24 %, the mean's by 2). Then the median is left out.
      module Bunching
        # Slower requests than this are "slow": a slice of 500 ms holds fewer than a hundred.
        SLOW_MS = 5

        module_function

        # Why the median is left out; nil if it counts.
        #: (Analysis::Comparison) -> Analysis::Finding?
        def call(comparison)
          trials = comparison.pairs.flat_map(&:trials)
          connections = trials.filter_map { |trial| trial.connections[:asked] }.max
          return if connections.to_i < 2 || median_ms(trials) < SLOW_MS * connections

          Finding.new(code: "bunching", severity: :info, values: { connections: })
        end

        def median_ms(trials)
          medians = trials.filter_map { |trial| Figures.new(trial).latency_p50_ms }
          medians.empty? ? 0 : Stats::Center.median(medians)
        end
        private_class_method :median_ms
      end
    end
  end
end

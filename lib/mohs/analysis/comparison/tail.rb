# frozen_string_literal: true

module Mohs
  module Analysis
    class Comparison
      # How the 99th percentile of the two compares, from the same cohorts as the verdict: beside
      # the metrics, with an interval of its own that decides nothing.
      class Tail
        METRIC = Metric::TAIL

        #: (Analysis::Comparison) -> void
        def initialize(comparison)
          @comparison = comparison
          @pairs = comparison.pairs
        end

        #: () -> Analysis::Comparison::Ruling::Line
        def line
          return Ruling::Line.new(metric: METRIC, missing:).freeze if differences.empty?

          interval = @comparison.sequential.interval(differences).exp
          a, b = %i[a b].map { |side| typical(side) }
          Ruling::Line.of(interval, margin: @comparison.rules.margin, metric: METRIC, a:, b:,
                                    missing: (missing if incomplete? && interval.low.nil?))
        end

        private

        def differences = @differences ||= @comparison.differences(METRIC)

        # One server with too few requests spoils its cohort's difference: the others may be too few
        # for an interval.
        def incomplete? = differences.size < @pairs.size

        def missing
          had = Latency.new(@pairs.flat_map(&:trials)).fewest
          return Finding.note("not_recorded") if had.zero?

          Finding.note("too_few_requests", had:, needed: Latency.needed(:p99))
        end

        def typical(side)
          values = @pairs.flat_map(&side).filter_map { |trial| METRIC.value(trial) }
          Stats::Interval.of_positive(values).value
        end
      end
    end
  end
end

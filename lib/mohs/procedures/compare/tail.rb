# frozen_string_literal: true

module Mohs
  module Compare
    # How the 99th percentiles of the two compare, from the same cohorts as the verdict: shown
    # beside the metrics, with an interval of its own that decides nothing. If the tail decides
    # (Compare::Rules#tail?), its line is a Ruling's.
    class Tail
      METRIC = Analysis::Metric::TAIL

      # pairs: cohorts in which it is looked for.
      #: (Compare::Result, ?Array[Compare::Pair]) -> void
      def initialize(comparison, pairs = comparison.pairs)
        @comparison = comparison
        @pairs = pairs
      end

      # Without an interval if any cohort lacks it: cohorts with too few requests are the slow
      # ones, and the others would favour the side that is slow in them.
      #: () -> Compare::Ruling::Line
      def line
        a, b = %i[a b].map { |side| typical(side) }
        missing = shortage || look&.ruled_out(METRIC)
        return Ruling::Line.new(metric: METRIC, a:, b:, missing:).freeze if missing

        bias = look ? look.bias(METRIC) : 0.0
        interval = @comparison.sequential.interval(differences, bias:).exp
        Ruling::Line.of(interval, margin: @comparison.rules.margin, metric: METRIC, a:, b:,
                                  effect: @comparison.effect(interval))
      end

      # Why a cohort lacks it; nil if none does.
      #: () -> Analysis::Finding?
      def shortage = (lack if lacking?)

      private

      def look = @comparison.looks.last

      def differences = @differences ||= @pairs.filter_map { |pair| pair.difference(METRIC) }

      def lacking? = @pairs.empty? || differences.size < @pairs.size

      def lack
        trials = @pairs.flat_map(&:trials)
        waits = waits_cut_off(trials) and return waits
        shortage = Analysis::Latency.new(trials).shortage(:p99)
        cohorts = { cohorts: @pairs.size - differences.size, of: @pairs.size }
        return too_few(shortage, cohorts) if
          shortage[:had].between?(1, shortage[:needed] - 1)
        return Analysis::Finding.note("unanswered_requests", **cohorts) if
          trials.any? { |trial| Analysis::Latency.new([trial]).missing[:p99] == :unanswered }

        Analysis::Finding.note("not_recorded")
      end

      # More time has more requests, but not more streams.
      def too_few(shortage, cohorts)
        had, timed = shortage.slice(:had, :needed), @comparison.streams&.timed
        return Analysis::Finding.note("too_few_streams", **had, timed:) if timed

        comparison = ForTail.call(@comparison.stored, shortage)
        rate = @comparison.stored.study.rates.first
        Analysis::Finding.note("too_few_requests", **shortage, rate:, comparison:, **cohorts)
      end

      def waits_cut_off(trials)
        cut = trials.find { |one| Analysis::Latency.new([one]).missing[:p99] == :cut }
        Analysis::Finding.note("waits_cut_off", connections: cut.connections[:asked]) if cut
      end

      def typical(side)
        values = @pairs.flat_map(&side).filter_map { |trial| METRIC.value(trial) }
        Stats::Interval.of_positive(values).value
      end
    end
  end
end

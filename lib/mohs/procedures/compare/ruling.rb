# frozen_string_literal: true

module Mohs
  module Compare
    # From the differences so far to a verdict on each metric. The deciding metric has an interval
    # of its own, valid whenever one stops; the others are judged together (method, section 4).
    class Ruling
      # The result of one metric: `a` and `b` are typical values, `effect` the ratio B / A as
      # better is bigger with its interval (nil for one cohort), `equal` as in a Verdict, `raw` the
      # Stats::Interval before adjusting for core speed (nil: not adjusted), `outcome` better |
      # worse | alike, `within` whether the whole interval, and that of the totals, lies within the
      # margin, `missing` the Finding that says why there is no result, or no interval.
      Line = Struct.new(:metric, :a, :b, :effect, :low, :high, :equal, :raw, :outcome, :within,
                        :missing, keyword_init: true) do
        # From an interval of ratios and that of their totals, without the figures of the two
        # sides.
        #: (Stats::Interval, margin: Float, ?total: Stats::Interval?, **untyped) -> Compare::Ruling::Line
        def self.of(interval, margin:, total: nil, **others)
          within = interval.low && Analysis::Verdict::Judge.within?(interval, margin, total:)
          new(effect: interval.value, low: interval.low, high: interval.high,
              outcome: Ruling.outcome(interval), within:, **others).freeze
        end

        # The result of the figures: better, worse, equal or undecided; nil without an interval.
        # No difference beyond chance is not equality: that takes an interval within the margin
        # or, for the deciding metric, its own test, and so the verdict.
        #: (Analysis::Verdict) -> String?
        def mark(verdict)
          return outcome unless outcome == "alike"

          equal = metric.key == verdict.metric ? verdict.outcome == :equivalent : within
          equal ? "equal" : "undecided"
        end
      end

      # Metrics that need a difference in every cohort, and what one without it had.
      WHOLE = { "per-connection" => "memory_not_grown", "held" => "none_held" }.freeze
      private_constant :WHOLE

      # What an interval of ratios says: better, worse or alike; nil without ends.
      #: (Stats::Interval) -> String?
      def self.outcome(interval)
        return if interval.low.nil?
        return "better" if interval.low > 1

        interval.high < 1 ? "worse" : "alike"
      end

      # The variation of a duet's cohorts on a busy host (method, table 3c: requests/s of a small
      # application), for a quick answer. If a host varies more, its variation is not drawn
      # towards this.
      PRIOR_SD = 0.008

      # pairs: for typical values. deciding: the look that the deciding metric is judged by; last:
      # the look for the others. Both are nil before the first look.
      #: (Compare::Result, pairs: Array[Compare::Pair], deciding: Compare::Look?, last: Compare::Look?) -> void
      def initialize(comparison, pairs:, deciding:, last:)
        @comparison = comparison
        @rules = comparison.rules
        @pairs = pairs
        @deciding = deciding
        @last = last
      end

      #: () -> Analysis::Verdict
      def verdict
        fault = @comparison.fault
        interval = deciding
        Analysis::Verdict.new(outcome: fault ? :invalid : outcome, against: @comparison.baseline,
                              metric: @comparison.metric.key, margin: @rules.margin,
                              effect: @comparison.effect(interval),
                              low: interval.low, high: interval.high, equal:,
                              findings: [fault, *findings].compact)
      end

      # One line for each metric; a metric without a result has the reason.
      #: () -> Array[Compare::Ruling::Line]
      def lines
        metrics = @comparison.metrics
        others = metrics.count { |metric| metric != @comparison.metric && !missing(metric) }
        together = @comparison.sequential([others, 1].max, look: @last)
        metrics.map { |metric| line(metric, together) }
      end

      # The two are equal except for what trimming leaves out: a finding with the total and the
      # interval of its test; nil if the total does not prevent equality.
      #: () -> Analysis::Finding?
      def hindrance
        return unless @deciding && totals && outcome == :undecided
        return unless quick? ? Analysis::Verdict::Judge.within?(deciding, @rules.margin) : alike?

        metric = @comparison.metric
        Analysis::Verdict::Judge.hindrance(total, metric:, variant: "B")
      end

      # The outcome of the figures, regardless of what speaks against them.
      #: () -> Symbol
      def outcome
        interval = deciding
        Analysis::Verdict::Judge.outcome(interval) { equivalent?(interval) }
      end

      private

      def deciding
        return moderated(differences).exp if quick?

        @comparison.sequential(look: @deciding).interval(differences, bias:).exp
      end

      def bias = @deciding ? @deciding.bias : 0.0

      # The differences in the deciding metric.
      def differences
        @deciding ? @deciding.differences : of_pairs(@comparison.metric)
      end

      def of_pairs(metric) = @pairs.filter_map { |pair| pair.difference(metric) }

      def moderated(differences)
        prior_sd = [PRIOR_SD, Stats::Spread.sd(differences)].max
        Stats::Moderated.new(prior_sd:).interval(differences, level: 1 - Analysis::Verdict::ALPHA)
                        .widen(bias)
      end

      def quick? = @rules.quick && @comparison.state == :quick

      # A provisional answer has no equivalence test of its own: the whole interval has to fit in.
      def equivalent?(interval)
        return @deciding&.decision == :equivalent unless quick?

        Analysis::Verdict::Judge.within?(interval, @rules.margin, total:)
      end

      def totals = @deciding&.totals

      # The interval of the ratio of the totals, by the test that finds two equal.
      def total
        return unless totals
        return moderated(totals).exp if quick?

        test.equivalence_interval(totals, bias:).exp
      end

      # Are the two equal if the totals are left out?
      def alike? = test.equivalent?(differences, margin: @rules.margin, bias:)

      def test = @comparison.sequential(look: @deciding)

      # The interval of the test that found the two equal; nil unless one did.
      def equal
        return unless outcome == :equivalent

        interval = deciding
        interval = test.equivalence_interval(differences, bias:).exp unless quick?
        [interval.low, interval.high]
      end

      def line(metric, together)
        missing = missing(metric)
        return Line.new(metric:, missing:).freeze if missing

        decides = metric == @comparison.metric
        interval = decides ? deciding : interval(metric, together)
        Line.of(interval, margin: @rules.margin, metric:,
                          effect: @comparison.effect(interval),
                          total: decides ? total : total_of(metric, together),
                          a: typical(metric, &:a), b: typical(metric, &:b),
                          equal: (equal if decides),
                          raw: raw(metric, decides ? nil : together))
      end

      # together: nil for the deciding metric.
      def raw(metric, together)
        look = together ? @last : @deciding
        return unless look

        together ||= @comparison.sequential(look:)
        Adjusted.new(@comparison, look).raw(metric, together)
      end

      def interval(metric, together)
        return together.interval(of_pairs(metric)).exp unless @last

        together.interval(@last.of(metric), bias: @last.bias(metric)).exp
      end

      def total_of(metric, together)
        totals = @last&.totals(metric) or return
        together.interval(totals, bias: @last.bias(metric)).exp
      end

      # Geometric mean over the trials of one side.
      def typical(metric, &side)
        values = @pairs.flat_map(&side).filter_map { |trial| metric.value(trial) }
        Stats::Interval.of_positive(values).value
      end

      def missing(metric)
        shortage = Tail.new(@comparison, pairs_of(metric)).shortage if
          metric == Analysis::Metric::TAIL
        return shortage if shortage

        gaps = gaps(metric) and return gaps
        return Analysis::Finding.note("not_recorded") if of_pairs(metric).empty?

        bunching = Bunching.values(metric, @pairs, rated: @comparison.rated?)
        return Analysis::Finding.note("bunching", **bunching) if bunching

        (metric == @comparison.metric ? @deciding : @last)&.ruled_out(metric)
      end

      # Without an interval if any cohort lacks it: the others are those that have most of it.
      def gaps(metric)
        code = WHOLE[metric.name] or return
        cohorts = @pairs.size - of_pairs(metric).size
        Analysis::Finding.note(code, cohorts:, of: @pairs.size) if cohorts.positive?
      end

      # Those that the verdict is made of, or all of these.
      def pairs_of(metric)
        @deciding && metric == @comparison.metric ? @deciding.pairs : @pairs
      end

      # If something prevents "equal", that finding covers the pauses.
      def findings
        warnings = @comparison.warnings.reject(&:fatal?)
        return [@comparison.forecast, *warnings].compact unless hindrance

        [hindrance, *warnings.reject { |one| one.code == "pauses" }]
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Analysis
    # A condition on B against A that turns into an exit status: "p50 < +2%", "memory < +5%",
    # "throughput > -2%". It holds if the whole interval does, fails if the whole interval doesn't,
    # and is inconclusive if the bound lies inside.
    class Gate < Struct.new(:text, :metric, :side, :bound, keyword_init: true)
      FORM = /\A\s*(?<metric>[a-z\/]\S*)\s*(?<side>[<>])\s*(?<bound>[+-]?\d+(?:\.\d+)?)\s*%\s*\z/i

      EXAMPLES = '"p50 < +2%" or "throughput > -2%"'

      # `outcome` holds | fails | inconclusive, and the `finding` that says why.
      Result = Struct.new(:gate, :outcome, :finding, keyword_init: true)

      #: (String) -> Analysis::Gate
      def self.parse(text)
        match = FORM.match(text)
        raise UsageError, "--gate #{text.inspect}: write it as #{EXAMPLES}" unless match

        new(text:, metric: Metric.fetch(match[:metric].downcase), side: match[:side],
            bound: 1 + (match[:bound].to_f / 100)).freeze
      end

      #: (Analysis::Comparison) -> Analysis::Gate::Result
      def call(comparison)
        return result("fails", comparison.broken) if comparison.broken
        return result("inconclusive", Finding.note("gate_no_verdict")) if
          comparison.verdict.outcome == :invalid
        return result("inconclusive", comparison.trouble_since) if comparison.trouble_since

        line = line(comparison.gated_lines)
        missing = line.missing || Finding.note("gate_no_interval")
        return result("inconclusive", missing) unless line.low

        low, high = ends(line)
        result(outcome(low, high), Finding.note("gate_interval", metric: metric.title, low:, high:))
      end

      # Of B / A, as the metric counts: what it is judged by; nil without an interval.
      #: (Analysis::Comparison) -> Stats::Interval?
      def interval(comparison)
        line = line(comparison.gated_lines)
        return if line.low.nil?

        low, high = ends(line)
        Stats::Interval.new(value: metric.more ? line.effect : 1 / line.effect, low:, high:)
      end

      # Does it neither hold nor fail, and may more cohorts change that?
      #: (Array[Analysis::Comparison::Ruling::Line]) -> bool
      def open?(lines)
        line = line(lines)
        !line.low.nil? && outcome(*ends(line)) == "inconclusive"
      end

      # How far a log difference, better is bigger, is within the limit: below 0 beyond it.
      #: (Float) -> Float
      def distance(log)
        beyond = (metric.more ? log : -log) - Math.log(bound)
        side == "<" ? -beyond : beyond
      end

      private

      # Of B / A. At or beyond the bound it fails by the end that is next to where it would hold.
      def ends(line)
        return counted([line.low, line.high]) unless line.fails

        fails, holds = [line.fails, line.holds].map { |one| counted([one.low, one.high]) }
        side == "<" ? [fails.first, holds.last] : [holds.first, fails.last]
      end

      # An interval as better is bigger, as the metric counts.
      def counted(interval) = metric.more ? interval : interval.reverse.map { |end_| 1 / end_ }

      # low, high: of B / A.
      def outcome(low, high)
        holds, fails = side == "<" ? [high < bound, low >= bound] : [low > bound, high <= bound]
        return "holds" if holds

        fails ? "fails" : "inconclusive"
      end

      def line(lines) = lines.find { |one| one.metric.name == metric.name }

      def result(outcome, finding) = Result.new(gate: text, outcome:, finding:).freeze
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Compare
    # A condition on B against A that becomes an exit status: "p50 < +2%", "memory < +5%",
    # "throughput > -2%". It holds if it does over the whole interval, fails if it fails over the
    # whole interval, and is inconclusive if the bound lies inside. `metric`: an Analysis::Metric;
    # `side`: of the `bound`, a ratio of B to A (1.02), where it holds.
    class Condition < Struct.new(:metric, :side, :bound, keyword_init: true)
      FORM = /\A\s*(?<metric>[a-z\/]\S*)\s*(?<side>[<>])\s*(?<bound>[+-]?\d+(?:\.\d+)?)\s*%\s*\z/i

      EXAMPLES = '"p50 < +2%" or "throughput > -2%"'

      # What a comparison has a line of only where that is asked for.
      BESIDE = [Analysis::Metric::TAIL, *Analysis::Metric::OF_STREAMS].freeze

      # `gate`: the Condition; `outcome`: holds | fails | inconclusive; `finding`: why.
      Result = Struct.new(:gate, :outcome, :finding, keyword_init: true)

      # As typed. Raises UsageError.
      #: (String) -> Compare::Condition
      def self.parse(text)
        match = FORM.match(text)
        raise UsageError, "--gate #{text.inspect}: write it as #{EXAMPLES}" unless match

        metric = Analysis::Metric.fetch(match[:metric].downcase, *BESIDE)
        new(metric:, side: match[:side], bound: 1 + (match[:bound].to_f / 100)).freeze
      end

      # hash: as #to_h.
      #: (Hash[Symbol, untyped]) -> Compare::Condition
      def self.from_h(hash)
        metric = Analysis::Metric.fetch(hash.fetch(:metric), *BESIDE)
        new(**hash, metric:).freeze
      end

      # As stored in a study.
      #: () -> { metric: String, side: String, bound: Float }
      def to_h = { metric: metric.name, side:, bound: }

      # As one would type it.
      #: () -> String
      def to_s = "#{metric.name} #{side} #{Report::Numbers.exact_signed(bound).delete(' ')}"

      #: (Compare::Result) -> Compare::Condition::Result
      def call(comparison)
        return result("fails", comparison.broken) if comparison.broken
        return result("inconclusive", Analysis::Finding.note("gate_no_verdict")) if
          comparison.verdict.outcome == :invalid
        return result("inconclusive", comparison.trouble_since) if comparison.trouble_since

        line = comparison.gated(self)
        missing = line.missing || Analysis::Finding.note("gate_no_interval")
        return result("inconclusive", missing) unless line.low

        low, high = counted(line)
        found = Analysis::Finding.note("gate_interval", metric: metric.title, low:, high:)
        result(outcome(low, high), found)
      end

      # The interval of B / A that the gate is judged by, as the metric counts; nil without an
      # interval.
      #: (Compare::Result) -> Stats::Interval?
      def interval(comparison)
        line = comparison.gated(self)
        return if line.low.nil?

        low, high = counted(line)
        Stats::Interval.new(value: metric.more ? line.effect : 1 / line.effect, low:, high:)
      end

      # Does it neither hold nor fail by this line, so that more cohorts may change that?
      #: (Compare::Ruling::Line) -> bool
      def open?(line) = !line.low.nil? && outcome(*counted(line)) == "inconclusive"

      # How far a log difference (better is bigger) is within the limit: below 0 if it is beyond.
      #: (Float) -> Float
      def distance(log)
        beyond = (metric.more ? log : -log) - Math.log(bound)
        side == "<" ? -beyond : beyond
      end

      private

      # The ends of a line, in which better is bigger, as the metric counts.
      def counted(line)
        metric.more ? [line.low, line.high] : [1 / line.high, 1 / line.low]
      end

      # low, high: of B / A.
      def outcome(low, high)
        holds, fails = side == "<" ? [high < bound, low >= bound] : [low > bound, high <= bound]
        return "holds" if holds

        fails ? "fails" : "inconclusive"
      end

      def result(outcome, finding) = Result.new(gate: self, outcome:, finding:).freeze
    end
  end
end

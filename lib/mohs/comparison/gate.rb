# frozen_string_literal: true

module Mohs
  class Comparison
    # A condition on B against A that turns into an exit status: "p50 < +2%", "memory < +5%",
    # "throughput > -2%". It holds where the whole interval does, fails where the whole interval
    # doesn't, and is inconclusive where the bound lies inside.
    class Gate < Struct.new(:text, :metric, :side, :bound, keyword_init: true)
      FORM = /\A\s*(?<metric>[a-z\/]\S*)\s*(?<side>[<>])\s*(?<bound>[+-]?\d+(?:\.\d+)?)\s*%\s*\z/i

      EXAMPLES = '"p50 < +2%" or "throughput > -2%"'

      # What came of it: `outcome` holds | fails | inconclusive.
      Result = Struct.new(:gate, :outcome, :reason, keyword_init: true)

      #: (String) -> Comparison::Gate
      def self.parse(text)
        match = FORM.match(text)
        raise UsageError, "--gate #{text.inspect}: write it as #{EXAMPLES}" unless match

        new(text:, metric: Metric.fetch(match[:metric].downcase), side: match[:side],
            bound: 1 + (match[:bound].to_f / 100)).freeze
      end

      # document: of Report::CompareModel.
      #: (Hash[Symbol, untyped]) -> Comparison::Gate::Result
      def call(document)
        line = document[:metrics].find { |one| one[:name] == metric.name }
        return result("inconclusive", "no verdict") if document[:verdict][:outcome] == "invalid"
        return result("inconclusive", line[:missing] || "no interval yet") unless line[:interval]

        low, high = ends(line[:interval])
        result(outcome(low, high), "#{metric.title} #{signed(low)} to #{signed(high)}")
      end

      # Does it neither hold nor fail, and may more cohorts change that?
      #: (Array[Comparison::Ruling::Line]) -> bool
      def open?(lines)
        line = lines.find { |one| one.metric.name == metric.name }
        !line.low.nil? && outcome(*ends([line.low, line.high])) == "inconclusive"
      end

      private

      # Of B / A, from an interval as better is bigger.
      def ends(interval) = metric.more ? interval : interval.reverse.map { |end_| 1 / end_ }

      # low, high: of B / A.
      def outcome(low, high)
        holds, fails = side == "<" ? [high < bound, low >= bound] : [low > bound, high <= bound]
        return "holds" if holds

        fails ? "fails" : "inconclusive"
      end

      def result(outcome, reason) = Result.new(gate: text, outcome:, reason:).freeze

      def signed(ratio) = Verdict::Words.signed(ratio)
    end
  end
end

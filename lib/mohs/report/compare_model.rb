# frozen_string_literal: true

module Mohs
  module Report
    # The document of `mohs compare`: that of a run, with what the comparison of its two variants
    # says. Pure; also for one that is under way.
    class CompareModel < Model
      # run: store.result(run_id) of a run whose study has a comparison: this one.
      #: (Store::Run, Comparison) -> void
      def initialize(run, comparison)
        @comparison = comparison
        super(run)
      end

      #: () -> Hash[Symbol, untyped]
      def document
        document = super
        document.merge(command: "compare", gates: gates(document))
      end

      private

      def even = @comparison.cohorts

      def subject
        super.merge(a: @comparison.baseline, b: @comparison.candidate,
                    margin: @comparison.rules.margin, verdict: @comparison.verdict.to_h,
                    quick: @comparison.state == :quick, forecast: @comparison.forecast,
                    bisection: @comparison.rules.bisection,
                    metrics:, cohorts:, observations:)
      end

      def sentence(document) = CompareSentence.new(document).to_s

      # It stands below the sentence.
      def place_note = nil

      # One and the same on the whole page.
      def verdict(row) = row.name == @comparison.candidate ? @comparison.verdict : super

      def metrics = Comparison::Ruling.new(@comparison).lines.map { |line| metric(line) }

      def metric(line)
        { name: line.metric.name, key: line.metric.key.to_s, title: line.metric.title,
          better: line.metric.more ? "more" : "less", a: line.a, b: line.b, effect: line.effect,
          interval: line.low && [line.low, line.high], outcome: line.outcome,
          missing: line.missing }
      end

      # `each`: servers of A and of B in the last, `each_before` in those before where these had
      # others. `cores` that each server had.
      def cohorts
        pairs = @comparison.pairs
        { done: pairs.size, void:, next_look: @comparison.next_look,
          state: @comparison.state.to_s, seconds: pairs.sum(&:seconds),
          alone_s: @comparison.solo&.seconds, scheme:,
          each: sizes.last, each_before: sizes[0...-1],
          cores: pairs.first&.cores, requests: requests(pairs),
          spread: Comparison::Spread.new(@comparison).to_h }
      end

      def sizes
        @sizes ||= @comparison.pairs.map { |pair| [pair.a.size, pair.b.size] }
                              .chunk_while { |one, other| one == other }.map(&:first)
      end

      def void
        @comparison.void.map { |pair| { cohort: pair.position, reason: pair.trouble } }
      end

      def scheme = @plan.cohorts.first&.scheme

      # Of both sides the larger number.
      def requests(pairs)
        %i[a b].map do |side|
          pairs.flat_map(&side).sum { |trial| Trial::Figures.new(trial).requests }
        end.max
      end

      # What every interval is made of: the log difference of each cohort, better is bigger.
      def observations
        @comparison.pairs.map do |pair|
          told = Comparison::Metric::ALL.to_h { |metric| [metric.key, pair.difference(metric)] }
          { cohort: pair.position, seconds: pair.seconds, differences: told,
            foreign_cpu_share: pair.noise[:foreign_cpu_share] }
        end
      end

      def gates(document)
        @comparison.rules.gates.map { |text| Comparison::Gate.parse(text).call(document).to_h }
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Compare
    # The document of `mohs compare`: a run's document with the result of comparing its two
    # variants. Pure; also for a comparison that is under way.
    class Document < Report::Model
      COMMAND = "compare"

      # A comparison without a verdict is a failure; gates say what a difference means.
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document)
        # A document has no question; its keys tell whose it is.
        own = Procedure.parts("question").filter_map { |one| one.outcome(document) }.first
        return own if own

        outcomes = document[:gates].map { |gate| gate[:outcome] }
        return :regression if outcomes.include?("fails")
        return :inconclusive if outcomes.include?("inconclusive")

        invalid?(document) ? :failed : :ok
      end

      # Whether no figure of it can be trusted: nothing is better or worse then. False for a pair of
      # variants of a run, which has no verdict of its own.
      #: (Hash[Symbol, untyped]) -> bool
      def self.invalid?(document) = document.dig(:verdict, :outcome) == "invalid"

      #: (Analysis::Run) -> void
      def initialize(run)
        super
        @comparison = run.result
      end

      #: () -> Hash[Symbol, untyped]
      def document = super.merge(gates:)

      private

      def subject
        super.merge(a: @comparison.baseline, b: @comparison.candidate,
                    margin: @comparison.rules.margin,
                    verdict: Report::Render.verdict(@comparison.verdict),
                    quick: @comparison.state == :quick, forecast: text(@comparison.forecast),
                    **part_of, **@comparison.rules.question.facts,
                    metrics:, tail: metric(@comparison.tail), cohorts:, looks:, observations:)
      end

      # Each key, whatever this comparison is part of.
      def part_of
        Procedure.parts("question").flat_map { |one| one::PART_OF }.to_h { |key| [key, nil] }
      end

      def text(finding) = finding && Report::Render.call(finding)

      def suggestions(document)
        [Suggestion.new(document, @stored.study, @run.unmet, comparison: @comparison).to_h].compact
      end

      def sentence(document) = @comparison.rules.question.headline.new(document)

      # The host is printed below the sentence.
      def unsaid = [*super, "cores"]

      def jit_worth = Report::JitWorth.answer(@run)

      def metrics = @comparison.lines.map { |line| metric(line) }

      def metric(line)
        { name: line.metric.name, key: line.metric.key.to_s, title: line.metric.title,
          better: line.metric.more ? "more" : "less", a: line.a, b: line.b, effect: line.effect,
          interval: line.low && [line.low, line.high], equal_interval: line.equal,
          raw: line.raw && interval(line.raw), outcome: line.outcome,
          within_margin: line.within, mark: line.mark(@comparison.verdict),
          missing: text(line.missing), missing_finding: line.missing&.to_h&.slice(:code, :values) }
      end

      def interval(one) = { effect: one.value, interval: one.low && [one.low, one.high] }

      # `each`: numbers of servers of A and of B in the last cohorts; `each_before`: the same for
      # earlier cohorts with other numbers. `cores`: cores of each server.
      def cohorts
        pairs = @comparison.pairs
        { done: pairs.size, void:, next_look: @comparison.next_look,
          state: @comparison.state.to_s, seconds: pairs.sum(&:seconds),
          alone_s: @comparison.solo&.seconds, scheme: @plan.cohorts.first&.scheme,
          side_by_side: !!pairs.first&.duet?, each: sizes.last, each_before: sizes[0...-1],
          cores: pairs.first&.cores, requests: @comparison.requests,
          spread: Spread.new(@comparison).to_h }
      end

      def sizes
        @sizes ||= @comparison.pairs.map { |pair| [pair.a.size, pair.b.size] }
                              .chunk_while { |one, other| one == other }.map(&:first)
      end

      # `decisive`: whether the verdict gives the same reason.
      def void
        decisive = @comparison.spoiler&.trouble
        @comparison.void.map do |pair|
          trouble = Report::Render.document(pair.trouble)
          { cohort: pair.position, reason: trouble[:text], **trouble.slice(:code, :values),
            decisive: pair.trouble == decisive }
        end
      end

      # What was known and decided at each look.
      def looks
        @comparison.looks.map do |look|
          { **look.to_h, **interval(@comparison.interval(look)) }
        end
      end

      # The data behind every interval: each cohort's log difference (bigger is better), at the mean
      # core speed and as measured.
      def observations
        @comparison.pairs.zip(@comparison.raw).map do |pair, raw|
          differences, measured = [pair, raw].map do |one|
            @comparison.metrics.to_h { |metric| [metric.key, one.difference(metric)] }
          end
          { cohort: pair.position, seconds: pair.seconds, differences:, raw: measured,
            core_speed: pair.core_speed, foreign_cpu_share: pair.noise[:foreign_cpu_share] }
        end
      end

      def gates
        @comparison.gates.map do |gate|
          judged = gate.gate.interval(@comparison)
          { gate: gate.gate.to_s, outcome: gate.outcome, effect: judged&.value,
            interval: judged && [judged.low, judged.high],
            reason: Report::Render.call(gate.finding) }
        end
      end
    end
  end
end

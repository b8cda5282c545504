# frozen_string_literal: true

module Mohs
  module Compare
    # The options of `mohs compare` for its two variants, the baseline (A) and `candidate` (B):
    # `metric` the one that decides (a name of Analysis::Metric); `margin` the difference that
    # matters (0.01 = 1 %); `precision` the half width of the interval that suffices (nil: until the
    # result is decided); `quick` a provisional result; `gates` [Condition] for the exit status;
    # `most` the maximum number of cohorts, decided or not (nil: as many as the test has looks for);
    # `question` what the comparison is to find out (Question); `budget_s` that the run may take
    # (nil: until it is decided).
    class Rules < Struct.new(:candidate, :metric, :margin, :precision, :quick, :gates, :most,
                             :question, :budget_s, keyword_init: true)
      include Mohs::Procedure::Rules

      NAME = "compare"

      # Its key in a stored study.
      STORED = :comparison

      MARGIN = Analysis::Verdict::MARGIN

      # What decides if nothing else is said.
      THROUGHPUT = "throughput"

      # Those of all questions stand beside it, too.
      #: () -> Array[Symbol]
      def self.keys = [*super, *Procedure.parts("question").flat_map { |one| one::BESIDE }]

      # At a fixed rate both serve the same number of requests, so something else has to decide.
      #: (Hash[Symbol, untyped]) -> String?
      def self.unrated(declaration)
        given = declaration.fetch(STORED)
        return "a study file takes it, #{Wording.all(rated)}" unless
          given.fetch(:question, Question.new).class.rated

        gates = given[:gates].to_a.map { |gate| gate.metric.name }
        return unless [given.fetch(:metric, THROUGHPUT), *gates].include?(THROUGHPUT)

        "at a fixed rate both serve the same number of requests, so requests/s can't decide " \
          "(--metric p99)"
      end

      # The commands whose comparisons may be at a rate.
      def self.rated
        Procedure.parts("question").filter_map(&:rated).map { |name| "mohs #{name}" }
      end
      private_class_method :rated

      # A comparison is one of the second variant, B, with the first, A.
      #: (Hash[Symbol, untyped], variants: Array[Study::Variant], baseline: String) -> Compare::Rules
      def self.declared(declaration, variants:, baseline:)
        candidate = variants.find { |variant| variant.name != baseline }
        usual = declaration[:streams]&.then { |streams| { metric: streams.timed } }
        new(candidate: candidate.name, **usual.to_h, **declaration[STORED],
            **declaration.slice(*shared))
      end

      #: () -> String
      def self.streaming = NAME

      #: () -> String
      def self.comparing = NAME

      # Other procedures' comparisons have limits and points in metrics of requests.
      #: (Hash[Symbol, untyped]) -> String?
      def self.streamless(declaration)
        given = declaration.fetch(STORED)
        return super unless given.fetch(:question, Question.new) == Question.new

        usual = Analysis::Metric.of_streams(declaration.fetch(:streams))
        names = [*usual, Analysis::Metric::TAIL].map(&:name)
        other = (asked(given) - names).first
        "compared by #{names.join(', ')}, not by #{other}" if other
      end

      # Raises UsageError if both variants are the same in different words, if only one of them has
      # a rate, or each has another, and if what decides is a metric of streams, and there are none.
      #: (Array[Study::Variant], notations: Array[Study::Notation], resolver: Study::Resolver, declaration: Hash[Symbol, untyped]) -> void
      def self.verify(variants, notations:, resolver:, declaration:)
        verify_metrics(declaration) unless declaration[:streams]
        return unless variants.size == 2

        verify_rates(variants)
        question = declaration.fetch(STORED).fetch(:question, Question.new)
        Same.new(notations, variants, resolver).verify(unless_named: question.even_if_same?)
      end

      def self.verify_metrics(declaration)
        asked = asked(declaration.fetch(STORED))
        other = (asked & Analysis::Metric::OF_STREAMS.map(&:name)).first or return
        raise UsageError, "#{other} is a metric of connections that stay open: add --stream, " \
                          "--websocket or --cable."
      end
      private_class_method :verify_metrics

      # The names of the metrics that are asked for.
      def self.asked(given) = [*given[:metric], *given[:gates].to_a.map { |gate| gate.metric.name }]
      private_class_method :asked

      def self.verify_rates(variants)
        return if variants.map(&:rate).uniq.size == 1

        loads = variants.map { |one| one.rate ? "rate=#{one.rate}" : "no rate" }
        raise UsageError, "A has #{loads.join(', B ')}: what differs would be the load. Give " \
                          "both the same rate."
      end
      private_class_method :verify_rates

      # study: as stored.
      #: (Hash[Symbol, untyped]) -> Compare::Rules
      def self.stored(study)
        values = study.fetch(STORED)
        gates = values[:gates].map { |gate| Condition.from_h(gate) }
        new(**values.slice(*members), **study.slice(*shared), gates:,
            question: Question.from_study(study))
      end

      #: (candidate: String, ?metric: String, ?margin: Float, ?precision: Float?, ?quick: bool, ?gates: Array[Compare::Condition], ?most: Integer?, ?question: Compare::Question, ?budget_s: Numeric?) -> void
      def initialize(**values)
        super(metric: THROUGHPUT, margin: MARGIN, quick: false, gates: [],
              question: Question.new, **values)
        freeze
      end

      #: (Study) -> Compare::Procedure
      def procedure(study) = Procedure.new(study)

      #: () -> Hash[Symbol, untyped]
      def to_study = { **super, **question.beside }

      # The same with texts where people read it (--dry-run), and with the keys of every question.
      #: () -> Hash[Symbol, untyped]
      def to_document
        study = to_study
        keys = Procedure.parts("question").flat_map { |one| one::STORED }
        { **study, STORED => { **keys.to_h { |key| [key, nil] }, **study.fetch(STORED),
                               gates: gates.map(&:to_s) } }
      end

      # Does the latency's tail decide, alone or in a gate? Then each server needs the requests for
      # a p99.
      #: () -> bool
      def tail?
        metric == Analysis::Metric::TAIL.name ||
          gates.any? { |one| one.metric == Analysis::Metric::TAIL }
      end

      private

      def below
        { **super.except(:question), gates: gates.map(&:to_h), **question.to_h }
      end
    end
  end
end

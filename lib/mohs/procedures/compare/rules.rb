# frozen_string_literal: true

module Mohs
  module Compare
    # The options of `mohs compare` for its two variants, the baseline (A) and `candidate` (B):
    # `metric` the one that decides (a name of Analysis::Metric); `margin` the difference that
    # matters (0.01 = 1 %); `precision` the half width of the interval that suffices (nil: until the
    # result is decided); `quick` a provisional result; `gates` conditions for the exit status ("p50
    # < +2%"); `most` the maximum number of cohorts, decided or not (nil: as many as the test has
    # looks for); `step` of a bisection, which only asks which end the candidate resembles (the
    # values of BisectionTest; else nil); `bisection` that the comparison belongs to, to be shown
    # (`kind` ends, search or confirm, `number` from 1, names of its `good` and `bad` end; else
    # nil); `levels` of `mohs gate` (Gate::FalseAlarms#levels): then the gates alone decide when
    # the comparison ends (else nil); `budget_s` that the run may take (nil: until it is decided).
    class Rules < Struct.new(:candidate, :metric, :margin, :precision, :quick, :gates, :most, :step,
                             :bisection, :levels, :budget_s, keyword_init: true)
      include Mohs::Procedure::Rules

      NAME = "compare"

      # Its key in a stored study.
      STORED = :comparison

      MARGIN = Analysis::Verdict::MARGIN

      # At a fixed rate every variant serves the same number of requests.
      #: () -> String
      def self.unrated
        "comparisons decide by what is served (a study file takes it, and mohs run)"
      end

      # A comparison is one of the second variant, B, with the first, A.
      #: (Hash[Symbol, untyped], variants: Array[Study::Variant], baseline: String) -> Compare::Rules
      def self.declared(declaration, variants:, baseline:)
        candidate = variants.find { |variant| variant.name != baseline }
        new(candidate: candidate.name, **declaration[STORED], **declaration.slice(*shared))
      end

      # Raises UsageError if both variants are the same in different words.
      #: (Array[Study::Variant], notations: Array[Study::Notation], resolver: Study::Resolver, declaration: Hash[Symbol, untyped]) -> void
      def self.verify(variants, notations:, resolver:, declaration:)
        return unless variants.size == 2

        Same.new(notations, variants, resolver).verify(history: !declaration[:track].nil?)
      end

      #: (candidate: String, ?metric: String, ?margin: Float, ?precision: Float?, ?quick: bool, ?gates: Array[String], ?most: Integer?, ?step: { difference: Float, noise: Hash[Symbol, Numeric], alpha: Float }?, ?bisection: Hash[Symbol, String | Integer]?, ?levels: Hash[Symbol, Float]?, ?budget_s: Numeric?) -> void
      def initialize(**values)
        super(metric: "throughput", margin: MARGIN, quick: false, gates: [], **values)
        freeze
      end

      #: (Study) -> Compare::Procedure
      def procedure(study) = Procedure.new(study)

      # Does the latency's tail decide, alone or in a gate? Then each server needs the requests for
      # a p99.
      #: () -> bool
      def tail?
        metric == Analysis::Metric::TAIL.name ||
          conditions.any? { |one| one.metric == Analysis::Metric::TAIL }
      end

      # The gates as they are tested.
      #: () -> Array[Compare::Condition]
      def conditions = gates.map { |text| Condition.parse(text) }
    end
  end
end

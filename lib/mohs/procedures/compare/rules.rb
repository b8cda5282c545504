# frozen_string_literal: true

module Mohs
  module Compare
    # The options of `mohs compare` for its two variants, the baseline (A) and `candidate` (B):
    # `metric` the one that decides (a name of Analysis::Metric); `margin` the difference that
    # matters (0.01 = 1 %); `precision` the half width of the interval that suffices (nil: until the
    # result is decided); `quick` a provisional result; `gates` [Condition] for the exit status;
    # `most` the maximum number of cohorts, decided or not (nil: as many as the test has looks for);
    # `question` what the comparison is to find out (Question).
    class Rules < Struct.new(:candidate, :metric, :margin, :precision, :quick, :gates,
                             :most, :question, keyword_init: true)
      # Its key in a stored study.
      STORED = :comparison

      MARGIN = Analysis::Verdict::MARGIN

      # study: as stored.
      #: (Hash[Symbol, untyped]) -> Compare::Rules
      def self.from_study(study)
        values = study.fetch(STORED)
        new(**values.slice(*members), question: Question.from_study(study),
                                      gates: values[:gates].map { |gate| Condition.from_h(gate) })
      end

      #: (candidate: String, ?metric: String, ?margin: Float, ?precision: Float?, ?quick: bool, ?gates: Array[Compare::Condition], ?most: Integer?, ?question: Compare::Question) -> void
      def initialize(**values)
        super(metric: "throughput", margin: MARGIN, quick: false, gates: [],
              question: Question.new, **values)
        freeze
      end

      #: (Study) -> Compare::Procedure
      def procedure(study) = Procedure.new(study)

      # As stored in a study.
      #: () -> Hash[Symbol, Hash[Symbol, untyped]]
      def to_study
        others = Procedure.parts("question").flat_map { |one| one::STORED }
        { STORED => { **to_h.except(:question), gates: gates.map(&:to_h),
                      **others.to_h { |key| [key, nil] }, **question.to_h } }
      end

      # The same with texts where people read it (--dry-run).
      #: () -> Hash[Symbol, Hash[Symbol, untyped]]
      def to_document = { STORED => { **to_study.fetch(STORED), gates: gates.map(&:to_s) } }

      # Does the latency's tail decide, alone or in a gate? Then each server needs the requests for
      # a p99.
      #: () -> bool
      def tail?
        metric == Analysis::Metric::TAIL.name ||
          gates.any? { |one| one.metric == Analysis::Metric::TAIL }
      end
    end
  end
end

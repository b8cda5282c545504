# frozen_string_literal: true

module Mohs
  module Compare
    # What a comparison is to find out, and so by which test, from which cohorts on and how long:
    # its stopping rule. This is the question of `mohs compare`, which of the two is faster. A
    # procedure that compares for another reason has a Question of its own, found by the name of its
    # file (Procedure.parts), and names it in the rules of its comparisons.
    class Question
      # Its keys in a stored comparison.
      STORED = [].freeze

      # Its keys beside the comparison's in a stored study.
      BESIDE = [].freeze

      # Keys in the document of a comparison that say what it is part of (docs/json.md).
      PART_OF = [].freeze

      class << self
        # The question of a stored study.
        #: (Hash[Symbol, untyped]) -> Compare::Question
        def from_study(study)
          own = Procedure.parts("question").find { |one| one.of?(study) }
          own ? own.stored(study) : new
        end

        # Does the stored study ask this?
        #: (Hash[Symbol, untyped]) -> bool
        def of?(_study) = false

        # The command of such comparisons if their requests may fall due at a rate, so that
        # something else than what is served decides; nil: they may not.
        #: () -> String?
        def rated = (Rules::NAME if equal?(Question))

        # What a document of such a comparison means for the exit status, before its gates are
        # asked; nil: nothing.
        #: (Hash[Symbol, untyped]) -> Symbol?
        def outcome(_document) = nil

        private

        def compared(study) = study[Rules::STORED].to_h
      end

      # The values of STORED; .stored of a subclass makes it from a stored study.
      #: () -> Hash[Symbol, untyped]
      def to_h = {}

      # The values of BESIDE.
      #: () -> Hash[Symbol, untyped]
      def beside = {}

      # The values of PART_OF; those that are known later are left out.
      #: () -> Hash[Symbol, untyped]
      def facts = {}

      # The command that asks it (Procedure#command).
      #: () -> String
      def command = "compare"

      # The class of the comparison's sentence.
      #: () -> Class
      def headline = Headline

      # Does it compare variants that differ in their names only?
      #: () -> bool
      def even_if_same? = false

      # Numbers of cohorts after which it may be answered.
      #: () -> Array[Integer]
      def looks = Stats::Sequential::LOOKS

      #: () -> Integer
      def first_look = looks.first

      # Does the answer say how large the difference is? Then its interval has a test, anything that
      # speaks against the figures matters, and a last look is made where the budget ends.
      #: () -> bool
      def effect? = true

      # Does the answer say which of the two is faster?
      #: () -> bool
      def verdict? = true

      # Decides at a look: called with the differences, their bias and their totals. test: of the
      # differences. last: no cohort can follow.
      #: (Stats::Sequential?, Compare::Rules, last: bool) -> untyped
      def decision(test, rules, **)
        Stats::Sequential::Decision.new(test, margin: rules.margin, precision: rules.precision)
      end

      # Is nothing left to find out after this look? A quick answer waits for nothing.
      #: (Compare::Look, Compare::Result) -> bool
      def answered?(look, comparison)
        comparison.rules.quick || (look.decided? && !comparison.gates_open?(look))
      end

      # The state of a comparison that is answered, but in which no look decided anything.
      #: () -> Symbol
      def undecided = :continue

      # The line of a gate's metric, as of a look, with the interval that the gate is judged by.
      #: (Compare::Ruling::Line, Compare::Condition, Compare::Look, Compare::Result) -> Compare::Ruling::Line
      def gated(line, _gate, _look, _comparison) = line

      # Keeps what a finished comparison is asked for.
      #: (Analysis::Run, Store) -> void
      def finished(_run, _store); end

      # Procedure#answer of its comparison.
      #: (Analysis::Run, points: ^(String) -> Array[Hash[Symbol, untyped]]) -> Hash[Symbol, untyped]?
      def answer(_run, **) = nil

      # Procedure#version of its comparison.
      #: (Store) -> untyped
      def version(_store) = nil

      #: (untyped) -> bool
      def ==(other) = other.instance_of?(self.class) && other.values == values
      alias eql? ==

      #: () -> Integer
      def hash = [self.class, values].hash

      protected

      def values = [to_h, beside]
    end
  end
end

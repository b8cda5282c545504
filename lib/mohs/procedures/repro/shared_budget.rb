# frozen_string_literal: true

module Mohs
  module Repro
    # The budget of several studies together: those that remain share what is left, so what one
    # does not need is there for the others.
    class SharedBudget
      # There is no time for a study: the seconds that it needs, and the seconds that are left.
      class NoTime < Error
        #: () -> { needed_s: Numeric, left_s: Numeric }
        attr_reader :facts

        #: (**Numeric) -> void
        def initialize(**facts)
          @facts = facts
          super("not enough time")
        end
      end

      # What a study may take: its share, `seconds`; at most `left_s`, which is left for all.
      Share = Struct.new(:seconds, :left_s, keyword_init: true) do
        # The study, which was declared with its share or begun before with another budget. If the
        # least that gives a result is more than that, it gets that: a study cut below it would take
        # its share and decide nothing. Raises NoTime.
        #: (Study, least_s: Numeric) -> Study
        def of(study, least_s:)
          needed_s = least_s.ceil
          raise NoTime.new(needed_s:, left_s:) if needed_s > left_s

          study.within([study.rules.budget_s, needed_s].max)
        end
      end

      # Least seconds of a share.
      LEAST_S = 1

      # planned: whether nothing is measured: then no time passes, and what is planned counts.
      #: (Numeric, ?planned: boolish, ?clock: Module) -> void
      def initialize(seconds, planned: false, clock: Clock)
        @seconds = seconds
        @clock = clock
        @began_ns = clock.mono_ns
        @planned_s = 0 if planned
      end

      # Counts the seconds that a study is planned to take.
      #: (Numeric) -> void
      def plan(seconds)
        @planned_s += seconds
      end

      # That of the next study. studies: how many remain, this one included.
      #: (Integer) -> Repro::SharedBudget::Share
      def share(studies)
        left_s = @seconds - spent_s
        Share.new(seconds: [(left_s / studies).round, LEAST_S].max, left_s:).freeze
      end

      private

      def spent_s = @planned_s || ((@clock.mono_ns - @began_ns) / 1e9)
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Rounds
    # What the rounds of a run say, and whether more of them are needed: if the user named no number
    # of rounds (Rules#until_decided), the run ends after the first round whose intervals decide
    # every difference. Those intervals are wide enough to be looked at after any round.
    class Result < Analysis::Result
      LEAST = Analysis::Effects::ROUNDS

      # The last look has what the looks before it left of the chance of error (Bonferroni): one
      # look after each round from the third on.
      #: () -> Float
      def alpha
        return super unless ends_early?
        return early unless @run.finished? && !cut_short?

        Analysis::Verdict::ALPHA - (early * [planned - LEAST, 0].max)
      end

      # Is a round complete, more are planned, and every difference is decided? A candidate without
      # figures so far gets none in further rounds that would be worth their time.
      #: () -> bool
      def decided?
        return false unless ends_early? && cut_short? && done.to_i >= LEAST

        outcomes = candidates.map { |name| effects.verdict(name).outcome }
        outcomes.any? && (outcomes - DECIDED).empty?
      end

      # A finding if the run ended because everything was decided before its last round.
      #: () -> Analysis::Finding?
      def enough
        return unless @run.finished? && decided?

        Analysis::Finding.note("rounds_enough", done:, planned:)
      end

      DECIDED = %i[faster slower equivalent].freeze
      private_constant :DECIDED

      private

      # Not in a fleet, whose hosts measure rounds in any order, and not if a variant takes a minute
      # to get warm: its rounds come after all rounds of the others.
      def ends_early?
        @run.study.procedure.until_decided? && @run.study.variants.none?(&:lingers?) &&
          @run.cohorts.none?(&:host_name)
      end

      # Are whole rounds of servers left, and none begun?
      def cut_short?
        left = served.select(&:queued?).map(&:round).min
        left ? served.none?(&:running?) && left > done.to_i : false
      end

      def done = served.select(&:done?).map(&:round).max

      def planned = served.map(&:round).max.to_i

      # Refused variants have a cohort of their own.
      def served = @run.cohorts.select { |cohort| cohort.spec.baseline }

      def candidates = @run.trials.select(&:measured?).map(&:variant).uniq - [baseline]
    end
  end
end

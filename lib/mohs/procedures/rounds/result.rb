# frozen_string_literal: true

module Mohs
  module Rounds
    # What the rounds of a run say, and whether more of them are needed: if the user named no number
    # of rounds (Rules#until_decided), the run ends after the first round whose intervals decide
    # every difference (Procedure#over?). Those intervals are wide enough to be looked at after any
    # round.
    class Result < Analysis::Result
      # Before this round no run ends: of boots in two modes, three are alike in one case of four.
      LEAST = 4

      # The last look has what the looks before it left of the chance of error (Bonferroni).
      #: () -> Float
      def alpha
        return super unless ends_early?
        return early unless @run.finished? && !ended_early?

        Analysis::Verdict::ALPHA - (early * [planned - LEAST, 0].max)
      end

      # Rounds are judged by the rates that servers reach: none where requests fall due at a given
      # rate, or where streams are held open.
      #: (Analysis::Row) -> Analysis::Verdict
      def judge(row)
        study = @run.study
        return super unless row.measured?
        return no_verdict(row, "rate_given") if
          [row.name, baseline].any? { |name| study.variant(name)&.rate }

        timed = study.streams&.timed
        timed ? no_verdict(row, "streams_given", timed:) : super
      end

      # Is a round complete and are others left, and has every boot so far given figures? A variant
      # that dies now and then would otherwise be judged by the runs in which it has not yet.
      #: () -> bool
      def may_end? = ends_early? && cut_short? && done.to_i >= LEAST && served_all?

      # A finding if the run ended because everything was decided before its last round.
      #: () -> Analysis::Finding?
      def enough
        Analysis::Finding.note("rounds_enough", done:, planned:) if ended_early?
      end

      private

      # Not in a fleet, whose hosts measure rounds in any order, and not if a variant takes a minute
      # to get warm: its rounds come after all rounds of the others.
      def ends_early?
        @run.study.procedure.until_decided? && @run.study.variants.none?(&:lingers?) &&
          @run.cohorts.none?(&:host_name)
      end

      def ended_early? = @run.finished? && may_end?

      def served_all? = served.select(&:done?).flat_map(&:trials).all?(&:measured?)

      # Are whole rounds of servers left, and none begun?
      def cut_short?
        left = served.select(&:queued?).map(&:round).min
        left ? served.none?(&:running?) && left > done.to_i : false
      end

      def done = served.select(&:done?).map(&:round).max

      def planned = served.map(&:round).max.to_i

      # Refused variants have a cohort of their own.
      def served = @run.cohorts.select { |cohort| cohort.spec.baseline }
    end
  end
end

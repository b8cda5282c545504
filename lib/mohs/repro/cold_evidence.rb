# frozen_string_literal: true

module Mohs
  module Repro
    # What a run's batches from a cold start have to say of one claim. These are figures of single
    # levels, found by rules (method, Cold starts): no p-value of theirs is adjusted with others.
    class ColdEvidence
      # Trials of each level that decide when it is warm, as many as an interval needs.
      FEWEST = Stats::Interval::FEWEST

      attr_reader :claim

      # sizes: names of those of the publication that record a cold start.
      #: (Repro::Claim, Repro::Test, (Analysis::Run | Repro::RawData)?, sizes: Array[String]) -> void
      def initialize(claim, test, run, sizes:)
        @claim = claim
        @statement = claim.statement
        @test = test
        @cold_start = run&.cold_start
        @sizes = sizes
      end

      # Never a part of the study's tests.
      #: () -> bool
      def counted? = false

      #: () -> bool
      def tested? = false

      #: () -> Repro::Judgement
      def judgement
        return judged(Judge::NOT_TESTABLE, [@test.obstacle]) if @test.obstacle
        return judged(Judge::UNDECIDED, [missing]) if missing

        outcome, *findings = decided
        outcome = Judge::DIRECTION if outcome == Judge::AGREES && @test.stand_ins.any?
        excluded = @statement.kind == "excluded"
        judged(outcome, findings + @test.versions, p: (levels.first.p if excluded))
      end

      private

      def decided = @statement.kind == "warm" ? warm : excluded

      def missing
        return note("repro_no_batches", sizes: @sizes) unless @cold_start

        name = variants.find { |one| @cold_start.level(one).nil? }
        note("repro_unmeasured", variant: name) if name
      end

      def variants = @test.levels.map(&:variant).uniq

      def levels = @levels ||= variants.map { |name| @cold_start.level(name) }

      # By the median of each level's trials; to contradict, each of a level's trials has to be too
      # late, since what else the machine does may make one so. Named are the levels that decide.
      def warm
        few = levels.map { |level| level.trials.size }.min
        return [Judge::UNDECIDED, warm_after(*levels), too_few(few)] if few < FEWEST

        late = levels.select { |level| late?(level) }
        return [Judge::AGREES, warm_after(levels.max_by(&:warm_after))] if late.empty?

        never = late.select { |level| level.trials.all? { |trial| surely_late?(trial) } }
        return [Judge::UNDECIDED, warm_after(*late)] if never.empty?

        [Judge::CONTRADICTED, warm_after(*never)]
      end

      def too_few(rounds) = note("repro_few", rounds:, needed: FEWEST)

      # One that was not warm in time was so late only if its batches reach far enough.
      def surely_late?(trial)
        return trial.warm_after > @statement.high if trial.warm_after

        size = trial.batches.size
        size >= 2 * Stats::Mser::KEPT && size / 2 > @statement.high
      end

      # Of a level.
      def late?(level) = level.warm_after.nil? || level.warm_after > @statement.high

      def warm_after(*levels)
        found = levels.map do |level|
          { variant: level.name, after: level.warm_after, trials: level.trials.map(&:warm_after) }
        end
        note("repro_warm", levels: found)
      end

      # Trials that agree may have done so by chance.
      def excluded
        level = levels.first
        return [Judge::UNDECIDED, note("repro_single", variant: level.name)] if level.p.nil?

        rates = level.trials.map(&:settled_per_s)
        return [Judge::UNDECIDED, note("repro_alike", rates:)] unless level.excluded?

        [Judge::AGREES, note("repro_disagree", rates:)]
      end

      def judged(outcome, findings, p: nil)
        Judgement.new(claim: @claim, outcome:, p:, findings:, levels: @test.levels)
      end

      def note(code, **values) = Analysis::Finding.note(code, **values)
    end
  end
end

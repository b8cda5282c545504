# frozen_string_literal: true

module Mohs
  module Repro
    # What a run's batches from a cold start say about one claim. These are figures of single
    # levels, found by rules (method, Cold starts): their p-values are not adjusted for other
    # claims.
    class ColdEvidence
      attr_reader :claim

      # sizes: names of the publication's sizes that record a cold start.
      #: (Repro::Claim, Repro::Test, (Analysis::Run | Repro::RawData)?, sizes: Array[String]) -> void
      def initialize(claim, test, run, sizes:)
        @claim = claim
        @statement = claim.statement
        @test = test
        @cold_start = run&.cold_start
        @sizes = sizes
      end

      # Never one of the study's tests.
      #: () -> bool
      def counted? = false

      #: () -> bool
      def tested? = false

      #: () -> Repro::Judgement
      def judgement
        return hindered(@test.obstacle, Judge::NOT_TESTABLE) if @test.obstacle
        return hindered(missing, Judge::UNDECIDED) if missing

        outcome, *findings = decided
        outcome, versions = @test.weigh(outcome, shown_by: variants)
        excluded = @statement.kind == "excluded"
        judged(outcome, findings + versions, p: (levels.first.p if excluded))
      end

      private

      def hindered(why, otherwise) = judged(Judge.hindered(why, otherwise:), [why])

      def missing
        return note("repro_no_batches", sizes: @sizes) unless @cold_start

        name = variants.find { |one| @cold_start.level(one).nil? }
        note("repro_unmeasured", variant: name) if name
      end

      def variants = @test.levels.map(&:variant).uniq

      def levels = @levels ||= variants.map { |name| @cold_start.level(name) }

      # Trials that agree may do so by chance.
      def decided
        level = levels.first
        return [Judge::UNDECIDED, note("repro_single", variant: level.name)] if level.p.nil?

        rates = level.trials.map(&:settled_per_s)
        return [Judge::UNDECIDED, note("repro_alike", rates:)] unless level.excluded?

        [Judge::AGREES, note("repro_disagree", rates:, stray: level.stray)]
      end

      def judged(outcome, findings, p: nil)
        Judgement.new(claim: @claim, outcome:, p:, findings:, levels: @test.levels)
      end

      def note(code, **values) = Analysis::Finding.note(code, **values)
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Repro
    # What a run's batches from a cold start say about a claim that levels are warm within a number
    # of batches. It compares the rate of as many batches after these with the rate of the second
    # half, boot by boot. Each level has to be as fast by then as later, within a margin; one level
    # that surely isn't contradicts the claim. Tested like ratios, and one of the study's tests. The
    # batch at which MSER cuts is shown; a level without a cut is not steady and can't agree.
    class WarmEvidence < Evidence
      # Margin within which a level is as fast as later.
      MARGIN = 0.02

      # sizes: names of the publication's sizes that record a cold start.
      #: (Repro::Claim, Repro::Test, (Analysis::Run | Repro::RawData)?, sizes: Array[String]) -> void
      def initialize(claim, test, run, sizes:)
        super(claim, test, run)
        @within = @statement.high
        low, high = Stats::Margin.ratios(MARGIN)
        @statement = Statement.new(kind: @statement.kind, to: @statement.to, low:, high:)
        @sizes = sizes
      end

      #: () -> bool
      def tested? = obstacle.nil? && missing.nil?

      private

      def obstacle = @test.obstacle

      def missing
        cold = @run&.cold_start or return note("repro_no_batches", sizes: @sizes)

        found = unrecorded_of(cold, variants) and return found

        none = settlings.find { |_, contrast| contrast.effect.count.zero? }
        note("repro_short", variant: none.first, within: @within) if none
      end

      def variants = @test.levels.map(&:variant).uniq

      def levels = @levels ||= variants.map { |name| @run.cold_start.level(name) }

      # { name of a level => Analysis::Contrast }.
      def settlings
        @settlings ||= variants.to_h { |name| [name, @run.cold_start.settling(name, @within)] }
      end

      def contrasts = settlings.values

      def shown_by = [settlings.keys.min_by { |name| outside_p(settlings[name]) }]

      def by_range
        outcome, *findings = super
        outcome = Judge::UNDECIDED if outcome == Judge::AGREES && levels.any? { |one| !one.warm_after }
        [outcome, *findings, settled, cut]
      end

      # A level as fast as later may never level off, so its ratio alone confirms nothing.
      def leaning(_way) = {}

      # Findings of its own say it.
      def as_claimed = []

      def beyond = note("repro_outside", **range)

      def settled
        ends = interval
        note("repro_settling", variant: settlings.key(nearest), batches: @within, ratio: ends.value,
                               interval: ends.low && [ends.low, ends.high])
      end

      def cut
        found = levels.map do |level|
          { variant: level.name, after: level.warm_after, trials: level.trials.map(&:warm_after) }
        end
        note("repro_warm", levels: found)
      end

      # Its figure is not a ratio of two variants; a finding has it.
      def judged(...) = Judgement.new(**super.to_h, interval: nil)
    end
  end
end

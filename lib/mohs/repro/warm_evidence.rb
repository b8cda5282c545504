# frozen_string_literal: true

module Mohs
  module Repro
    # What a run's batches from a cold start have to say of a claim that levels are warm within so
    # many: the rate of as many batches behind these, beside that of the second half, boot by boot.
    # Each level has to be as fast by then as later, within a margin; one that surely isn't is
    # enough to contradict. Tested as ratios are, and a part of the study's tests. Where MSER cuts
    # is shown, and keeps a level without a cut, that is not steady, from agreeing.
    class WarmEvidence < Evidence
      # As fast as later.
      MARGIN = 0.02

      # sizes: names of those of the publication that record a cold start.
      #: (Repro::Claim, Repro::Test, (Analysis::Run | Repro::RawData)?, sizes: Array[String]) -> void
      def initialize(claim, test, run, sizes:)
        super(claim, test, run)
        @within = @statement.high
        @statement = Statement.new(kind: @statement.kind, to: @statement.to, low: 1 / (1 + MARGIN),
                                   high: 1 + MARGIN)
        @sizes = sizes
      end

      #: () -> bool
      def tested? = obstacle.nil? && missing.nil?

      private

      def obstacle = @test.obstacle

      def missing
        cold = @run&.cold_start or return note("repro_no_batches", sizes: @sizes)

        name = variants.find { |one| cold.level(one).nil? }
        return note("repro_unmeasured", variant: name) if name

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

      # The one that is farthest from what it is later.
      def nearest = @nearest ||= contrasts.max_by { |one| one.effect.value.abs }

      def by_range
        outcome, *findings = super
        outcome = Judge::UNDECIDED if outcome == Judge::AGREES && levels.any? { |one| !one.warm_after }
        [outcome, *findings, settled, cut]
      end

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

      # Its figure is no ratio of two variants: the reason has it.
      def judged(...) = Judgement.new(**super.to_h, interval: nil)
    end
  end
end

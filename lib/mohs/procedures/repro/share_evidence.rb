# frozen_string_literal: true

module Mohs
  module Repro
    # What a run's profiles say about one claim on shares of the CPU time: the share of one
    # category, or the ratio of two. Tested like ratios of rates, and one of the study's tests. A
    # share by itself has no direction: a share outside its range is contradicted.
    class ShareEvidence < Evidence
      #: (Repro::Claim, Repro::Test, Analysis::Run?, Repro::ProfileShares?) -> void
      def initialize(claim, test, run, shares)
        super(claim, test, run)
        @shares = shares
      end

      private

      # A server without figures has no profile either, but a better reason.
      def unmeasured = super || unsampled

      def unsampled
        name = @test.levels.map(&:variant).find { |one| !@shares&.sampled?(one) }
        note("repro_unsampled", variant: name) if name
      end

      def contrasts(_of = nil)
        @contrasts ||= begin
          own, *others = parts
          others.empty? ? [@shares.share(own)] : others.map { |one| @shares.ratio(one, own) }
        end
      end

      # The variants that stand for the statement's levels, with their categories.
      def parts
        @statement.parts.map { |level, category| [@test.variant(level), category] }
      end

      def missing = note("repro_never_beside")

      # The interval of a share is computed from its logarithm and may end above 1, which no share
      # can.
      def judged(...)
        found = super
        return found unless @statement.kind == "share" && found.interval&.high&.>(1)

        Judgement.new(**found.to_h, interval: found.interval.map { |share| [share, 1.0].min })
      end

      def as_claimed
        return super unless @statement.kind == "share"

        [note("repro_share_within", sized: !@statement.published.nil?, **range)]
      end

      # Its categories are in the claim.
      def rival = []

      def beyond = @statement.kind == "share" ? note("repro_share_outside", **range) : super
    end
  end
end

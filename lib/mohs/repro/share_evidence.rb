# frozen_string_literal: true

module Mohs
  module Repro
    # What the profiles of a run have to say of one claim about shares of the CPU time: that of one
    # category, or the ratio of two. Tested as ratios of rates are, and a part of the study's tests.
    # A share by itself has no direction: what is outside of its range is contradicted.
    class ShareEvidence < Evidence
      #: (Repro::Claim, Repro::Test, Analysis::Run?, Analysis::ProfileShares?) -> void
      def initialize(claim, test, run, shares)
        super(claim, test, run)
        @shares = shares
      end

      private

      # A server without figures has no profile either, and a better reason.
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

      # Variants that stand for its levels, with their categories.
      def parts
        @statement.parts.map { |level, category| [@test.variant(level), category] }
      end

      def missing = note("repro_never_beside")

      # Of the logarithm of a share the interval may end above the whole, which no share does.
      def judged(...)
        found = super
        return found unless @statement.kind == "share" && found.interval&.high&.>(1)

        Judgement.new(**found.to_h, interval: found.interval.map { |share| [share, 1.0].min })
      end

      def beyond = @statement.kind == "share" ? note("repro_share_outside", **range) : super
    end
  end
end

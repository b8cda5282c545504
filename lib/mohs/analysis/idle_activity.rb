# frozen_string_literal: true

module Mohs
  module Analysis
    # What a variant's servers did while others were measured (Checks::Idle): `share`, the median
    # over its trials of the share of a core; and `loss`, the logarithm by which that may have
    # lowered the rates of the others, which share its cores: infinite if it took all of them.
    class IdleActivity < Struct.new(:share, :loss, keyword_init: true)
      include Value

      CHECK = "idle"

      # A server that took less moved no ratio by as much as matters.
      LEAST = Verdict::MARGIN

      # trials: of one variant. Trials whose activity is unknown (they never rested, or ran alone)
      # say nothing.
      #: (Array[Store::Trial]) -> Analysis::IdleActivity
      def self.of(trials)
        known = trials.select(&:measured?).filter_map do |trial|
          share = share(trial)
          [share, share.fdiv(trial.cores || 1)] if share
        end
        return new(share: 0.0, loss: 0.0) if known.empty?

        share, of_cores = known.transpose.map { |values| Stats::Center.median(values) }
        new(share:, loss: share < LEAST ? 0.0 : loss(of_cores))
      end

      def self.share(trial)
        Checks.of(trial).find { |finding| finding.member == CHECK }&.values&.dig(:share)
      end

      # Others keep what is left of their cores.
      def self.loss(share) = share < 1 ? -Math.log(1 - share) : Float::INFINITY
      private_class_method :share, :loss
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Analysis
    # What a variant's servers did while others were measured (Checks::Idle): `share`, the mean of
    # the share of a core over its trials, and `loss`, the logarithm by which that may have lowered
    # the rates of the others, as a mean over trials; infinite if a trial took all of their cores.
    class IdleActivity < Struct.new(:share, :loss, keyword_init: true)
      include Value

      BUSY = "idle.busy"

      # trials: of one variant, in cohorts with others. A trial whose activity is unknown, or within
      # the limit of the check, counts as idle.
      #: (Array[Store::Trial]) -> Analysis::IdleActivity
      def self.of(trials)
        trials = trials.select(&:measured?)
        return new(share: 0.0, loss: 0.0) if trials.empty?

        shares = trials.map { |trial| share(trial) }
        losses = trials.zip(shares).map { |trial, share| loss(share.fdiv(trial.cores || 1)) }
        new(share: Stats::Center.mean(shares), loss: losses.sum / losses.size)
      end

      # A fatal finding if what these servers took may be as much as their lead, a logarithm; else
      # nil. name: as the finding calls them.
      #: (Array[Store::Trial], Numeric, String) -> Analysis::Finding?
      def self.spoiling(trials, lead, name)
        activity = of(trials)
        Finding.new(code: "slowed_others", severity: :bad, subject: name,
                    values: { variant: name, share: activity.share }) if activity.loss >= lead
      end

      def self.share(trial)
        busy = Checks.of(trial).find { |finding| finding.code == BUSY }
        busy ? busy.values.fetch(:share) : 0.0
      end

      # A server keeps what is left of its cores.
      def self.loss(share) = share < 1 ? -Math.log(1 - share) : Float::INFINITY
      private_class_method :share, :loss
    end
  end
end

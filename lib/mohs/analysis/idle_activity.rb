# frozen_string_literal: true

module Mohs
  module Analysis
    # What a variant's servers did while others were measured (Checks::Idle): `share`, the median
    # over its trials of the share of a core; and `loss`, the logarithm by which that may have
    # lowered the rates of the others, which share its cores: infinite if it took all of them.
    # `variant`: its name; nil without any trial.
    class IdleActivity < Struct.new(:variant, :share, :loss, keyword_init: true)
      include Value

      CHECK = "idle"

      # Metrics that it makes worse for the others. CPU time is not among them: a server's own does
      # not count what it waits for a core.
      SLOWS = [:throughput_per_s, :latency_p50_ms, Metric::TAIL.key, Metric::OVERHEAD.key].freeze

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
        variant = trials.first&.variant
        return new(variant:, share: 0.0, loss: 0.0) if known.empty?

        share, of_cores = known.transpose.map { |values| Stats::Center.median(values) }
        new(variant:, share:, loss: share < LEAST ? 0.0 : loss(of_cores))
      end

      def self.share(trial)
        Checks.of(trial).find { |finding| finding.member == CHECK }&.values&.dig(:share)
      end

      # Others keep what is left of their cores.
      def self.loss(share) = share < 1 ? -Math.log(1 - share) : Float::INFINITY
      private_class_method :share, :loss

      # How far a difference to this variant in a metric may be off, a logarithm. What took
      # everything is no bias: nothing is left to compare with (#finding).
      #: (Symbol) -> Float
      def bias(metric) = SLOWS.include?(metric) && !everything? ? loss : 0.0

      # Why a metric of the others means nothing: this one took all that they could have; nil if it
      # did not, or if it makes that metric no worse.
      #: (Symbol, ?subject: String?) -> Analysis::Finding?
      def ruling_out(metric, subject: variant)
        finding(subject:) if SLOWS.include?(metric) && everything?
      end

      #: (?subject: String?) -> Analysis::Finding
      def finding(subject: variant)
        Finding.new(code: "slowed_others", severity: :bad, subject:, values: { variant:, share: })
      end

      private

      def everything? = loss.infinite?
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Analysis
    # By how much a variant's servers may still get faster than they were measured, on average
    # (Trial::WarmUp#may_rise): `rise`, a logarithm. `variant`: its name; nil without any trial.
    class Unwarmed < Struct.new(:variant, :rise, keyword_init: true)
      include Value

      # That an interval is wider because of it.
      CODE = "may_rise"

      # What it makes better. Memory and boots have nothing to do with it.
      IMPROVES = [:throughput_per_s, :cpu_us_per_request, *Metric::LATENCIES].freeze

      # trials: of one variant.
      #: (Array[Store::Trial]) -> Analysis::Unwarmed
      def self.of(trials)
        rises = trials.select(&:measured?)
                      .map { |trial| Math.log(1 + trial.warm_up.to_h[:may_rise].to_f) }
        new(variant: trials.first&.variant,
            rise: rises.empty? ? 0.0 : Stats::Center.mean(rises))
      end

      # How far the difference in a metric from another variant may be off, a logarithm: this one
      # looks better by this than it will be beside the other, if that gets faster.
      #: (Symbol, Analysis::Unwarmed) -> Float
      def bias(metric, other)
        IMPROVES.include?(metric) ? [other.rise - rise, 0.0].max : 0.0
      end

      # That the interval of a difference from another allows for it; nil if it may gain less than
      # the margin, a logarithm, more than the other.
      #: (Analysis::Unwarmed, Float, ?subject: String?) -> Analysis::Finding?
      def widening(other, margin, subject: variant)
        return if rise - other.rise < margin

        Finding.new(code: CODE, severity: :warn, subject:,
                    values: { variant: subject, share: Math.exp(rise) - 1 })
      end
    end
  end
end

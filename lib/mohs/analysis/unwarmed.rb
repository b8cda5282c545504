# frozen_string_literal: true

module Mohs
  module Analysis
    # By how much a variant's servers may still get faster than they were measured, on average
    # (Trial::WarmUp#may_rise): `rise`, a logarithm. `variant`: its name; nil without any trial.
    # `kinds`: their engines and JITs, of JVMs also their versions: others compile at another speed.
    # `bound`: whether that is no more than a bound, as of a JVM; a JIT that counts calls gains by
    # the requests that it has yet to serve. `cold`: whether one was measured before its JIT had
    # compiled all of its pages. `paced`: whether it was loaded at a given rate.
    class Unwarmed < Struct.new(:variant, :rise, :kinds, :bound, :cold, :paced, keyword_init: true)
      include Value

      # By which share the rate of a page may rise that its JIT has yet to compile: while it does,
      # a request takes up to 2.7 times as long as later (method, section 1).
      COLD_RISE = 1.7

      # That an interval is wider because of it, and that there is none.
      CODE = "may_rise"
      PACED = "may_rise_paced"

      # What it makes better. Memory and boots have nothing to do with it.
      IMPROVES = [:throughput_per_s, :cpu_us_per_request, *Metric::LATENCIES].freeze

      # At a given rate, a latency may change by any multiple of what the rate does: 6 % more made
      # p99 13 to 100 % less at 50 to 90 % of capacity. Less than this hardly matters.
      TAIL = IdleActivity::TAIL

      class << self
        # trials: of one variant.
        #: (Array[Store::Trial]) -> Analysis::Unwarmed
        def of(trials)
          measured = trials.select(&:measured?)
          stated = measured.select { |trial| may_rise(trial) }
          known = stated.any? ? stated : measured
          rises = known.map { |trial| may_rise(trial) || 0.0 }
          logs = rises.map { |rise| Math.log(1 + rise) }
          new(variant: trials.first&.variant, rise: logs.empty? ? 0.0 : Stats::Center.mean(logs),
              kinds: known.map { |trial| kind(trial.attested) }.uniq,
              bound: known.any? { |trial| background?(trial.attested) },
              cold: known.zip(rises).any? { |trial, rise| rise.positive? && cold?(trial) },
              paced: trials.any? { |trial| trial.latency.to_h[:kind].to_s == "response" })
        end

        private

        # nil if an earlier mohs did not store it.
        def may_rise(trial)
          trial.warm_up.to_h.fetch(:may_rise) { COLD_RISE if short?(trial) }
        end

        def kind(attested)
          attested.values_at(:engine, :jit, *(:version if background?(attested)))
        end

        def background?(attested)
          engine = attested[:engine] or return false
          Rubies::Engines.named(engine).warm_up(attested[:jit]).fetch(:background, false)
        end

        def cold?(trial) = short?(trial) || trial.warm_up.to_h.fetch(:cold, 0).positive?

        def short?(trial) = trial.warm_up.to_h[:outcome] == "short"
      end

      # How far the difference in a metric from another variant may be off, a logarithm: this one
      # looks better by this than it will be beside the other, if that gets faster.
      #: (Symbol, Analysis::Unwarmed) -> Float
      def bias(metric, other) = IMPROVES.include?(metric) ? other.beyond(self) : 0.0

      # By how much this one may gain more than the other. Two of a kind are taken to gain alike
      # after their pages are compiled; what they gain by that is known of neither.
      #: (Analysis::Unwarmed) -> Float
      def beyond(other)
        alike = kinds.one? && kinds == other.kinds && !cold && !other.cold
        return rise unless alike

        bound || other.bound ? 0.0 : [rise - other.rise, 0.0].max
      end

      # That the interval of a difference from another allows for it; nil if that is less than the
      # margin, a logarithm, or nothing for this metric.
      #: (Symbol, Analysis::Unwarmed, Float, ?subject: String?) -> Analysis::Finding?
      def widening(metric, other, margin, subject: variant)
        finding(CODE, :warn, subject) if other.bias(metric, self) >= margin
      end

      # Why a metric means nothing beside another variant; nil if nothing rules it out.
      #: (Symbol, Analysis::Unwarmed, ?subject: String?) -> Analysis::Finding?
      def ruling_out(metric, other, subject: variant)
        return if !paced || bound || !Metric::LATENCIES.include?(metric) || beyond(other) < TAIL

        finding(PACED, :bad, subject)
      end

      private

      def finding(code, severity, subject)
        Finding.new(code:, severity:, subject:,
                    values: { variant: subject, share: Math.exp(rise) - 1 })
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Analysis
    # By how much a variant's servers may still get faster than they were measured, on average
    # (Trial::WarmUp#may_rise): `rise`, a logarithm. `variant`: its name; nil without any trial.
    # `kinds`: their interpreters, JITs and flags, since another version or another threshold
    # compiles at another speed. `bound`: whether that is no more than a bound, as of a JVM; a JIT
    # that counts calls gains by the requests that it has yet to serve. `uncompiled`: whether one
    # was measured before its JIT had compiled all of its pages, or its warm-up was too short to
    # tell. `paced`: whether it was loaded at a given rate.
    class Unwarmed < Struct.new(:variant, :rise, :kinds, :bound, :uncompiled, :paced,
                                keyword_init: true)
      include Value

      # What makes two of a kind.
      KIND = %i[interpreter jit flags invokedynamic].freeze

      # By which share the rate of a page is taken to rise that its JIT has yet to compile: while it
      # does, a request takes up to 2.7 times as long as later (method, section 1).
      UNCOMPILED_RISE = 1.7

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
              kinds: known.map { |trial| trial.attested.slice(*KIND) }.uniq,
              bound: known.any? { |trial| rule(trial)&.fetch(:background, false) },
              uncompiled: known.zip(rises).any? { |trial, rise|
                rise.positive? && uncompiled?(trial)
              },
              paced: trials.any? { |trial| trial.latency.to_h[:kind].to_s == "response" })
        end

        # That an interval is wider by this bias; nil if that is less than the margin. Both are
        # logarithms.
        #: (String?, Float, Float) -> Analysis::Finding?
        def widened(subject, bias, margin)
          found(CODE, :warn, subject, bias) if bias >= margin
        end

        # That a metric means nothing.
        #: (String?, Float) -> Analysis::Finding
        def ruled_out(subject, bias) = found(PACED, :bad, subject, bias)

        private

        def found(code, severity, subject, bias)
          Finding.new(code:, severity:, subject:,
                      values: { variant: subject, share: Math.exp(bias) - 1 })
        end

        # nil if that is unknown, as of an engine that is, or if an earlier mohs did not store it.
        def may_rise(trial)
          trial.warm_up.to_h.fetch(:may_rise) do
            UNCOMPILED_RISE if short?(trial) && counts_calls?(rule(trial))
          end
        end

        def counts_calls?(rule)
          !rule.nil? && rule.fetch(:calls, 1).positive? && rule.fetch(:gains, true)
        end

        # nil of an unknown engine.
        def rule(trial)
          engine, jit = trial.attested.values_at(:engine, :jit)
          Rubies::Engines.named(engine).warm_up(jit) if engine
        end

        def uncompiled?(trial)
          short?(trial) || trial.warm_up.to_h.fetch(:uncompiled, 0).positive?
        end

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
        alike = kinds.one? && kinds == other.kinds && !uncompiled && !other.uncompiled
        return rise unless alike

        bound || other.bound ? 0.0 : [rise - other.rise, 0.0].max
      end

      # That the interval of a difference from another allows for it; nil if that is less than the
      # margin, a logarithm, or nothing for this metric.
      #: (Symbol, Analysis::Unwarmed, Float) -> Analysis::Finding?
      def widening(metric, other, margin)
        self.class.widened(variant, other.bias(metric, self), margin)
      end

      # Why a metric means nothing beside another variant; nil if nothing rules it out.
      #: (Symbol, Analysis::Unwarmed, ?subject: String?) -> Analysis::Finding?
      def ruling_out(metric, other, subject: variant)
        return if !paced || !Metric::LATENCIES.include?(metric) || beyond(other) < TAIL

        self.class.ruled_out(subject, beyond(other))
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Analysis
    # By how much a variant's servers may still get faster than they were measured, on average
    # (Trial::WarmUp#unwarmed): `rise`, a logarithm. `variant`: its name; nil without any trial.
    # `kinds`: their interpreters, JITs and flags, since another version or another threshold
    # compiles at another speed. `bound`: whether that is no more than a bound, as of a JVM; a JIT
    # that counts calls gains by the requests that it has yet to serve. `unshared`: the part of
    # `rise` that two of a kind are not taken to share, since their JITs had yet to compile some
    # pages, or their warm-ups were too short to tell. `uncompiled_requests`: the share of the
    # requests to these pages, and `seldom`, of those that may run code which is compiled in no
    # page; of the trial with the largest, as one that is too short may decide a p99. `spread`: how
    # far its p99 is above its median, a logarithm. `paced`: whether it was loaded at a given rate.
    class Unwarmed < Struct.new(:variant, :rise, :kinds, :bound, :unshared, :uncompiled_requests,
                                :seldom, :spread, :paced, keyword_init: true)
      include Value

      # What makes two of a kind.
      KIND = %i[interpreter jit flags invokedynamic].freeze

      # By which share the rate of a page is taken to rise that its JIT has yet to compile: while it
      # does, a request takes up to 2.7 times as long as later (method, section 1).
      UNCOMPILED_RISE = 1.7

      # That an interval is wider because of it, that of p99, and that there is none.
      CODE = "may_rise"
      CODE_P99 = "may_rise_p99"
      PACED = "may_rise_paced"

      # What it makes better. Memory and boots have nothing to do with it.
      IMPROVES = [:throughput_per_s, :cpu_us_per_request, *Metric::LATENCIES].freeze

      # The share of the requests that take longer than a latency. If those are the ones whose code
      # a JIT has yet to compile, it falls as their time does, however little that is of all.
      SLOWER = { latency_p50_ms: 0.5, Metric::TAIL.key => 0.01 }.freeze

      # By how much such a page gets faster at most, a logarithm.
      MOST_RISE = Math.log(1 + UNCOMPILED_RISE)
      private_constant :SLOWER, :MOST_RISE

      # At a given rate, a latency may change by any multiple of what the rate does: 6 % more made
      # p99 13 to 100 % less at 50 to 90 % of capacity. Less than this hardly matters.
      TAIL = IdleActivity::TAIL

      # If both may gain this much, both were measured nearer to their capacity than they will be.
      BOTH = Stats::Margin.log(Verdict::MARGIN)

      class << self
        # trials: of one variant.
        #: (Array[Store::Trial]) -> Analysis::Unwarmed
        def of(trials)
          measured = trials.select(&:measured?)
          stated = measured.select { |trial| may_rise(trial) }
          known = stated.any? ? stated : measured
          rises = known.map { |trial| may_rise(trial) || 0.0 }
          new(variant: trials.first&.variant, rise: mean(rises),
              kinds: known.map { |trial| kind(trial.attested) }.uniq,
              bound: known.any? { |trial| rule(trial)&.fetch(:background, false) },
              unshared: mean(known.zip(rises).map { |trial, rise| unshared(trial, rise) }),
              uncompiled_requests: most(known, :uncompiled_requests),
              seldom: most(known, :seldom), spread: spread(measured),
              paced: trials.any? { |trial| trial.latency.to_h[:kind].to_s == "response" })
        end

        # That an interval is wider by this bias; nil if that is less than the margin. Both are
        # logarithms.
        #: (Symbol, String?, Float, Float) -> Analysis::Finding?
        def widened(metric, subject, bias, margin)
          code = metric == Metric::TAIL.key ? CODE_P99 : CODE
          found(code, :warn, subject, bias) if bias >= margin
        end

        # That a metric means nothing.
        #: (String?, Float) -> Analysis::Finding
        def ruled_out(subject, bias) = found(PACED, :bad, subject, bias)

        private

        def found(code, severity, subject, bias)
          Finding.new(code:, severity:, subject:,
                      values: { variant: subject, share: Math.exp(bias) - 1 })
        end

        # Of shares, as logarithms.
        def mean(shares)
          shares.empty? ? 0.0 : Stats::Center.mean(shares.map { |share| Math.log(1 + share) })
        end

        # A share of the requests, of the trial with the largest.
        def most(trials, key) = trials.map { |trial| trial.warm_up.to_h.fetch(key, 0.0) }.max || 0.0

        def spread(trials)
          times = trials.map { |trial| trial.latency.to_h.values_at(:p50_ns, :p99_ns) }
          logs = times.select(&:all?).map { |median, p99| Math.log(p99.fdiv(median)) }
          logs.any? ? Stats::Center.mean(logs) : 0.0
        end

        # Its engine's variable may set thresholds, too; the files that it requires differ from boot
        # to boot.
        def kind(attested)
          engine, variables = attested.values_at(:engine, :variables)
          options = Rubies::Engines.named(engine).options(variables.to_h.transform_keys(&:to_s)) if
            engine
          { **attested.slice(*KIND), options: options.to_a.reject { |one| one.start_with?("-r") } }
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

        # The share of a rise that no two share.
        def unshared(trial, rise)
          return rise if short?(trial)

          [rise, UNCOMPILED_RISE * trial.warm_up.to_h.fetch(:uncompiled, 0)].min
        end

        def short?(trial) = trial.warm_up.to_h[:outcome] == "short"
      end

      # How far the difference in a metric from another variant may be off, a logarithm: this one
      # looks better by this than it will be beside the other, if that gets faster.
      #: (Symbol, Analysis::Unwarmed) -> Float
      def bias(metric, other)
        IMPROVES.include?(metric) ? [other.beyond(self), other.of_slowest(metric, self)].max : 0.0
      end

      # By how much more a latency may fall here than beside the other one, if the requests that
      # decide it run code that is not compiled. A p99 stays above the median, which may itself fall
      # by `rise`; if half of the requests run such code, the median falls with them.
      #: (Symbol, Analysis::Unwarmed) -> Float
      def of_slowest(metric, other)
        share = SLOWER[metric] or return 0.0
        return 0.0 unless uncompiled_requests >= share || (seldom >= share && other.seldom < share)
        return MOST_RISE if uncompiled_requests >= SLOWER[:latency_p50_ms]

        [MOST_RISE, (metric == Metric::TAIL.key ? spread : 0.0) + rise].min
      end

      # By how much this one may gain more than the other. Two of a kind are taken to gain alike
      # after their pages are compiled.
      #: (Analysis::Unwarmed) -> Float
      def beyond(other)
        return rise unless kinds.one? && kinds == other.kinds

        more = bound || other.bound ? 0.0 : [settling - other.settling, 0.0].max
        unshared + more
      end

      # What it may gain after its pages are compiled.
      #: () -> Float
      def settling = rise - unshared

      # That the interval of a difference from another allows for it; nil if that is less than the
      # margin, a logarithm, or nothing for this metric.
      #: (Symbol, Analysis::Unwarmed, Float) -> Analysis::Finding?
      def widening(metric, other, margin)
        self.class.widened(metric, variant, other.bias(metric, self), margin)
      end

      # Why a metric means nothing beside another variant; nil if nothing rules it out.
      #: (Symbol, Analysis::Unwarmed, ?subject: String?) -> Analysis::Finding?
      def ruling_out(metric, other, subject: variant)
        return unless paced && Metric::LATENCIES.include?(metric)

        self.class.ruled_out(subject, rise) if beyond(other) >= TAIL || rise >= BOTH
      end
    end
  end
end

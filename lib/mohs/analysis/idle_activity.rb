# frozen_string_literal: true

module Mohs
  module Analysis
    # What a variant's servers did while others were measured (Checks::Idle): `share`, the median
    # over its trials of the share of a core; `loss`, the logarithm by which that may have lowered
    # the rates of the others, which share its cores, on average; `cpu_loss` that by which it may
    # have raised their CPU time; `all`, whether a typical one took all of these cores. `variant`:
    # its name; nil without any trial.
    #
    # It is no bound for what the others' p99 is off by: their rare slow requests are those that
    # have waited. Nor is it one for a server that worked in bursts: all it knows is the mean of a
    # trial.
    class IdleActivity < Struct.new(:variant, :share, :loss, :cpu_loss, :all, keyword_init: true)
      include Value

      CHECK = "idle"

      # Metrics of the others that it makes worse by `loss`.
      SLOWS = [:throughput_per_s, :latency_p50_ms, Metric::TAIL.key, Metric::OVERHEAD.key].freeze

      # The others' CPU time does not count what they wait for a core. But it is longer where they
      # share caches and halves of a core: by a third beside one that always works (method, section
      # 1.7).
      CPU = :cpu_us_per_request
      CPU_LOSS = Math.log(4 / 3r)

      # More of its cores is not taken from anybody: the scheduler leaves some to each who waits.
      MOST = 0.9

      # From this loss on nothing is known of the others' tail.
      TAIL = Math.log(1 + Verdict::MARGIN)

      # trials: of one variant. Trials whose activity is unknown (they never rested, or ran alone)
      # say nothing.
      #: (Array[Store::Trial]) -> Analysis::IdleActivity
      def self.of(trials)
        known = trials.select(&:measured?).filter_map do |trial|
          share = share(trial)
          [share, share.fdiv(trial.cores || 1)] if share
        end
        variant = trials.first&.variant
        return new(variant:, share: 0.0, loss: 0.0, cpu_loss: 0.0, all: false) if known.empty?

        shares, of_cores = known.transpose
        losses = of_cores.map { |share| -Math.log(1 - share.clamp(0, MOST)) }
        new(variant:, share: Stats::Center.median(shares), loss: Stats::Center.mean(losses),
            cpu_loss: CPU_LOSS * Stats::Center.mean(of_cores.map { |share| share.clamp(0, 1) }),
            all: Stats::Center.median(of_cores) >= 1)
      end

      def self.share(trial)
        Checks.of(trial).find { |finding| finding.member == CHECK }&.values&.dig(:share)
      end
      private_class_method :share

      # How far a difference to this variant in a metric may be off, a logarithm: it looks better by
      # this than it is.
      #: (Symbol) -> Float
      def bias(metric)
        return cpu_loss if metric == CPU

        SLOWS.include?(metric) ? loss : 0.0
      end

      # Why a metric of the others means nothing beside this one; nil if nothing rules it out.
      #: (Symbol, ?subject: String?) -> Analysis::Finding?
      def ruling_out(metric, subject: variant)
        return unless SLOWS.include?(metric)

        finding(subject:) if all || (metric == Metric::TAIL.key && loss >= TAIL)
      end

      #: (?subject: String?) -> Analysis::Finding
      def finding(subject: variant)
        Finding.new(code: "slowed_others", severity: :bad, subject:, values: { variant:, share: })
      end
    end
  end
end

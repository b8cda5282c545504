# frozen_string_literal: true

module Mohs
  module Analysis
    # What a variant's servers did while others were measured (Checks::Idle): `share`, the median
    # over its trials of the share of a core; `loss`, the logarithm by which that may have lowered
    # the rates of the others, which share its cores, on average; `cpu_loss` that by which it may
    # have raised their CPU time; `all`, whether a typical one took all of these cores; `paced`,
    # whether the requests were sent at a given rate. `variant`: its name; nil without any trial.
    #
    # It is no bound for what the others' p99 is off by: their rare slow requests are those that
    # have waited. Nor, at a given rate, for their p50: who waits for a core also waits for those
    # before him, near capacity several times as long (5 % of a core at 80 % of capacity raised it
    # by 26 %, simulated). Nor is it one for a server that worked in bursts: all it knows is the
    # mean of a trial.
    class IdleActivity < Struct.new(:variant, :share, :loss, :cpu_loss, :all, :paced,
                                    keyword_init: true)
      include Value

      CHECK = "idle"

      # Metrics of the others that it makes worse, by how many times `loss`. Connections that are
      # always busy (Little's law) wait longer by `loss` on average; at least half of the requests
      # may have waited for it, so the median by up to twice as much (Markov's inequality).
      SLOWS = { throughput_per_s: 1, latency_p50_ms: 2, Metric::TAIL.key => 1,
                Metric::OVERHEAD.key => 1 }.freeze

      # Those that have no interval from TAIL on, and those at a given rate.
      WAITS = [Metric::TAIL.key].freeze
      WAITS_PACED = [*WAITS, :latency_p50_ms].freeze

      # The others' CPU time does not count what they wait for a core. But it is longer where they
      # share caches and halves of a core: by a third beside one that always works (method, section
      # 1.7).
      CPU = :cpu_us_per_request
      CPU_LOSS = Math.log(4 / 3r)

      # More of its cores is not taken from anybody: the scheduler leaves some to each who waits.
      MOST = 0.9

      # From this loss on nothing is known of what the others' requests waited.
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
        paced = trials.any? { |trial| trial.latency.to_h[:kind].to_s == "response" }
        return new(variant:, share: 0.0, loss: 0.0, cpu_loss: 0.0, all: false, paced:) if
          known.empty?

        shares, of_cores = known.transpose
        losses = of_cores.map { |share| -Math.log(1 - share.clamp(0, MOST)) }
        new(variant:, share: Stats::Center.median(shares), loss: Stats::Center.mean(losses),
            cpu_loss: CPU_LOSS * Stats::Center.mean(of_cores.map { |share| share.clamp(0, 1) }),
            all: Stats::Center.median(of_cores) >= 1, paced:)
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

        loss * SLOWS.fetch(metric, 0)
      end

      # Why a metric of the others means nothing beside this one; nil if nothing rules it out.
      #: (Symbol, ?subject: String?) -> Analysis::Finding?
      def ruling_out(metric, subject: variant)
        return unless SLOWS.key?(metric)

        waits = (paced ? WAITS_PACED : WAITS).include?(metric)
        finding(subject:) if all || (waits && loss >= TAIL)
      end

      #: (?subject: String?) -> Analysis::Finding
      def finding(subject: variant)
        Finding.new(code: "slowed_others", severity: :bad, subject:, values: { variant:, share: })
      end
    end
  end
end

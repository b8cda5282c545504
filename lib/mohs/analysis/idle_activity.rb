# frozen_string_literal: true

module Mohs
  module Analysis
    # What a variant's servers did while others were measured (Checks::Idle): `share`, the median
    # over its trials of the share of a core; `loss`, the logarithm by which that may have lowered
    # the rates of the others, which share its cores, on average; `cpu_loss` that by which it may
    # have raised their CPU time; `all`, whether a typical one took all of these cores. Of its
    # own requests: `paced`, whether they were sent at a given rate; `skew`, by how many times their
    # mean exceeds their median. `variant`: its name; nil without any trial.
    #
    # It is no bound for what the others' p99 is off by: their rare slow requests are those that
    # have waited. Nor, at a given rate, for their p50: a request that waits for a core also waits
    # for those ahead of it, near capacity many times as long (simulated: 5 % of a core at 80 % of
    # capacity raised it by 27 %, 0.9 % at 95 % by 20 %). Nor is it one for a server that worked in
    # bursts: all it knows is the mean of a trial.
    class IdleActivity < Struct.new(:variant, :share, :loss, :cpu_loss, :all, :paced, :skew,
                                    keyword_init: true)
      include Value

      CHECK = "idle"

      MEDIAN = :latency_p50_ms

      # Metrics of the others that it makes worse by `loss`, and their median by more.
      SLOWS = [:throughput_per_s, *Metric::LATENCIES].freeze

      # The others' CPU time does not count what they wait for a core. But it is longer where they
      # share caches and halves of a core: by a third beside one that always works (method, section
      # 1.7).
      CPU = :cpu_us_per_request
      CPU_LOSS = Math.log(4 / 3r)

      # More of its cores is not taken from anybody: the scheduler leaves some to each who waits.
      MOST = 0.9

      # From a loss on that is larger by this than the other's nothing is known of the other's tail;
      # at a given rate neither of its median. A burst that is longer than a request delays twice
      # its share of them, so these are 0.2 % of the requests, beside the slowest 1 %. An idle Puma
      # takes 0.02 to 0.07 %.
      TAIL = Stats::Margin.log(Verdict::MARGIN) / 10

      # Below that, by how many times as much the tail may be off. Simulated with bursts of up to
      # 50 ms that take 0.095 %: 0.2 to 0.7 % in a closed loop, up to 3.2 % at 50 to 90 % of
      # capacity.
      CLOSED = 7
      PACED = 35

      # trials: of one variant. Trials whose activity is unknown (they never rested, or ran alone)
      # say nothing.
      #: (Array[Store::Trial]) -> Analysis::IdleActivity
      def self.of(trials)
        known = trials.select(&:measured?).filter_map do |trial|
          share = share(trial)
          [share, share.fdiv(trial.cores || 1)] if share
        end
        variant = trials.first&.variant
        own = { paced: trials.any? { |trial| trial.latency.to_h[:kind].to_s == "response" },
                skew: skew(trials) }
        return new(variant:, share: 0.0, loss: 0.0, cpu_loss: 0.0, all: false, **own) if
          known.empty?

        shares, of_cores = known.transpose
        losses = of_cores.map { |share| -Math.log(1 - share.clamp(0, MOST)) }
        new(variant:, share: Stats::Center.median(shares), loss: Stats::Center.mean(losses),
            cpu_loss: CPU_LOSS * Stats::Center.mean(of_cores.map { |share| share.clamp(0, 1) }),
            all: Stats::Center.median(of_cores) >= 1, **own)
      end

      def self.share(trial)
        Checks.of(trial).find { |finding| finding.member == CHECK }&.values&.dig(:share)
      end

      # At least 1, which also stands for an unknown one: trials without a median have no p50 to
      # compare, and the driver of a run always adds the times up.
      def self.skew(trials)
        skews = trials.select(&:measured?).filter_map do |trial|
          slices, median_ns = trial.measured_slices, trial.latency.to_h[:p50_ns]
          sum_ns = slices.sum { |slice| slice.latency_sum_ns.to_i }
          count = slices.sum(&:good)
          sum_ns.fdiv(count) / median_ns if median_ns&.positive? && count.positive?
        end
        [1.0, *skews].max
      end
      private_class_method :share, :skew

      # How far the difference in a metric from another variant may be off, a logarithm: this one
      # looks better by this than it is.
      #: (Symbol, Analysis::IdleActivity) -> Float
      def bias(metric, other)
        return cpu_loss if metric == CPU
        return of_median(other) if metric == MEDIAN && !other.paced
        return (other.paced ? PACED : CLOSED) * beyond(other) if tail?(metric, other)

        SLOWS.include?(metric) ? loss : 0.0
      end

      # Why a metric of another variant means nothing beside this one; nil if nothing rules it out.
      #: (Symbol, Analysis::IdleActivity, ?subject: String?) -> Analysis::Finding?
      def ruling_out(metric, other, subject: variant)
        return unless SLOWS.include?(metric)

        finding(subject:) if all || (tail?(metric, other) && beyond(other) >= TAIL)
      end

      #: (?subject: String?) -> Analysis::Finding
      def finding(subject: variant)
        Finding.new(code: "slowed_others", severity: :bad, subject:, values: { variant:, share: })
      end

      # That the interval of a difference allows for it.
      #: () -> Analysis::Finding
      def widening
        Finding.new(code: "slowed_a_little", severity: :warn, subject: variant,
                    values: { variant:, share: })
      end

      private

      # Connections that are always busy wait longer by `loss` on average (Little's law); at least
      # half of the requests may have waited for that, so the median by up to twice the mean wait
      # (Markov's inequality), which is a share of the mean.
      def of_median(other) = Math.log(1 + (2 * (Math.exp(loss) - 1) * other.skew))

      # Does it move with the rare requests that meet a burst? So does a median at a given rate,
      # where a request waits for those before it.
      def tail?(metric, other) = metric == Metric::TAIL.key || (metric == MEDIAN && other.paced)

      # What both do meets the requests of both.
      def beyond(other) = [loss - other.loss, 0.0].max
    end
  end
end

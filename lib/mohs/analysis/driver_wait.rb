# frozen_string_literal: true

module Mohs
  module Analysis
    # `share`: the share of the time that the driver had no core while a `variant` was loaded, the
    # mean over its trials, since effects are means, too. A trial whose check (Checks::DriverWaits)
    # passed or could not tell counts as 0.
    #
    # Meanwhile it sends and reads nothing. So the rate would have been higher, by at most that
    # share (simulated for a closed loop: the worst of 300 loads was 0.994 of this bound). How much
    # longer requests took has no such bound.
    class DriverWait < Struct.new(:variant, :share, keyword_init: true)
      include Value

      OFTEN = "driver_waits.often"

      RATE = :throughput_per_s

      # The share at which a 99th percentile begins to show it.
      TAIL = Checks::DriverWaits::TAIL

      # From this share on a rate says nothing of the server: it may have been ten times as high.
      STARVED = 0.9

      # trials: of one variant.
      #: (Array[Store::Trial]) -> Analysis::DriverWait
      def self.of(trials)
        shares = trials.select(&:measured?).map do |trial|
          often = Checks.of(trial).find { |finding| finding.code == OFTEN }
          often ? often.values.fetch(:share) : 0.0
        end
        new(variant: trials.first&.variant, share: shares.empty? ? 0.0 : Stats::Center.mean(shares))
      end

      # How far a ratio of rates may be off, a logarithm: finite, since there is no ratio any more
      # from STARVED on.
      #: (Symbol) -> Float
      def bias(metric) = metric == RATE ? -Math.log(1 - [share, STARVED].min) : 0.0

      # Why a metric of the variant means nothing; nil if nothing rules it out. CPU time and memory
      # don't depend on the driver's core.
      #: (Symbol) -> Analysis::Finding?
      def ruling_out(metric)
        latency = Metric::LATENCIES.include?(metric)
        return unless latency || metric == RATE

        code = if share >= STARVED then "driver_starved"
               elsif latency && share >= TAIL then "driver_waited"
               end
        Finding.new(code:, severity: :bad, subject: variant, values: to_h) if code
      end
    end
  end
end

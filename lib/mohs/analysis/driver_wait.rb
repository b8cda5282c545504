# frozen_string_literal: true

module Mohs
  module Analysis
    # For what `share` of the time the driver had no core while a `variant` was loaded: the mean
    # over its trials, since effects are means, too. A trial whose check passed (Checks::DriverWaits)
    # or could not tell counts as 0.
    #
    # Meanwhile it sends and reads nothing. So the rate would have been higher, by at most that
    # share (simulated for a closed loop: the worst of 300 loads was 0.994 of this bound). How much
    # longer requests took has no such bound.
    class DriverWait < Struct.new(:variant, :share, keyword_init: true)
      include Value

      OFTEN = "driver_waits.often"

      LATENCIES = [:latency_p50_ms, Metric::TAIL.key, Metric::OVERHEAD.key].freeze

      # The share at which a 99th percentile begins to show it.
      TAIL = Checks::DriverWaits::TAIL

      # A larger share leaves nothing to compare.
      MOST = 0.9

      # trials: of one variant.
      #: (Array[Store::Trial]) -> Analysis::DriverWait
      def self.of(trials)
        shares = trials.select(&:measured?).map do |trial|
          often = Checks.of(trial).find { |finding| finding.code == OFTEN }
          often ? often.values.fetch(:share) : 0.0
        end
        new(variant: trials.first&.variant, share: shares.empty? ? 0.0 : Stats::Center.mean(shares))
      end

      # How far a ratio of rates may be off, a logarithm.
      #: (Symbol) -> Float
      def bias(metric) = metric == Effects::METRIC ? -Math.log(1 - share.clamp(0, MOST)) : 0.0

      # Why a metric of the variant means nothing; nil if nothing rules it out.
      #: (Symbol) -> Analysis::Finding?
      def ruling_out(metric)
        return unless LATENCIES.include?(metric) && share >= TAIL

        Finding.new(code: "driver_waited", severity: :bad, subject: variant, values: to_h)
      end
    end
  end
end

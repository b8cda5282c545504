# frozen_string_literal: true

module Mohs
  class Comparison
    # What would decide an undecided comparison, from the spread of its cohorts on this host now.
    class Forecast
      # Margins that a person would ask for next.
      MARGINS = [0.01, 0.02, 0.03, 0.05, 0.1, 0.2].freeze

      # Longer waits are not proposed.
      LONGEST_S = 3600

      #: (Comparison) -> void
      def initialize(comparison)
        @comparison = comparison
        @differences = comparison.differences(comparison.metric)
      end

      # "This host now needs about 4 min for 1 % (--budget 4m), or --margin 2%". Nil before two
      # cohorts.
      #: () -> String?
      def text
        return if @differences.size < 2

        margin = @comparison.rules.margin
        [time(margin), wider(margin)].compact.join(", or ")
      end

      # Seconds until a difference of `margin` is decided.
      #: (Float) -> Float
      def seconds(margin)
        sd = Stats::Spread.sd(@differences)
        count = Stats::Needed.cohorts(sd:, delta: Math.log(1 + margin))
        [count, @differences.size + 1].max * @comparison.cohort_s
      end

      private

      def time(margin)
        needed = seconds(margin)
        return "this host is too noisy now for #{percent(margin)}" if needed > LONGEST_S

        "this host now needs about #{duration(needed)} for #{percent(margin)} " \
          "(--budget #{option(needed)})"
      end

      # The smallest margin that is decided in the time that this one had.
      def wider(margin)
        had = (@differences.size + 1) * @comparison.cohort_s
        enough = MARGINS.find { |wide| wide > margin && seconds(wide) <= had }
        enough && "--margin #{percent(enough).delete(' ')}"
      end

      def percent(share) = Verdict::Words.percent(share)

      def duration(seconds)
        seconds < 90 ? "#{seconds.ceil(-1)} s" : "#{(seconds / 60).ceil} min"
      end

      def option(seconds) = seconds < 90 ? "#{seconds.ceil(-1)}s" : "#{(seconds / 60).ceil}m"
    end
  end
end

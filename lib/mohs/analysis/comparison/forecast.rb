# frozen_string_literal: true

module Mohs
  module Analysis
    class Comparison
      # What would decide an undecided comparison, from the spread of its cohorts on this host now.
      class Forecast
        # Margins that a person would ask for next.
        MARGINS = [0.01, 0.02, 0.03, 0.05, 0.1, 0.2].freeze

        # Longer waits are not proposed.
        LONGEST_S = 3600

        #: (Analysis::Comparison) -> void
        def initialize(comparison)
          @comparison = comparison
          @differences = comparison.differences(comparison.metric)
        end

        # For `margin` it takes `needed_s` (nil: too long to propose); `wider` is the smallest
        # margin that this one's time decides (nil: none). Nil before two cohorts.
        #: () -> Analysis::Finding?
        def finding
          return if @differences.size < 2

          margin = @comparison.rules.margin
          needed_s = seconds(margin)
          needed_s = nil if needed_s > LONGEST_S
          Finding.note("forecast", margin:, needed_s:, wider: wider(margin))
        end

        # Seconds until a difference of `margin` is decided.
        #: (Float) -> Float
        def seconds(margin)
          sd = Stats::Spread.sd(@differences)
          count = Stats::Needed.cohorts(sd:, delta: Math.log(1 + margin))
          [count, @differences.size + 1].max * @comparison.cohort_s
        end

        private

        def wider(margin)
          had = (@differences.size + 1) * @comparison.cohort_s
          MARGINS.find { |wide| wide > margin && seconds(wide) <= had }
        end
      end
    end
  end
end

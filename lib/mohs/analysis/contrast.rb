# frozen_string_literal: true

module Mohs
  module Analysis
    # How two variants of a run differ in one `metric`: `effect`, the log ratio of the metric itself
    # (more CPU time is more); `total`, the same with pauses included (nil: it has none); `alpha`,
    # the chance that one interval of this run misses (smaller for a run that was stopped, which
    # could have been stopped at any round); and `fatal`, the finding that makes the comparison
    # meaningless (nil: none).
    class Contrast < Struct.new(:metric, :effect, :total, :alpha, :fatal, keyword_init: true)
      include Value

      # The interval of the ratio, without ends before the third cohort.
      #: () -> Stats::Interval
      def interval = effect.interval(alpha:)

      # The interval of the total; nil if it has none.
      #: () -> Stats::Interval?
      def total_interval = total&.interval(alpha:)

      # Chance of a ratio this far above `bound` if the true ratio were `bound`; 1 if nothing is
      # known.
      #: (Float) -> Float
      def above(bound) = chance { effect.above(Math.log(bound)) }

      # The same for a ratio this far below it.
      #: (Float) -> Float
      def below(bound) = chance { effect.below(Math.log(bound)) }

      # Number of cohorts after which the interval at this level probably excludes `bound`; nil if
      # too many are needed.
      #: (Float, most: Integer, ?level: Float) -> Integer?
      def needed(bound, most:, level: Verdict::ALPHA)
        return unless effect.error&.positive?

        beyond = Stats::Effect.new(**effect.to_h, value: effect.value - Math.log(bound))
        beyond.needed(delta: beyond.value.abs - beyond.side, alpha: level, most:)
      end

      private

      # The wider its intervals are, the stricter are its tests. Before the third cohort there is no
      # interval, and so no test.
      def chance
        return 1.0 if effect.count < Stats::Interval::FEWEST

        [yield.to_f * Verdict::ALPHA / alpha, 1.0].min
      end
    end
  end
end

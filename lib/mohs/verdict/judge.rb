# frozen_string_literal: true

module Mohs
  class Verdict
    # From an effect to a verdict: pure rules (method, section 4).
    module Judge
      # More rounds than that nobody would wait for.
      MANY = 1000

      module_function

      # alpha: what the interval may miss with (Stats::Holm.levels where several effects are judged
      # together).
      #: (Stats::Effect, against: String, ?alpha: Float, ?margin: Float, ?reasons: Array[String]) -> Verdict
      def call(effect, against:, alpha: ALPHA, margin: MARGIN, reasons: [])
        interval = effect.interval(alpha:)
        outcome = outcome_of(interval, margin)
        reasons = [*missing(effect, outcome, against, margin), *reasons]
        Verdict.new(outcome:, against:, effect: effect.ratio, low: interval.low,
                    high: interval.high, margin:, reasons:)
      end

      # 0 outside the interval decides first: a difference within the margin that is beyond chance
      # is still a difference.
      def outcome_of(interval, margin)
        return :invalid if interval.value.nil?
        return :undecided if interval.low.nil?
        return :faster if interval.low > 1
        return :slower if interval.high < 1

        interval.low > 1 / (1 + margin) && interval.high < 1 + margin ? :equivalent : :undecided
      end

      def missing(effect, outcome, against, margin)
        return ["never measured beside #{against}"] if outcome == :invalid
        return [] unless outcome == :undecided
        return ["one round gives no interval"] if effect.count < 2

        count = rounds_needed(effect, margin)
        [count > MANY ? "too noisy here to be decided" : "about #{count} rounds would decide"]
      end

      # A difference as large as the one seen, or as the margin, whichever is easier to tell.
      def rounds_needed(effect, margin)
        delta = [Math.log(effect.ratio).abs, Math.log(1 + margin)].max
        sd = Stats::Spread.sd(effect.differences)
        [Stats::Needed.cohorts(sd:, delta:), effect.count + 1].max
      end

      private_class_method :outcome_of, :missing, :rounds_needed
    end
  end
end

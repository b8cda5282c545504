# frozen_string_literal: true

module Mohs
  class Verdict
    # From an effect to a verdict: pure rules (method, section 4).
    module Judge
      # Cohorts that would decide a difference delta at a spread s: (3.5 s / delta)^2, at least four
      # (method, section 4, simulated); beyond MANY nobody would wait.
      DECIDES = 3.5
      AT_LEAST = 4
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
        spread = Stats::Spread.sd(effect.differences)
        [AT_LEAST, (DECIDES * spread / delta)**2, effect.count + 1].max.ceil
      end

      private_class_method :outcome_of, :missing, :rounds_needed
    end
  end
end

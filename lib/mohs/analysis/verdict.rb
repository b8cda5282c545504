# frozen_string_literal: true

module Mohs
  module Analysis
    # The result of a comparison: `outcome` :faster, :slower, :equivalent, :undecided, :invalid, or
    # :baseline for what the others are compared with. `effect` is the ratio to it, better is
    # bigger, `low` and `high` its interval (nil without one), `margin` the smallest difference that
    # matters (0.01 = 1 %), `equal` the ends of the interval by which they were found equal (nil if
    # they weren't), `findings` what is missing or what to know. Verdict::Judge makes one;
    # Report::Numbers and Report::Phrase put it into words.
    class Verdict < Struct.new(:outcome, :against, :metric, :effect, :low, :high, :margin, :equal,
                               :findings, keyword_init: true)
      # The difference that matters by default (method, section 4).
      MARGIN = Study::ComparisonRules::MARGIN

      # The chance of a false finding among all that are judged together.
      ALPHA = 0.05

      #: (outcome: Symbol, ?against: String?, ?metric: Symbol, ?effect: Float?, ?low: Float?, ?high: Float?, ?margin: Float, ?equal: [Float, Float]?, ?findings: Array[Analysis::Finding]) -> void
      def initialize(**values)
        super(metric: :throughput_per_s, margin: MARGIN, findings: [], **values)
        freeze
      end

      #: () -> bool
      def differs? = %i[faster slower].include?(outcome)

      # From an effect to a verdict: pure rules (method, section 4).
      module Judge
        # More rounds than that nobody would wait for.
        MANY = 1000

        module_function

        # Invalid, whatever the interval, if a finding is fatal.
        # alpha: chance that the interval misses.
        #: (Stats::Effect, against: String, ?alpha: Float, ?margin: Float, ?findings: Array[Analysis::Finding]) -> Analysis::Verdict
        def call(effect, against:, alpha: ALPHA, margin: MARGIN, findings: [])
          interval = effect.interval(alpha:)
          outcome = interval.value ? outcome(interval) { within?(interval, margin) } : :invalid
          fatal = findings.any?(&:fatal?)
          outcome = :invalid if fatal
          findings = [*missing(effect, outcome, against, margin, alpha), *findings] unless fatal
          equal = [interval.low, interval.high] if outcome == :equivalent
          Verdict.new(outcome:, against:, effect: effect.ratio, low: interval.low,
                      high: interval.high, margin:, equal:, findings:)
        end

        # For an interval of ratios; the block says whether it shows equivalence. 1 outside the
        # interval decides first: a difference within the margin that is beyond chance is still a
        # difference.
        #: (Stats::Interval) { () -> bool } -> Symbol
        def outcome(interval)
          return :undecided if interval.low.nil?
          return :faster if interval.low > 1
          return :slower if interval.high < 1

          yield ? :equivalent : :undecided
        end

        # Does the whole interval of ratios fit into the margin?
        #: (Stats::Interval, Float) -> bool
        def within?(interval, margin)
          interval.low > 1 / (1 + margin) && interval.high < 1 + margin
        end

        def missing(effect, outcome, against, margin, alpha)
          return [Finding.note("never_beside", against:)] if effect.count.zero?
          return [] unless outcome == :undecided
          return [Finding.note("one_round")] if effect.count < 2

          [rounds_needed(effect, margin, alpha) || Finding.note("too_noisy")]
        end

        # A difference of the margin; a larger one if at least that was seen.
        def rounds_needed(effect, margin, alpha)
          delta = [effect.least, Math.log(1 + margin)].max
          rounds = effect.needed(delta:, alpha:, most: MANY) or return
          difference = [margin, Math.exp(effect.least) - 1].max
          Finding.note("rounds_needed", rounds:, difference:)
        end

        private_class_method :missing, :rounds_needed
      end
    end
  end
end

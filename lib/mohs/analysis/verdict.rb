# frozen_string_literal: true

module Mohs
  module Analysis
    # The result of a comparison: `outcome` :faster, :slower, :equivalent, :undecided, :invalid, or
    # :baseline for what the others are compared with. `effect` is the ratio to it, better is
    # bigger, `low` and `high` its interval (nil without one), `margin` the smallest difference that
    # matters (0.01 = 1 %), `equal` the ends of the interval by which the two were found equal (nil
    # if they weren't), `findings` what is missing or what to know. Verdict::Judge makes verdicts;
    # Report::Numbers and Report::Render put them into words.
    class Verdict < Struct.new(:outcome, :against, :metric, :effect, :low, :high, :margin, :equal,
                               :findings, keyword_init: true)
      # The difference that matters by default (method, section 4).
      MARGIN = 0.01

      # The chance of a false finding among all comparisons that are judged together.
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
        # Nobody would wait for more rounds than this.
        MANY = 1000

        module_function

        # The verdict; invalid, whatever the interval, if a finding is fatal.
        # alpha: chance that the interval misses. total: the effect of the totals; nil if nobody
        # asks whether the two are equal. variant: its name.
        #: (Stats::Effect, against: String, ?variant: String?, ?alpha: Float, ?margin: Float, ?total: Stats::Effect?, ?findings: Array[Analysis::Finding]) -> Analysis::Verdict
        def call(effect, against:, variant: nil, alpha: ALPHA, margin: MARGIN, total: nil,
                 findings: [])
          interval, total = effect.interval(alpha:), total&.interval(alpha:)
          outcome = :invalid unless interval.value
          outcome ||= outcome(interval) { within?(interval, margin, total:) }
          fatal = findings.any?(&:fatal?)
          missing = missing(effect, outcome, against, margin, alpha)
          missing = [hindrance(total, variant:)] if missing.any? && within?(interval, margin)
          outcome = :invalid if fatal
          findings = [*missing, *findings] unless fatal
          equal = [interval.low, interval.high] if outcome == :equivalent
          Verdict.new(outcome:, against:, effect: effect.ratio, low: interval.low,
                      high: interval.high, margin:, equal:, findings:)
        end

        # The outcome for an interval of ratios; the block says whether it shows equivalence. A 1
        # outside the interval decides first: a difference within the margin that is beyond chance
        # is still a difference.
        #: (Stats::Interval) { () -> bool } -> Symbol
        def outcome(interval)
          return :undecided if interval.low.nil?
          return :faster if interval.low > 1
          return :slower if interval.high < 1

          yield ? :equivalent : :undecided
        end

        # Does the interval of ratios, with that of the totals, show that the two are equal?
        #: (Stats::Interval, Float, ?total: Stats::Interval?) -> bool
        def within?(interval, margin, total: nil)
          interval, total = [interval, total].map { |one| one&.map { |ratio| Math.log(ratio) } }
          Stats::Interval.equal?(interval, total:, margin:)
        end

        # The ratios between which an interval has to lie for that.
        #: (Float) -> [Float, Float]
        def alike(margin) = Stats::Margin.ratios(margin)

        # What prevents "equal": the ratio of the totals, with its interval.
        #: (Stats::Interval, variant: String?, ?metric: Analysis::Metric) -> Analysis::Finding
        def hindrance(total, variant:, metric: Metric.fetch("throughput"))
          Finding.note("equal_but_total", variant:, metric: metric.title,
                                          better: metric.more ? "more" : "less",
                                          effect: total.value,
                                          interval: total.low && [total.low, total.high])
        end

        def missing(effect, outcome, against, margin, alpha)
          return [Finding.note("never_beside", against:)] if effect.count.zero?
          return [] unless outcome == :undecided
          return [Finding.note("one_round")] if effect.count < 2

          [rounds_needed(effect, margin, alpha) || hopeless(effect, margin, alpha)]
        end

        # Why no number of rounds would decide it.
        def hopeless(effect, margin, alpha)
          return Finding.note("too_noisy") unless rounds_needed(effect.biased(0.0), margin, alpha)

          Finding.note("biased", bias: Math.exp(Stats::Bias.of(effect.bias).most) - 1)
        end

        # Rounds needed for a difference of the margin, or for the least difference seen if that
        # takes fewer.
        def rounds_needed(effect, margin, alpha)
          difference, delta = effect.target(Stats::Margin.log(margin))
          rounds = effect.needed(delta:, alpha:, most: MANY) or return
          # Without what the logarithm and its inverse leave of a margin of 1 %.
          Finding.note("rounds_needed", rounds:, difference: (Math.exp(difference) - 1).round(12))
        end

        private_class_method :missing, :hopeless, :rounds_needed
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Compare
    # What would decide an undecided comparison, from the spread of its cohorts on this host now.
    class Forecast
      # Margins that a user would ask for next.
      MARGINS = [0.01, 0.02, 0.03, 0.05, 0.1, 0.2].freeze

      # Of its findings: a budget that decides, and one that reaches the first look.
      CODES = [DECIDES = "forecast", REACHES = "before_first_look"].freeze

      # Longer waits are not proposed.
      LONGEST_S = 3600

      # Cohorts differ in length, and no cohort begins that might not fit in.
      SPARE = 1.2

      # If cohorts spread by more than this many times the difference, the time is enough in 46 to
      # 73 of 100 simulated cases instead of 80.
      WIDE = 1.2

      # The intervals of a comparison have looks, a level and degrees of freedom of their own.
      SEQUENTIAL = Resolution::SEQUENTIAL

      #: (Compare::Result) -> void
      def initialize(comparison)
        @comparison = comparison
        @differences = comparison.differences(comparison.metric)
      end

      # Deciding `margin` takes `needed_s` (nil: none of the looks would decide it, it takes too
      # long to propose, or a bias hides the result); `wider` is the smallest larger margin that the
      # time so far decides (nil: none). Without `needed_s`, `resolved` is the smallest margin below
      # that one which more time decides (nil: none), `resolved_s`. Such a time is a minimum if
      # `least`. `bias`: what the interval allows for whatever the number of cohorts, a share, if
      # without that there would be such a time. nil while there are too few cohorts for a spread,
      # unless a budget ended there: then a budget of `needed_s` reaches the first look, which is
      # `missing` cohorts away.
      #: () -> Analysis::Finding?
      def finding
        return before_first_look if @comparison.state == :budget && @comparison.looks.empty?
        return if @differences.size < Spread::FEWEST

        margin = @comparison.rules.margin
        needed_s, wider = proposed(margin), wider(margin)
        resolved = resolved(margin, wider) unless needed_s
        Analysis::Finding.note(DECIDES, margin:, needed_s:, wider:, resolved:,
                               resolved_s: resolved && proposed(resolved),
                               least: sd > WIDE * delta(resolved || margin),
                               bias: (in_the_way(margin) unless needed_s))
      end

      private

      # The bias, as a share, if it is what prevents an answer.
      def in_the_way(margin)
        return if bias.none?

        without = affordable(deciding(Stats::Margin.log(margin)))
        Math.exp(bias.most) - 1 if hidden?(margin) || without
      end

      # Does the bias hide what the cohorts show so far?
      def hidden?(margin)
        mean = Stats::Center.mean(@differences)
        bias.hides?(mean, mean, margin: Stats::Margin.log(margin))
      end

      # That of the last look, which later looks have as well.
      def bias = Stats::Bias.of(@comparison.looks.last&.bias || 0.0)

      def before_first_look
        first, each_s = @comparison.rules.question.first_look, @comparison.cohort_s
        missing = first - @differences.size
        cohorts = first + @comparison.void.size
        Analysis::Finding.note(REACHES, spent_s: @comparison.spent_s,
                                        budget_s: @comparison.budget_s, missing:,
                                        missing_s: missing * each_s,
                                        needed_s: SPARE * cohorts * each_s)
      end

      def proposed(margin) = affordable(cohorts(margin, @differences.size))

      # The seconds that so many cohorts take; nil if that is too long to propose.
      def affordable(cohorts)
        needed_s = cohorts && (cohorts * @comparison.cohort_s)
        needed_s if needed_s && needed_s <= LONGEST_S
      end

      def resolved(margin, wider)
        MARGINS.find { |one| one > margin && one < (wider || Float::INFINITY) && proposed(one) }
      end

      # The smallest larger margin that the time so far was enough for.
      def wider(margin)
        MARGINS.find do |wide|
          wide > margin && cohorts(wide, 0)&.<=(@differences.size)
        end
      end

      # The number of cohorts at the first look after `had` that can decide it; nil if none can.
      def cohorts(margin, had) = (deciding(delta(margin), had) unless hidden?(margin))

      def deciding(delta, had = @differences.size)
        SEQUENTIAL.deciding(had, sd:, delta:, known: @differences.size)
      end

      def sd = Stats::Spread.sd(@differences)

      # What a difference of the margin leaves beyond the bias, or the one that is seen.
      def delta(margin)
        seen = Stats::Effect.of(@differences).biased(bias)
        seen.target(Stats::Margin.log(margin)).last
      end
    end
  end
end

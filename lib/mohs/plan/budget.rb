# frozen_string_literal: true

module Mohs
  class Plan
    # Decides how many rounds, of which candidates, fit in the time. Without a budget: three rounds
    # however long they take (a JVM needs minutes), more while two minutes last. A budget cuts
    # rounds first, then the most expensive variants.
    class Budget
      # An interval needs the spread of at least three cohorts: with two it is as wide as the effect
      # itself.
      ROUNDS = 3
      MOST_ROUNDS = 10
      DEFAULT_S = 120

      attr_reader :candidates, :rounds, :dropped

      #: (baseline: Study::Variant, candidates: Array[Study::Variant], costs: Plan::Costs, ?rounds: Integer?, ?budget_s: Numeric?) -> void
      def initialize(baseline:, candidates:, costs:, rounds: nil, budget_s: nil)
        @baseline = baseline
        @candidates = candidates
        @costs = costs
        @asked = rounds
        @budget_s = budget_s
        @dropped = []
        budget_s ? fit : @rounds = @asked || (DEFAULT_S / round_s).floor.clamp(ROUNDS, MOST_ROUNDS)
      end

      # Estimated seconds of one cohort.
      #: (Array[Study::Variant]) -> Numeric
      def cohort_s(variants) = variants.sum { |variant| @costs.for(variant).total_s }

      # Seconds of one round: the baseline is booted once in each of its cohorts.
      #: () -> Float
      def round_s
        slow, fast = @candidates.partition(&:slow?)
        cohorts = slow.size + (fast.size / Round::CANDIDATES.to_f).ceil
        (cohort_s([@baseline]) * [cohorts, 1].max) + cohort_s(@candidates)
      end

      private

      def fit
        drop_dearest while round_s > @budget_s && @candidates.any?
        @rounds = (@budget_s / round_s).floor.clamp(1, @asked || MOST_ROUNDS)
        wanted = @asked || ROUNDS
        drop_rounds(wanted) if @rounds < wanted
      end

      # The last of the most expensive: what was written first matters more.
      def drop_dearest
        ranked = @candidates.each_with_index.max_by do |variant, index|
          [@costs.for(variant).total_s, index]
        end
        dearest = ranked.first
        why = "one round with it takes about #{round_s.ceil} s, the budget is #{@budget_s.round} s"
        @dropped << { name: dearest.name, why: }
        @candidates -= [dearest]
      end

      def drop_rounds(wanted)
        why = "one takes about #{round_s.ceil} s, the budget is #{@budget_s.round} s"
        why += "; with fewer than #{ROUNDS} there is no interval to trust" if @rounds < ROUNDS
        @dropped << { name: "#{wanted - @rounds} of #{wanted} rounds", why: }
      end
    end
  end
end

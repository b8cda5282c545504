# frozen_string_literal: true

module Mohs
  module Rounds
    # Decides how many rounds, with which candidates, fit in the time. Without a budget: three
    # rounds however long they take (a JVM needs minutes), and more if they fit in two minutes. A
    # budget too short for three rounds of all candidates drops candidates until three rounds fit:
    # fewer rounds give no interval, and so decide nothing for any of them. Experimental JITs go
    # first, then the most expensive candidates. The last candidate stays, in fewer rounds, if at
    # least one fits.
    class Budget
      # An interval needs the spread of at least three cohorts: with two it is as wide as the effect
      # itself.
      ROUNDS = Stats::Interval::FEWEST
      MOST_ROUNDS = 10
      DEFAULT_S = 120

      # What is dropped if `rounds` of so many fit in the budget.
      #: (Integer, of: Integer, round_s: Numeric, budget_s: Numeric) -> Hash[Symbol, untyped]
      def self.dropped_rounds(rounds, of:, round_s:, budget_s:)
        { rounds: of - rounds, of:, code: "dropped_rounds",
          values: { round_s: round_s.ceil, budget_s:, needed: (ROUNDS if rounds < ROUNDS) } }
      end

      # Were no variants cut, if anything was?
      #: (Array[Hash[Symbol, untyped]]) -> bool
      def self.rounds_alone?(dropped) = dropped.all? { |cut| cut.key?(:of) }

      # The candidates, the first to be dropped first: experimental JITs, then those that cost most
      # by the block; of equal ones the last, since what was written first matters more.
      #: (Array[Study::Variant]) { (Study::Variant) -> Numeric } -> Array[Study::Variant]
      def self.in_order(candidates)
        candidates.sort_by.with_index do |variant, index|
          [variant.experimental? ? 0 : 1, -yield(variant), -index]
        end
      end

      # The first of them to be dropped; if mohs chose them, the one without its JIT
      # (Study::Variant#plain) goes instead. nil if there are none.
      #: (Array[Study::Variant], chosen: bool) { (Study::Variant) -> Numeric } -> Study::Variant?
      def self.first_out(candidates, chosen:, &cost)
        out = in_order(candidates, &cost).first
        (out&.plain(candidates) if chosen) || out
      end

      # dropped: what the budget cut, as in Plan#dropped.
      attr_reader :candidates, :rounds, :dropped

      # chosen: mohs chose the candidates, the user named none. cold_start: whether the study
      # records one.
      #: (baseline: Study::Variant, candidates: Array[Study::Variant], costs: Plan::Costs, ?rounds: Integer?, ?budget_s: Numeric?, ?chosen: bool, ?cold_start: bool) -> void
      def initialize(baseline:, candidates:, costs:, rounds: nil, budget_s: nil, chosen: false,
                     cold_start: false)
        @baseline = baseline
        @all = @candidates = candidates
        @costs = costs
        @asked = rounds
        @chosen = chosen
        @cold_start = cold_start
        @budget_s = budget_s
        @dropped = []
        budget_s ? fit : @rounds = @asked || (DEFAULT_S / round_s).floor.clamp(ROUNDS, MOST_ROUNDS)
      end

      # Seconds of one round: the baseline is booted once in each of its cohorts.
      #: () -> Float
      def round_s = round_of_s(@candidates)

      # Seconds of the smallest run that gives a result, whatever the budget: of the baseline and
      # the last candidate to be dropped, in as many rounds as an interval needs, or fewer if fewer
      # were requested.
      #: () -> Float
      def least_s
        last = Budget.in_order(@all) { |variant| @costs.cohort_s([variant]) }.last
        [wanted, ROUNDS].min * round_of_s([last].compact)
      end

      # Names of variants whose cold start the first cohort of a round records: the baseline, which
      # is in the other cohorts, too.
      #: () -> Array[String]
      def recorded_again = @cold_start ? [@baseline.name] : []

      private

      def round_of_s(candidates)
        slow, fast = candidates.partition(&:lingers?)
        cohorts = slow.size + (fast.size / Draw::CANDIDATES.to_f).ceil
        again_s = @costs.cohort_s([@baseline], recorded: recorded_again)
        @costs.cohort_s([@baseline, *candidates]) + (again_s * [cohorts - 1, 0].max)
      end

      def fit
        fewest = [wanted, ROUNDS].min
        enough_s = fewest * round_s
        cut = []
        cut << drop while @candidates.any? && beyond?(@candidates.one? ? 1 : fewest)
        @dropped.concat(cut.map { |variant| dropped_variant(variant, fewest, enough_s) })
        @rounds = (@budget_s / round_s).floor.clamp(1, @asked || MOST_ROUNDS)
        return unless @rounds < wanted

        @dropped << Budget.dropped_rounds(@rounds, of: wanted, round_s:, budget_s: @budget_s)
      end

      def wanted = @asked || ROUNDS

      def beyond?(rounds) = rounds * round_s > @budget_s

      def drop
        out = Budget.first_out(@candidates, chosen: @chosen) { |one| @costs.cohort_s([one]) }
        out.tap { |variant| @candidates -= [variant] }
      end

      def dropped_variant(variant, rounds, enough_s)
        { name: variant.name, code: "dropped_variant",
          values: { rounds:, enough_s: enough_s.ceil, budget_s: @budget_s } }
      end
    end
  end
end

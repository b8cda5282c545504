# frozen_string_literal: true

module Mohs
  class Experiment
    # The rest of a run that is resumed, as a plan, and how long it takes, judged by the run's own
    # cohorts. For a comparison, the time until its next look, as at its start. Pure.
    class Rest
      #: (Store::Run, Plan::Costs) -> void
      def initialize(result, costs)
        @run = result
        @costs = costs
        @comparison = Analysis::Comparison.new(result) if result.study.comparison
        @tuning = Analysis::Tuning.new(result) if result.study.tuning
      end

      #: () -> Plan
      def plan
        Plan.new(**@run.plan.each_pair.to_h, cohorts:, estimate_s: seconds.ceil)
      end

      private

      # If a comparison is decided: none, or the cohort that measures each variant alone.
      def cohorts
        left = @run.cohorts.select { |cohort| cohort.queued? || cohort.running? }
        return left.map(&:spec) unless @comparison&.over?

        @comparison.wants_solo? ? left.map(&:spec).select(&:solo) : []
      end

      def seconds
        return cohorts.first(@comparison.over? ? 1 : to_next_look).sum { |one| paired_s(one) } \
          if @comparison
        return [@run.plan.estimate_s - @tuning.spent_s, 0.0].max if @tuning

        estimator = Plan::Estimator.new(@run.study.variants, @costs)
        cohorts.select(&:baseline).sum { |cohort| estimator.cohort_s(cohort) }
      end

      def to_next_look = [@comparison.next_look.to_i - @comparison.pairs.size, 1].max

      def paired_s(cohort) = (@comparison.cohort_s unless cohort.solo) || cohort.estimate_s.to_f
    end
  end
end

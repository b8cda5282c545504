# frozen_string_literal: true

module Mohs
  module Repro
    # The figures of two variants beside each other, so that their ratio is the one that a claim is
    # judged by, as far as it needs no third variant. A row of the run's document is the mean over
    # all boots of its variant, and the baseline has boots in every cohort, also beside a JIT that
    # still compiles: rows of 63 and 44 requests/s stood beside a ratio of 1.21.
    class SideBySide
      #: (Array[Store::Cohort]) -> void
      def initialize(cohorts)
        @rounds = cohorts.group_by(&:round).values
      end

      # The geometric means over the rounds that have both: of the cohorts with both, where there
      # are any, else of all cohorts of the round. nil if no round has both.
      #: (Analysis::Metric, Array[String]) -> Array[Float]?
      def call(metric, names)
        sides = @rounds.filter_map { |cohorts| of_round(cohorts, metric, names) }
        sides.transpose.map { |logs| Math.exp(Stats::Center.mean(logs)) } if sides.any?
      end

      private

      def of_round(cohorts, metric, names)
        all = cohorts.map { |cohort| names.map { |name| logs(cohort, metric, name) } }
        both = all.select { |sides| sides.all?(&:any?) }
        sides = (both.any? ? both : all).transpose.map(&:flatten)
        sides.map { |logs| Stats::Center.mean(logs) } if sides.all?(&:any?)
      end

      def logs(cohort, metric, name)
        trials = cohort.trials.select { |trial| trial.variant == name && trial.measured? }
        values = trials.map { |trial| metric.value(trial) }
        values.filter_map { |value| Math.log(value) if value&.positive? }
      end
    end
  end
end

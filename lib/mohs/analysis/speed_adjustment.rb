# frozen_string_literal: true

module Mohs
  module Analysis
    # Removes the cores' effect on each slice from the cohorts of a run (Stats::CoreSpeed).
    class SpeedAdjustment
      #: (Array[Store::Cohort]) -> void
      def initialize(cohorts)
        @cohorts = cohorts
        @core_speed = Stats::CoreSpeed.new(cohorts.flat_map(&:trials).map(&:measured_slices))
      end

      # The same cohorts; if core speed was measured, each slice has what to add to its metrics to
      # have them at the mean speed.
      #: () -> Array[Store::Cohort]
      def even
        @cohorts.map do |cohort|
          cohort.with(trials: cohort.trials.map { |trial| trial.with(slices: shifted(trial)) })
        end
      end

      # The share of the variance within servers that this removes; nil if no speed was measured.
      #: (Symbol) -> Float?
      def explained(metric) = @core_speed.explained(metric)

      private

      def shifted(trial)
        trial.slices.map do |slice|
          shift = @core_speed.shift(slice)
          shift.empty? ? slice : slice.with(at_pace: shift)
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Analysis
    # Takes what the cores did to each slice out of the cohorts of a run (Stats::CoreSpeed).
    class SpeedAdjustment
      #: (Array[Store::Cohort]) -> void
      def initialize(cohorts)
        @cohorts = cohorts
        @core_speed = Stats::CoreSpeed.new(cohorts.flat_map(&:trials).map(&:measured_slices))
      end

      # The same cohorts; where the speed of the cores was taken, each slice says what has to be
      # added to its metrics to have them at the mean speed.
      #: () -> Array[Store::Cohort]
      def even
        @cohorts.map do |cohort|
          cohort.with(trials: cohort.trials.map { |trial| trial.with(slices: shifted(trial)) })
        end
      end

      # Of the variance within servers, the share that this takes out; nil where no speed was taken.
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

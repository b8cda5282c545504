# frozen_string_literal: true

module Mohs
  module Analysis
    # Removes from cohorts the effect of the cores on each slice (Stats::CoreSpeed). Only where the
    # driver shares the single core of each server: anywhere else its pieces of work time a
    # different core.
    class SpeedAdjustment
      # No adjustment: leaves every cohort as it was measured.
      #: () -> Analysis::SpeedAdjustment
      def self.none = new([])

      # The adjustment of these cohorts, where it removes clearly more from the metric than the bias
      # it may add (Stats::CoreSpeed#worth?), else none. What a verdict rests on has no part in the
      # choice.
      #: (Array[Store::Cohort], Symbol, bound: Float) -> Analysis::SpeedAdjustment
      def self.where_worth(cohorts, metric, bound:)
        one = new(cohorts)
        one.worth?(metric, bound:) ? one : none
      end

      # cohorts: those that the slopes are fitted on. Later cohorts of a comparison and those of
      # another layout have no part in what was decided before.
      #: (Array[Store::Cohort]) -> void
      def initialize(cohorts)
        @cohorts = cohorts
        shared = cohorts.select { |cohort| shared?(cohort) }
        @core_speed = Stats::CoreSpeed.new(shared.flat_map(&:trials).map(&:measured_slices))
      end

      # The same cohorts, or others. If core speed was measured, each slice gets what has to be
      # added to its metrics to have them at the mean speed.
      #: (?Array[Store::Cohort]) -> Array[Store::Cohort]
      def even(cohorts = @cohorts)
        cohorts.map do |cohort|
          next cohort unless shared?(cohort)

          cohort.with(trials: cohort.trials.map { |trial| trial.with(slices: shifted(trial)) })
        end
      end

      # How far a metric's difference, a logarithm, may be off because of the adjustment
      # (Stats::CoreSpeed#bias).
      #: (Symbol) -> Float
      def bias(metric) = Stats::Sample::METRICS.key?(metric) ? @core_speed.bias(metric) : 0.0

      # Does it remove more from a metric than the bias it may add?
      #: (Symbol, bound: Float) -> bool
      def worth?(metric, bound:) = @core_speed.worth?(metric, bound:)

      # The share of the variance within servers that this removes; nil if no speed was measured.
      #: (Symbol) -> Float?
      def explained(metric) = @core_speed.explained(metric)

      private

      # Cohorts of an unknown layout stay as they are.
      def shared?(cohort)
        cores = cohort.trials.select(&:measured?).map(&:cores)
        cohort.apart == false && cores.any? && cores.all?(1)
      end

      def shifted(trial)
        trial.slices.map do |slice|
          shift = @core_speed.shift(slice)
          shift.empty? ? slice : slice.with(at_pace: shift)
        end
      end
    end
  end
end

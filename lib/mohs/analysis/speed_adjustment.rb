# frozen_string_literal: true

module Mohs
  module Analysis
    # Removes the cores' effect on each slice from cohorts (Stats::CoreSpeed). Only where the driver
    # shares each server's one core: anywhere else its pieces of work time another core.
    class SpeedAdjustment
      # None: leaves every cohort as it was measured.
      #: () -> Analysis::SpeedAdjustment
      def self.none = new([])

      # Of several, that with which the block gives the narrowest interval; the first if it gives
      # none. What it may be biased by counts, so it is used only where it removes more.
      #: (Array[Store::Cohort]) { (Analysis::SpeedAdjustment) -> Float? } -> Analysis::SpeedAdjustment
      def self.narrowest(cohorts)
        [new(cohorts), none].min_by { |one| yield(one) || 0.0 }
      end

      # cohorts: those that the slopes are fitted on. The later ones of a comparison and those of
      # another layout have no part in what was decided before.
      #: (Array[Store::Cohort]) -> void
      def initialize(cohorts)
        @cohorts = cohorts
        shared = cohorts.select { |cohort| shared?(cohort) }
        @core_speed = Stats::CoreSpeed.new(shared.flat_map(&:trials).map(&:measured_slices))
      end

      # The same cohorts, or others; if core speed was measured, each slice has what to add to its
      # metrics to have them at the mean speed.
      #: (?Array[Store::Cohort]) -> Array[Store::Cohort]
      def even(cohorts = @cohorts)
        cohorts.map do |cohort|
          next cohort unless shared?(cohort)

          cohort.with(trials: cohort.trials.map { |trial| trial.with(slices: shifted(trial)) })
        end
      end

      # How far a metric's difference, a logarithm, may be off by it (Stats::CoreSpeed#bias).
      #: (Symbol) -> Float
      def bias(metric) = Stats::Sample::METRICS.key?(metric) ? @core_speed.bias(metric) : 0.0

      # The share of the variance within servers that this removes; nil if no speed was measured.
      #: (Symbol) -> Float?
      def explained(metric) = @core_speed.explained(metric)

      private

      # Not known of cohorts of an early mohs: then they stay as they are.
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

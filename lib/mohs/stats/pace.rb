# frozen_string_literal: true

module Mohs
  module Stats
    # Takes out of each slice what its core's own pace did to it. On a virtual machine a core is
    # often half of one, and slows by a third while a neighbour works on the other half: slices of
    # one server then vary by a tenth, and four fifths of that is how long the same piece of work
    # took on that core meanwhile (ext/mohs/core/pace.h). It is the same for every variant, so it
    # can serve as a control variate (Lavenberg and Welch 1981, "A perspective on the use of control
    # variables to increase the efficiency of Monte Carlo simulations").
    #
    # How much a metric follows it is seen within each server's own slices, where nothing else
    # differs: one slope for all. It is drawn towards 0 as if it were known beforehand to be 0
    # give or take PRIOR (ridge regression): where the pace hardly varied, what it seems to do is
    # chance.
    class Pace
      # Slopes seen are 0.4 to 1; of a piece of work that tells less, more.
      PRIOR = 2.0
      # Nothing slows by so much more than the piece of work: two things grew at once.
      STEEPEST = -4.0

      # A server with fewer slices says nothing about their differences.
      FEWEST = 3

      # cohorts: the store's.
      #: (Array[Hash]) -> void
      def initialize(cohorts)
        @cohorts = cohorts
      end

      # The same cohorts; where the pace was taken each slice has what Sample.log adds to its
      # metrics, so that all are told at the mean pace.
      #: () -> Array[Hash]
      def even
        return @cohorts if paces.empty?

        @cohorts.map do |cohort|
          trials = cohort[:trials].map do |trial|
            trial.merge(slices: trial[:slices].map { |slice| slice.merge(at_pace: shift(slice)) })
          end
          cohort.merge(trials:)
        end
      end

      # What a metric, as Sample has it, gains where the logarithm of the pace's time grows by 1: 0
      # or below.
      #: (Symbol) -> Float
      def slope(metric)
        sums = sums(metric)
        return 0.0 unless sums[:xx].positive?

        (sums[:xy] / (sums[:xx] + (noise(sums) / (PRIOR**2)))).clamp(STEEPEST, 0.0)
      end

      # Of the variance within servers, the share that is taken out (0 to 1); nil where no pace was
      # taken.
      #: (Symbol) -> Float?
      def explained(metric)
        sums = sums(metric)
        slope = slope(metric)
        return unless (sums[:xx] * sums[:yy]).positive?

        slope * ((2 * sums[:xy]) - (slope * sums[:xx])) / sums[:yy]
      end

      private

      # Of every measured slice.
      def paces
        @paces ||= servers.flatten.filter_map { |slice| log(slice) }
      end

      def servers
        @cohorts.flat_map { |cohort| cohort[:trials].map { |trial| measured(trial) } }
      end

      def measured(trial) = trial[:slices].reject { |slice| slice[:warm_up] }

      def log(slice)
        pace_ns = slice.dig(:facts, :pulse, :pace_ns)
        Math.log(pace_ns) if pace_ns
      end

      def shift(slice)
        pace = log(slice) or return {}
        @mean ||= Center.mean(paces)
        @slopes ||= Sample::METRICS.keys.to_h { |metric| [metric, slope(metric)] }
        @slopes.transform_values { |slope| -slope * (pace - @mean) }
      end

      # Sums of squares and products about each server's own means, and what they are free to vary
      # in.
      def sums(metric)
        pairs = servers.flat_map { |slices| centred(slices, metric) }
        { xx: pairs.sum { |x, _| x * x }, xy: pairs.sum { |x, y| x * y },
          yy: pairs.sum { |_, y| y * y }, freedom: pairs.size - servers.size - 1 }
      end

      def centred(slices, metric)
        pairs = slices.map { |slice| [log(slice), Sample.measured(slice, metric)] }
                      .reject { |pair| pair.any?(&:nil?) }
        return [] if pairs.size < FEWEST

        means = pairs.transpose.map { |values| Center.mean(values) }
        pairs.map { |pair| pair.zip(means).map { |value, mean| value - mean } }
      end

      # Variance of what the line leaves.
      def noise(sums)
        left = sums[:yy] - ((sums[:xy]**2) / sums[:xx])
        [left, 0.0].max / [sums[:freedom], 1].max
      end
    end
  end
end

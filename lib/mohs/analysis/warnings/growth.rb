# frozen_string_literal: true

module Mohs
  module Analysis
    module Warnings
      # An application that needs more CPU time for every request that it has answered (a list
      # that grows, a leak) has no one speed: what is measured depends on when. By CPU time, which
      # the host's own drift moves least.
      module Growth
        # Growth over a trial's measured slices from which on it is no noise of the host's.
        LEAST = 0.05
        PER = 1000

        module_function

        #: (Analysis::Comparison) -> Analysis::Finding?
        def call(comparison)
          trials = comparison.pairs.flat_map(&:trials)
          grown = comparison.pairs.filter_map { |pair| cohort(pair) }
          interval = Warnings.certain(grown) or return
          return unless interval.value > Math.log(1 + LEAST)

          growth = Math.exp(interval.value * PER / answered(trials)) - 1
          Finding.new(code: "growth", severity: :bad, values: { growth:, requests: PER })
        end

        # Of all trials of a cohort: what they lived through is the same.
        def cohort(pair)
          grown = pair.trials.filter_map { |trial| growth(trial.measured_slices) }
          Stats::Center.mean(grown) if grown.any?
        end

        # Logarithm of how much dearer a request became from the first slice to the last.
        def growth(slices)
          costs = slices.filter_map { |slice| Stats::Sample.log(slice, :cpu_us_per_request) }
          slope = Stats::TheilSen.slope(costs) if costs.size > FEWEST
          slope && (-slope * (costs.size - 1))
        end

        # From the middle of the first slice to the middle of the last.
        def answered(trials)
          counts = trials.map { |trial| trial.measured_slices.drop(1).sum(&:good) }
          Stats::Center.mean(counts)
        end
        private_class_method :cohort, :growth, :answered
      end
    end
  end
end

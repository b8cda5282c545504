# frozen_string_literal: true

module Mohs
  module Analysis
    module Warnings
      # Position effect: is one half of the machine slower than the other, whoever is on it? The
      # exchange cancels it, but what makes it so may disturb in other ways.
      module Halves
        LEAST = 0.1

        module_function

        #: (Analysis::Comparison) -> Analysis::Finding?
        def call(comparison)
          duets = comparison.pairs.select { |pair| pair.scheme == "duet" }
          interval = Warnings.certain(duets.filter_map { |pair| difference(pair) }) or return
          return if interval.value.abs < Math.log(1 + LEAST)

          Finding.new(code: "halves", severity: :warn,
                      values: { share: Math.exp(interval.value.abs) - 1 })
        end

        def difference(pair)
          logs = [pair.a, pair.b].map { |trials| half_difference(trials) }
          Stats::Center.mean(logs) if logs.all?
        end

        # Of a variant's slices: where its servers change halves a slice says on which it was.
        def half_difference(trials)
          halves = trials.flat_map { |trial| rates(trial) }.group_by(&:first)
          means = halves.values_at(0, 1).map { |rates| rates && Stats::Center.mean(rates.map(&:last)) }
          means[1] - means[0] if means.all?
        end

        def rates(trial)
          trial.measured_slices.filter_map do |slice|
            rate = Stats::Sample.measured(slice, :throughput_per_s)
            [slice.half || trial.worker, rate] if rate
          end
        end
        private_class_method :difference, :half_difference, :rates
      end
    end
  end
end

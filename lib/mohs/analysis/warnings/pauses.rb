# frozen_string_literal: true

module Mohs
  module Analysis
    module Warnings
      # Pauses rarer than one slice in five are trimmed away. Where one side has more of them, the
      # totals over all slices say something else than the verdict (method, section 4).
      module Pauses
        module_function

        #: (Analysis::Comparison) -> Analysis::Finding?
        def call(comparison)
          differences = comparison.pairs.filter_map { |pair| total(pair) }
          return if differences.size < FEWEST

          all = Stats::Interval.of(differences).exp
          typical = comparison.sequential
                              .interval(comparison.differences(Metric.fetch("throughput"))).exp
          return if typical.low.nil? || (all.low <= typical.high && all.high >= typical.low)

          side = all.value < typical.value ? "B" : "A"
          Finding.new(code: "pauses", severity: :warn, subject: side,
                      values: { side:, ratio: all.value })
        end

        # Log ratio of the totals of one cohort.
        def total(pair)
          rates = [pair.a, pair.b].map do |trials|
            slices = trials.flat_map(&:measured_slices)
            slices.sum(&:good).fdiv(slices.sum(&:wall_ns))
          end
          Math.log(rates[1] / rates[0]) if rates.all? { |rate| rate.positive? && rate.finite? }
        end
        private_class_method :total
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    # How many blocks one boot should serve, if a boot and a block each cost time and add noise of
    # their own (Kalibera and Jones 2013, section 9).
    module CostOptimal
      # Fewer leave nothing to trim; more than the maximum are never worth waiting for the next
      # look.
      RANGE = (6..60)

      # A 20 %-trimmed mean of K normal values has 1.1 times the variance of their mean.
      TRIMMED = 1.1

      module_function

      # sqrt(boot_cost / block_cost) * within_sd / between_sd. Costs in one unit, sds in another.
      #: (boot_cost: Numeric, block_cost: Numeric, within_sd: Numeric, between_sd: Numeric) -> Integer
      def blocks(boot_cost:, block_cost:, within_sd:, between_sd:)
        return RANGE.max unless between_sd.positive? && block_cost.positive?

        best = Math.sqrt(boot_cost.to_f / block_cost) * within_sd / between_sd
        best.clamp(RANGE.min, RANGE.max).round
      end

      # Variance that one block adds to a cohort's trimmed mean, from the values of its blocks in
      # order: blocks need not be independent (a garbage collection that fell into one is missing in
      # the next), and the difference between the means of the two halves reflects that dependence.
      # Half of that difference has the variance of the whole's mean. One cohort gives it with a
      # single degree of freedom: average it over cohorts.
      #: (Array[Float]) -> Float
      def within_variance(values)
        half = values.size / 2
        one, other = [values.first(half), values.last(half)].map { |of| Center.trimmed_mean(of) }
        (((one - other) / 2)**2) * values.size / TRIMMED
      end

      # The sd that boots add to that of their blocks, from the sd of the cohorts' differences; 0 if
      # the blocks explain all of it.
      #: (sd: Float, within_sd: Float, blocks: Integer) -> Float
      def between(sd:, within_sd:, blocks:)
        Math.sqrt([(sd**2) - (TRIMMED * (within_sd**2) / blocks), 0.0].max)
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    # Shares of counted samples, compared by their logarithms. A share is a ratio of sums: all
    # samples of a part over all samples. Boots have unequal numbers of samples; a mean of their
    # shares would count a boot with few samples as much as one with many, and would differ from the
    # share of the time if long boots have other shares than short ones.
    #
    # The unit is the cohort, as it is for rates: samples of one server say exactly what this boot
    # did, and boots differ. So the error is that of the jackknife over cohorts (Quenouille 1956,
    # Tukey 1958). Its intervals contain the true value more often than those of the linearised
    # variance, which ignores that an estimate is near its own largest boots (simulated: method,
    # Published studies). But few boots may agree by chance if each has a few dozen samples, so no
    # variance is less than that of independent samples (multinomial).
    module Shares
      # Added to each sum, and so to both sides of a share, so that a category without any sample
      # has a logarithm (Haldane 1956, Anscombe 1956).
      HALF = 0.5

      # `count` of the `total` samples of one server, or of several.
      class Sampled < Struct.new(:count, :total, keyword_init: true)
        include Value

        # The sum of all these.
        #: (Array[Stats::Shares::Sampled]) -> Stats::Shares::Sampled
        def self.sum(all) = new(count: all.sum(&:count), total: all.sum(&:total))

        #: () -> Float
        def log = Math.log((count + HALF) / (total + (2 * HALF)))

        # Variance of the logarithm, if samples were independent.
        #: () -> Float
        def variance = (1 / (count + HALF)) - (1 / (total + (2 * HALF)))
      end

      module_function

      # The effect of a share itself. cohorts: for each, its servers' samples.
      #: (Array[Array[Stats::Shares::Sampled]]) -> Stats::Effect
      def share(cohorts)
        sums = cohorts.map { |servers| Sampled.sum(servers) }
        effect(sums, least: ->(all) { Sampled.sum(all).variance }) { |some| Sampled.sum(some).log }
      end

      # The ratio of two shares, `other` over `one`, of the same cohorts. same: both are parts of
      # the same samples, so one is small where the other is large.
      #: (Array[Array[Stats::Shares::Sampled]], Array[Array[Stats::Shares::Sampled]], ?same: bool) -> Stats::Effect
      def ratio(one, other, same: false)
        pairs = one.zip(other).map { |pair| pair.map { |servers| Sampled.sum(servers) } }
        effect(pairs, least: ->(all) { variance(*sides(all), same:) }) do |some|
          below, above = sides(some)
          above.log - below.log
        end
      end

      def sides(pairs) = pairs.transpose.map { |samples| Sampled.sum(samples) }

      # Two parts of the same samples have a covariance of -1 / total, so the variance of their
      # difference is larger.
      def variance(one, other, same:)
        shared = same ? 2 / (one.total + (2 * HALF)) : 0
        one.variance + other.variance + shared
      end

      # The block's value for all cohorts, with the error of Tukey's pseudo-values: what each cohort
      # adds to it. least: returns the variance that it has at least.
      def effect(cohorts, least:)
        return Effect.new(count: 0) if cohorts.empty?

        value, count = yield(cohorts), cohorts.size
        return Effect.new(value:, count:) if count < 2

        pseudo = cohorts.each_index.map do |index|
          rest = cohorts.each_index.reject { |other| other == index }
          (count * value) - ((count - 1) * yield(cohorts.values_at(*rest)))
        end
        found = Effect.of(pseudo)
        error = [found.error, Math.sqrt(least.call(cohorts))].max
        Effect.new(**found.to_h, value:, error:)
      end

      private_class_method :sides, :variance, :effect
    end
  end
end

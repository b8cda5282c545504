# frozen_string_literal: true

module Mohs
  module Stats
    # Shares of counted samples, compared by their logarithms. The unit is the cohort, as it is for
    # rates: samples of one server say exactly what this boot did, and boots differ. But few boots
    # may agree by chance, where each has some dozens of samples, so no variance is less than that
    # of independent samples (multinomial).
    module Shares
      # Added to each count, and so to both sides of a share, so that a category that no sample has
      # shown has a logarithm (Haldane 1956, Anscombe 1956).
      HALF = 0.5

      # So many of all samples of one server.
      class Sampled < Struct.new(:count, :total, keyword_init: true)
        include Value

        #: () -> Float
        def log = Math.log((count + HALF) / (total + (2 * HALF)))

        # Of the logarithm, if samples were independent.
        #: () -> Float
        def variance = (1 / (count + HALF)) - (1 / (total + (2 * HALF)))
      end

      module_function

      # Of a share itself. cohorts: of each, its servers' samples.
      #: (Array[Array[Stats::Shares::Sampled]]) -> Stats::Effect
      def share(cohorts)
        effect(cohorts.map { |servers| moments(servers) })
      end

      # The ratio of two shares, `other` over `one`, of the same cohorts. same: both are parts of
      # the same samples, so that one is small where the other is large.
      #: (Array[Array[Stats::Shares::Sampled]], Array[Array[Stats::Shares::Sampled]], ?same: bool) -> Stats::Effect
      def ratio(one, other, same: false)
        pairs = one.zip(other).map { |pair| pair.map { |servers| moments(servers, same:) } }
        effect(pairs.map { |(below, least), (above, more)| [above - below, least + more] })
      end

      # The mean of a cohort's servers, and its variance. Two parts of the same samples have a
      # covariance of -1 / total, so that the variance of their difference is larger.
      def moments(servers, same: false)
        variances = servers.map do |one|
          one.variance + (same ? 1 / (one.total + (2 * HALF)) : 0)
        end
        [Center.mean(servers.map(&:log)), variances.sum / (servers.size**2)]
      end

      def effect(moments)
        found = Effect.of(moments.map(&:first))
        return found unless found.error

        least = Math.sqrt(Center.mean(moments.map(&:last)) / moments.size)
        Effect.new(**found.to_h, error: [found.error, least].max)
      end

      private_class_method :moments, :effect
    end
  end
end

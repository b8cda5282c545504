# frozen_string_literal: true

module Mohs
  module Stats
    # A provisional interval for impatient people: the spread that this host showed earlier counts
    # as a number of degrees of freedom, added to those of the few differences at hand (Smyth 2004,
    # the moderated t). It halves the cohorts that 2 % need, but if the true sd is 1.5 or 2 times
    # the prior, 13 or 23 % of its findings are false (method, section 4); hence WIDENED.
    class Moderated
      DEGREES = 10
      WIDENED = 1.5

      # prior_sd: sd of the differences as known before, on their scale.
      #: (prior_sd: Float) -> void
      def initialize(prior_sd:)
        @prior_variance = (WIDENED * prior_sd)**2
        freeze
      end

      # The interval of the mean. Without ends for a single difference: it has no spread to
      # moderate.
      #: (Array[Float], ?level: Float) -> Stats::Interval
      def interval(differences, level: 0.95)
        count = differences.size
        return Interval.new(count:) if count.zero?

        mean = Center.mean(differences)
        return Interval.new(value: mean, count:) if count == 1

        half = StudentT.upper_quantile((1 - level) / 2, DEGREES + count - 1) *
               sd(differences) / Math.sqrt(count)
        Interval.new(value: mean, low: mean - half, high: mean + half, count:)
      end

      # The sd of two or more differences, shrunk towards the prior.
      #: (Array[Float]) -> Float
      def sd(differences)
        own = differences.size - 1
        Math.sqrt(((DEGREES * @prior_variance) + (own * Spread.variance(differences))) /
                  (DEGREES + own))
      end
    end
  end
end

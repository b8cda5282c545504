# frozen_string_literal: true

module Mohs
  module Tune
    # By how much the recommended setting serves more than the present one within the limit; a
    # lower bound if some of its rates are (Setting#bound): the true ones are higher. Pure.
    class Gain
      # pick: nil if none is recommended. searches: the cohorts that search. contrasts: of the
      # settings whose rate was `found` on every boot, by name. alpha: the chance that the
      # interval misses.
      #: (Tune::Result::Setting?, present: String, searches: Array[Store::Cohort], contrasts: (Stats::Contrasts | Tune::ModelledRates), found: Array[String], alpha: Float) -> void
      def initialize(pick, present:, searches:, contrasts:, found:, alpha:)
        @pick = pick
        @present = present
        @searches = searches
        @contrasts = contrasts
        @found = found
        @alpha = alpha
      end

      # The ratio of the rates; nil if it is unknown, or if the two are the same setting. A bound
      # has no high end.
      #: () -> Stats::Interval?
      def interval
        known = effect&.interval(alpha: @alpha)
        known && @pick.bound ? known.bound : known
      end

      # The same with the two settings exchanged; not for a bound.
      #: () -> Stats::Interval?
      def reverse = effect&.reverse&.interval(alpha: @alpha)

      # Its logarithm.
      #: () -> Stats::Effect?
      def effect
        return if @pick.nil? || @pick.name == @present

        effect = @pick.bound ? least : @contrasts.between(@present, @pick.name, alpha: @alpha)
        effect if effect.count.positive?
      end

      private

      def least
        known = @found.include?(@present) ? @searches.select(&:done?) : []
        Stats::Effect.of(known.filter_map { |cohort| difference(cohort) })
      end

      def difference(cohort)
        trials = cohort.trials.select(&:measured?)
        rates = trials.to_h { |one| [one.variant, one.found[:rate_per_s]] }
                      .values_at(@present, @pick.name)
        Math.log(rates.last / rates.first) if rates.all?
      end
    end
  end
end

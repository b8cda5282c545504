# frozen_string_literal: true

module Mohs
  module Repro
    # How many rounds would decide a claim, for Evidence. More rounds may decide it in several ways;
    # the forecast is for the one that needs the fewest, if the present figures stay as they are.
    module Forecasts
      # One way: all `bounds`, [contrast, bound] each, have to be left out of their intervals, at
      # the level of the `question`. `values` are those of the finding.
      Way = Struct.new(:question, :bounds, :values, keyword_init: true)
      private_constant :Way

      private

      # What would decide the claim.
      def needed
        count = nearest.effect.count
        return note("repro_few", rounds: count, needed: Stats::Interval::FEWEST) \
          if count < Stats::Interval::FEWEST

        rounds, way = ways.filter_map { |one| rounds(one)&.then { [_1, one] } }.min_by(&:first)
        alone = alone? ? { alone: true } : {}
        return note("repro_rounds", rounds:, **alone, **leaning(way)) if rounds

        apart = held.find { |one| !holds?(one) } if inside?
        return note("repro_total", ratio: apart.effect.ratio) if apart

        bound = @statement.direction ? 1.0 : near(nearest)
        note("repro_noisy", **Judge.noisy(interval.value, [interval.low, interval.high], bound))
      end

      # How many rounds would decide the size, whose direction is known.
      def size_rounds
        inside = nearest.effect.ratio.between?(low, high)
        rounds(Way.new(question: inside ? :agree_p : :size_p, bounds: [[nearest, near(nearest)]]))
      end

      # Which way it would decide it.
      def leaning(way) = way.values

      def ways
        unless @statement.direction
          return [refuted] unless inside?

          return held.all? { |one| holds?(one) } ? [confirmed(:claim_p)] : []
        end

        [Way.new(question: :claim_p, bounds: [[nearest, 1.0]],
                 values: { against: !right?, direction: true }), *smaller]
      end

      # That any difference is much smaller than published, if it seems to be.
      def smaller
        return [] unless @statement.much_smaller?(interval.value, interval.value)

        [Way.new(question: :size_p, bounds: [[nearest, @statement.half_way]],
                 values: { against: true, direction: true })]
      end

      # The nearest end has to hold, for all variants.
      def confirmed(question)
        Way.new(question:, bounds: held.map { |one| [one, near(one)] }, values: { against: false })
      end

      # One variant suffices.
      def refuted
        Way.new(question: :claim_p, bounds: [[outermost, near(outermost)]],
                values: { against: true })
      end

      # The nearest end of the range.
      def near(contrast)
        ends = [@statement.low, @statement.high].compact
        ends.min_by { |bound| (contrast.effect.value - Math.log(bound)).abs }
      end

      # What has to be in the range: the totals, pauses included, where that is around 1.
      def held
        return contrasts unless @statement.around_one?

        whole = contrasts.select { |one| one.total&.value }
        contrasts + whole.map { |one| Analysis::Contrast.new(**one.to_h, effect: one.total) }
      end

      # Do all figures hold what is claimed, without the totals?
      def inside? = contrasts.all? { |one| holds?(one) }

      def holds?(contrast) = contrast.effect.ratio.between?(low, high)

      # Would the intervals decide it, if the claims of a study were not tested together?
      def alone? = @statement.direction ? apart? || much_smaller? : beyond? || within?

      # The intervals have to exclude the bounds as well. What does not vary needs no more rounds.
      def rounds(way)
        level = [@thresholds[way.question], Analysis::Verdict::ALPHA].compact.min
        varying = way.bounds.reject { |contrast, _| contrast.effect.error&.zero? }
        counts = varying.map do |contrast, bound|
          contrast.needed(bound, most: Judge::MANY, level:)
        end
        counts.max if counts.all?
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    # Intervals for statistics without a formula: the statistic of many samples drawn from the
    # sample itself (Efron and Tibshirani, An Introduction to the Bootstrap, 1993). Every draw comes
    # from the given `random`, so a seed repeats it. The block computes the statistic. Ends are nil
    # for fewer than three observations (or groups).
    module Bootstrap
      REPLICATES = 2000

      module_function

      # Percentile interval; observations are drawn with replacement.
      #: [T] (Array[T], random: Random, ?level: Float, ?replicates: Integer) { (Array[T]) -> Float } -> Stats::Interval
      def percentile(values, random:, level: 0.95, replicates: REPLICATES, &statistic)
        interval(values, level, statistic) do
          Array.new(replicates) { yield(draw(values, random)) }
        end
      end

      # Percentile interval of data on two levels: groups (cohorts) are drawn, then observations
      # (blocks) within each drawn group, both with replacement (Davison and Hinkley, Bootstrap
      # Methods and their Application, 1997, section 3.8, which shows that it errs slightly on the
      # wide side). The block gets an array of groups.
      #: [T] (Array[Array[T]], random: Random, ?level: Float, ?replicates: Integer) { (Array[Array[T]]) -> Float } -> Stats::Interval
      def two_level(groups, random:, level: 0.95, replicates: REPLICATES, &statistic)
        interval(groups, level, statistic) do
          Array.new(replicates) do
            yield(draw(groups, random).map { |group| draw(group, random) })
          end
        end
      end

      # As percentile, corrected for bias and for a spread that changes with the value: BCa (Efron,
      # J. Am. Stat. Assoc. 82, 1987; 1993 book, section 14.3). Better than percentile for skewed
      # statistics; calls the block once more per observation.
      #: [T] (Array[T], random: Random, ?level: Float, ?replicates: Integer) { (Array[T]) -> Float } -> Stats::Interval
      def bca(values, random:, level: 0.95, replicates: REPLICATES, &statistic)
        interval(values, level, statistic, acceleration: -> { acceleration(values, &statistic) }) do
          Array.new(replicates) { yield(draw(values, random)) }
        end
      end

      # One sample of the same size (or `size`), drawn with replacement.
      #: [T] (Array[T], Random, ?Integer) -> Array[T]
      def draw(values, random, size = values.size)
        Array.new(size) { values[random.rand(values.size)] }
      end

      def interval(values, level, statistic, acceleration: nil)
        return Interval.new(count: 0) if values.empty?

        value = statistic.call(values)
        return Interval.new(value:, count: values.size) if values.size < Interval::FEWEST

        replicates = yield.sort
        shares = [(1 - level) / 2, (1 + level) / 2]
        shares = corrected(shares, value, replicates, acceleration.call) if acceleration
        low, high = shares.map { |share| Quantile.type7(replicates, share) }
        Interval.new(value:, low:, high:, count: values.size)
      end

      # The shares of the replicates at which BCa reads its ends.
      def corrected(shares, value, replicates, acceleration)
        bias = Normal.quantile(share_below(value, replicates))
        shares.map do |share|
          z = bias + Normal.quantile(share)
          Normal.cdf(bias + (z / (1 - (acceleration * z))))
        end
      end

      # Ties count half. The share is never 0 or 1: the normal quantile has to be finite.
      def share_below(value, replicates)
        below = replicates.count { |replicate| replicate < value }
        ties = replicates.count(value)
        (below + (ties / 2.0)).clamp(0.5, replicates.size - 0.5) / replicates.size
      end

      # From the statistic of the sample with one observation left out at a time.
      def acceleration(values)
        less = values.each_index.map do |left_out|
          yield(values[0...left_out] + values[left_out + 1..])
        end
        mean = Center.mean(less)
        spread = less.sum { |value| (mean - value)**2 }
        spread.zero? ? 0.0 : less.sum { |value| (mean - value)**3 } / (6 * (spread**1.5))
      end

      private_class_method :interval, :corrected, :share_below, :acceleration
    end
  end
end

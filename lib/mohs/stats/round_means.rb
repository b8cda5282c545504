# frozen_string_literal: true

module Mohs
  module Stats
    # Means of variants that were measured in the same rounds, each with an interval of its own.
    # Three rounds leave a variant two degrees of freedom, and so an interval of 4.3 standard errors
    # (10 if five variants hold jointly). The variation of the other variants is informative, too:
    # their common variance counts as much as the variant's own (a moderated variance, as in Smyth
    # 2004), and the interval has twice the degrees of freedom.
    #
    # The common variance: value = variant + round + residual with a random round, so that one value
    # of k variants has the variance MSrounds / k + MSresiduals (k - 1) / k (Scheffe, The Analysis
    # of Variance, 1959, section 8.1), with Satterthwaite's degrees of freedom (1946).
    #
    # Simulated with three rounds, rounds that vary up to twice as much as residuals, and variants
    # of which one or two vary up to three times as much as the others: all intervals of five
    # variants, at a joint level of 95 %, hold in 95 to 99 % of cases, of three in 93 to 98 %; they
    # are half as wide as those from each variant's own values (benchmark/tune/round_means.rb).
    class RoundMeans
      # Fewest variants, and fewest rounds, that show a common variance.
      FEWEST = 3

      # rounds: { variant => value } each. A variant that is missing in one of them has an interval
      # from its own values alone.
      #: (Array[Hash[String, Float]]) -> void
      def initialize(rounds)
        @rounds = rounds
        @names = rounds.map(&:keys).inject(:&).to_a
      end

      # Without ends for fewer than three rounds.
      #: (String, ?level: Float) -> Stats::Interval
      def interval(name, level: 0.95)
        values = @rounds.filter_map { |round| round[name] }
        own = Interval.of(values, level:)
        return own unless common? && @names.include?(name)

        freedom = values.size - 1
        weight = [freedom, common_df].min
        variance = ((weight * common) + (freedom * Spread.variance(values))) / (weight + freedom)
        half = StudentT.upper_quantile((1 - level) / 2, weight + freedom) *
               Math.sqrt(variance / values.size)
        Interval.new(value: own.value, low: own.value - half, high: own.value + half,
                     count: values.size)
      end

      private

      def common? = [@names.size, @rounds.size].min >= FEWEST && common.positive?

      def common = parts.sum(&:first)

      def common_df = (common**2) / parts.sum { |part, freedom| (part**2) / freedom }

      # [variance, degrees of freedom] of each part of the common variance.
      def parts
        @parts ||= begin
          cells = @rounds.map { |round| round.slice(*@names) }
          model = TwoWay.new(cells)
          [[Spread.variance(cells.map { |cell| Center.mean(cell.values) }), @rounds.size - 1],
           [model.variance * (@names.size - 1) / @names.size, model.df]]
        end
      end
    end
  end
end

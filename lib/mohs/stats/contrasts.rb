# frozen_string_literal: true

module Mohs
  module Stats
    # Differences between variants over the cohorts of a run, judged by one common spread if all of
    # them vary alike (TwoWay): three rounds leave each variant two degrees of freedom of its own,
    # and half widths of 5 to 10 standard deviations if four to fifteen variants are judged
    # together; with the pooled spread the half widths are 1.9 and less.
    #
    # In a cohort of two, the residuals mirror each other: a variant that was measured only beside
    # the baseline (a JVM, say) is judged by its own rounds, and has no part in the pooled spread.
    #
    # The spread is pooled if nothing speaks against it: Bartlett's test of all residuals, then for
    # each variant a test whether its residuals vary more than the others' (variance ratio). A
    # variant that stands out has a variance of its own in its comparisons, which never makes them
    # narrower; if Bartlett's test finds unequal spreads, each comparison has the spread of its own
    # rounds.
    #
    # The levels of these tests are far from the usual .01, because they detect little in three
    # rounds: with one variant that varies four times as much and Bartlett's test alone, at .01, 11,
    # 17 and 23 % of simulated runs of 4, 8 and 15 candidates that were all the same found a
    # difference. With these levels it is 5 to 6 %, 3 to 4 % if all vary alike, and 8 % in the worst
    # case tried: fifteen that vary by factors from 0.5 to 3.
    class Contrasts
      ALIKE = 0.05

      # Levels of the test of one variant, by the number of candidates. The more candidates there
      # are, the more easily one goes unnoticed, and the less it costs to set one apart. For the
      # baseline it is the other way round: it is in every cohort, so more cohorts show how it
      # varies, and setting it apart affects every comparison.
      CANDIDATE = ->(candidates) { [0.1 + (0.0125 * candidates), 0.3].min }
      BASELINE = ->(candidates) { [0.8 / candidates, 0.2].min }

      # With three variants, the residuals of one mirror those of the other two: neither test can
      # tell which of them varies (method, section 5).
      FEWEST = 4

      # Fewest variants in a cohort that the model is fitted to.
      SHARED = 3

      # A sum of squared residuals up to this counts as 0.
      ROUNDING = 1e-24

      # cohorts: { variant => log } each. rounds: the round of each cohort. baseline: the variant
      # through which two variants are compared that shared no cohort of a round.
      #: (Array[Hash[String | Integer, Float]], rounds: Array[Integer?], baseline: String | Integer) -> void
      def initialize(cohorts, rounds:, baseline:)
        @cohorts = cohorts
        @rounds = cohorts.zip(rounds).group_by(&:last).values.map { |round| round.map(&:first) }
        @baseline = baseline
        shared = cohorts.select { |cohort| cohort.size >= SHARED }
        @size = shared.sum(&:size).fdiv(shared.size)
        @model = TwoWay.new(shared)
        @residuals = @model.residuals
      end

      # The effect of `other` minus `one`, with an error as large as needed at this level; an Effect
      # of no cohort if no round compares the two.
      #: (String | Integer, String | Integer, alpha: Float) -> Stats::Effect
      def between(one, other, alpha:)
        separate = separate(one, other)
        return separate unless pooled? && separate.count.positive? && modelled?(one, other)

        pooled = pooled(one, other, separate.count)
        return pooled if ([one, other] & apart).empty?

        wider(pooled, unequal(one, other, separate), alpha)
      end

      # How much more the first name of a pair is than the second, in `other` compared with `one`:
      # the difference of two differences, over the rounds that have both, with a spread of its own.
      #: ([String | Integer, String | Integer], [String | Integer, String | Integer]) -> Stats::Effect
      def between_pairs(one, other)
        Effect.of(@rounds.map do |round|
          less, more = [one, other].map { |first, second| of_round(round, second, first) }
          more - less if less && more
        end)
      end

      # { name => log, relative to the baseline beside it } for each round that has all these names.
      #: (Array[String | Integer]) -> Array[Hash[String | Integer, Float]]
      def relative(names)
        rounds = @rounds.map do |round|
          names.to_h { |name| [name, of_round(round, @baseline, name)] }
        end
        rounds.select { |logs| logs.values.all? }
      end

      # Whether one spread is used for all variants but those that stand out.
      #: () -> bool
      def pooled?
        @residuals.size >= FEWEST && @model.df.positive? && bartlett.to_f > ALIKE
      end

      # Names of the variants that vary more than the others.
      #: () -> Array[String | Integer]
      def apart
        @apart ||= pooled? ? @residuals.keys.select { |name| stands_out?(name) } : []
      end

      # Chance of spreads this unequal if all were equal; nil if it can't be computed.
      #: () -> Float?
      def bartlett = @bartlett ||= Bartlett.p(@residuals.values)

      # Degrees of freedom of the pooled spread.
      #: () -> Integer
      def df = @model.df

      private

      def modelled?(*names) = names.all? { |name| @residuals.key?(name) }

      def pooled(one, other, count)
        Effect.new(value: @model.value(one, other), error: @model.error(one, other), df:, count:)
      end

      # A larger error with no more degrees of freedom is wider at any level: mostly no quantile has
      # to be computed, which would take most of the time here.
      def wider(pooled, unequal, alpha)
        return unequal if unequal.error >= pooled.error && unequal.df <= pooled.df

        [pooled, unequal].max_by { |effect| effect.half_width(alpha) }
      end

      # Each of the two with its own variance, if it stands out, else with that of all others (Welch
      # 1938; the degrees of freedom are Satterthwaite's, 1946).
      def unequal(one, other, separate)
        variances = [one, other].map { |name| variance(name) }
        sum = variances.sum(&:first)
        df = (sum**2) / variances.sum { |variance, freedom| (variance**2) / freedom }
        Effect.new(value: separate.value, error: Math.sqrt(sum / separate.count), df:,
                   count: separate.count)
      end

      # [variance, degrees of freedom]. A cohort's mean contains a share of each variant's
      # residuals: what that removes from a variant which stands out is added back.
      def variance(name)
        others = @residuals.keys - apart
        freedom = others.sum { |one| freedom(one) }
        common = others.sum { |one| squares(one) } / freedom
        return [common, freedom] unless apart.include?(name)

        held = @size - 1
        own = squares(name) / freedom(name)
        [((@size * own) - common) / held, @residuals[name].size - 1]
      end

      # From the rounds' own differences.
      def separate(one, other)
        Effect.of(@rounds.map { |round| of_round(round, one, other) })
      end

      # Within a cohort that has both; otherwise each relative to the baseline of its own cohort.
      def of_round(round, one, other)
        direct = round.filter_map { |cohort| difference(cohort, one, other) }
        return Center.mean(direct) if direct.any?

        ends = [one, other].map do |name|
          round.filter_map { |cohort| difference(cohort, @baseline, name) }
        end
        Center.mean(ends[1]) - Center.mean(ends[0]) if ends.all?(&:any?)
      end

      def difference(cohort, one, other)
        left, right = cohort.values_at(one, other)
        right - left if left && right
      end

      # The degrees of freedom are divided in proportion to the numbers of residuals.
      def stands_out?(name)
        own = freedom(name)
        rest = df - own
        return false unless own.positive? && rest.positive?

        others = (@residuals.keys - [name]).sum { |one| squares(one) }
        return squares(name) > ROUNDING if others <= ROUNDING

        ratio = (squares(name) / own) / (others / rest)
        VarianceRatio.upper(ratio, own, rest) < level(name)
      end

      def level(name)
        (name == @baseline ? BASELINE : CANDIDATE).call(@residuals.size - 1)
      end

      def freedom(name)
        @total ||= @residuals.each_value.sum { |values| values.size - 1 }
        (@residuals[name].size - 1) * df.fdiv(@total)
      end

      def squares(name)
        @squares ||= @residuals.transform_values { |values| values.sum { |one| one**2 } }
        @squares[name]
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    # Ratio of B to A, better is bigger (method, section 4): a log difference `value` with its
    # standard `error` and the degrees of freedom `df` of that error (both nil without a spread),
    # over `count` cohorts. Boots differ, and slices of one boot cannot average that away, so the
    # cohort is the unit: its blocks make one number, and only the spread of the cohorts makes the
    # interval. `bias` is how far the value may be off in addition, a bound that no number of
    # cohorts reduces: to either side, or a Stats::Bias.
    class Effect < Struct.new(:value, :error, :df, :count, :bias, keyword_init: true)
      #: (count: Integer, ?value: Float?, ?error: Float?, ?df: Numeric?, ?bias: (Float | Stats::Bias)) -> void
      def initialize(**values)
        super(bias: 0.0, **values)
        freeze
      end

      # Log difference B - A of one cohort: for each block the difference of the means over its
      # slices (A and B are in mirrored order, so drift cancels), then the 20 %-trimmed mean of the
      # blocks. A block in which one side had a slice without a correct response ranks worst for
      # that side: leaving it out would favour the variant that stalls. Trimming removes one such
      # block in five; with more of them the difference is infinite, and Effect.difference returns
      # nil. Nil also if no block has both. a, b: the measured slices of the two trials, each with
      # its :block.
      #: (Array[Store::Slice | Hash[Symbol, untyped]], Array[Store::Slice | Hash[Symbol, untyped]], Symbol) -> Float?
      def self.difference(a, b, metric)
        value = ranked_difference(a, b, metric)
        value if value&.finite?
      end

      # As .difference, but -Infinity if B was silent in too many blocks, Infinity if A was.
      #: (Array[Store::Slice | Hash[Symbol, untyped]], Array[Store::Slice | Hash[Symbol, untyped]], Symbol) -> Float?
      def self.ranked_difference(a, b, metric)
        blocks = ranked_differences(a, b, metric)
        Center.trimmed_mean(blocks.values) if blocks.any?
      end

      # Log difference of the totals, without trimming; nil for a metric that has none.
      #: (Array[Store::Slice | Hash[Symbol, untyped]], Array[Store::Slice | Hash[Symbol, untyped]], Symbol) -> Float?
      def self.total_difference(a, b, metric)
        one, other = [a, b].map { |slices| Sample.total(slices, metric) }
        other - one if one && other
      end

      # { block => log difference } for the blocks in which both responded in every slice.
      #: (Array[Store::Slice | Hash[Symbol, untyped]], Array[Store::Slice | Hash[Symbol, untyped]], Symbol) -> Hash[Integer, Float]
      def self.block_differences(a, b, metric)
        ranked_differences(a, b, metric).select { |_, difference| difference.finite? }
      end

      # Without the blocks in which both were silent: they rank equally.
      def self.ranked_differences(a, b, metric)
        left = block_means(a, metric)
        right = block_means(b, metric)
        (left.keys & right.keys).to_h { |block| [block, right[block] - left[block]] }
                                .reject { |_, difference| difference.nan? }
      end

      def self.block_means(slices, metric)
        slices.group_by { |slice| slice[:block] }.filter_map do |block, members|
          values = members.map { |slice| Sample.ranked(slice, metric) }
          [block, Center.mean(values)] if values.all?
        end.to_h
      end
      private_class_method :ranked_differences, :block_means

      # From the log differences of cohorts, with their own spread as its error. An Effect of no
      # cohort has neither value nor error.
      #: (Array[Float?]) -> Stats::Effect
      def self.of(differences)
        known = differences.compact
        count = known.size
        return new(value: known.first, count:) if count < 2

        new(value: Center.mean(known), error: Spread.sd(known) / Math.sqrt(count), df: count - 1,
            count:)
      end

      # From two samples that are not paired, `other` - `one`: with Welch's error (1938) and the
      # degrees of freedom of Satterthwaite (1946). `count` is that of the smaller sample; without a
      # value if that is empty.
      #: (Array[Float], Array[Float]) -> Stats::Effect
      def self.between(one, other)
        sides = [one, other]
        count = sides.map(&:size).min
        return new(count:) if count.zero?

        value = Center.mean(other) - Center.mean(one)
        return new(value:, count:) if count < 2

        parts = sides.map { |values| Spread.variance(values) / values.size }
        error = Math.sqrt(parts.sum)
        below = sides.zip(parts).sum { |values, part| (part**2) / (values.size - 1) }
        new(value:, error:, df: below.zero? ? count - 1 : (parts.sum**2) / below, count:)
      end

      #: (Float | Stats::Bias) -> Stats::Effect
      def biased(bias) = self.class.new(**to_h, bias:)

      # Nil without any cohort.
      #: () -> Float?
      def ratio = value && Math.exp(value)

      # Chance of a value this far from 0 if there were no difference; nil without a spread.
      #: () -> Float?
      def p
        return unless error

        beyond = [value.abs - side, 0.0].max
        return beyond.zero? ? 1.0 : 0.0 if error.zero?

        StudentT.two_sided(beyond / error, df)
      end

      # Chance of a value this far above `bound`, a logarithm, if the true value were `bound`; nil
      # without a spread.
      #: (?Numeric) -> Float?
      def above(bound = 0.0) = error && tail(value - bound - sides.below)

      # The same for a value this far below `bound`.
      #: (?Numeric) -> Float?
      def below(bound = 0.0) = error && tail(bound - value - sides.above)

      # The interval of the ratio. alpha: chance that it misses the true ratio. Without ends for
      # fewer cohorts than Interval::FEWEST.
      #: (?alpha: Float) -> Stats::Interval
      def interval(alpha: 0.05)
        half = chance(alpha) if count >= Interval::FEWEST
        Interval.new(value:, low: half && (value - half - sides.below),
                     high: half && (value + half + sides.above), count:).map { |log| Math.exp(log) }
      end

      # Half of the interval of the log difference, the wider one; nil without a spread.
      #: (Float) -> Float?
      def half_width(alpha) = chance(alpha)&.+(sides.most)

      # Number of cohorts, more than the present one, after which an interval of this level probably
      # excludes 0 if the difference is larger than the bias by `delta`, a logarithm (Assurance):
      # the degrees of freedom grow and the error shrinks as they would. Nil if `most` are not
      # enough.
      #: (delta: Float, alpha: Float, most: Integer) -> Integer?
      def needed(delta:, alpha:, most:)
        ((count + 1)..most).bsearch do |cohorts|
          freedom = df * (cohorts - 1.0) / (count - 1)
          difference = delta / (error * Math.sqrt(count.fdiv(cohorts)))
          Assurance.enough?(difference:, known: df, df: freedom,
                            bound: StudentT.upper_quantile(alpha / 2, freedom))
        end
      end

      # The difference, in either direction, is at least this with the probability with which a
      # difference is to be found (Assurance::POWER): undecided differences look larger than they
      # are as often as smaller, and the larger they look, the more often.
      #: () -> Float
      def least = [value.abs - (StudentT.upper_quantile(1 - Assurance::POWER, df) * error), 0.0].max

      # The difference that is found soonest, a logarithm, and what it leaves beyond the bias: that
      # of the margin, which may be in either direction, or the one that is seen (#least).
      #: (Float) -> [Float, Float]
      def target(margin) = [[least, least - side], [margin, margin - sides.most]].max_by(&:last)

      # By how much the value may be nearer to 0, whatever the number of cohorts.
      #: () -> Float
      def side = value.positive? ? sides.below : sides.above

      # The same with A and B exchanged.
      #: () -> Stats::Effect
      def reverse
        self.class.new(**to_h, value: value && -value, bias: -sides)
      end

      private

      def sides = Bias.of(bias)

      # What chance adds to either side; nil without a spread.
      def chance(alpha) = error && (StudentT.upper_quantile(alpha / 2, df) * error)

      def tail(beyond)
        return beyond.positive? ? 0.0 : 1.0 if error.zero?

        StudentT.upper(beyond / error, df)
      end
    end
  end
end

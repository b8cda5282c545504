# frozen_string_literal: true

module Mohs
  module Stats
    # Fisher's exact test of a table of two by two counts: whether two error rates differ. Exact at
    # any counts, while chi-square fails for the few errors that one hopes for. Two-sided as in R:
    # the chance of all tables with these margins that are no likelier than this one.
    class Fisher
      # Likelihoods within this factor count as equal, as in R's fisher.test: they differ by
      # rounding.
      SAME = 1 + 1e-7
      # A term this small relative to the sum ends a tail: each following one is smaller.
      NEGLIGIBLE = 1e-18

      # p of the table [[bad_a, good_a], [bad_b, good_b]]; 1 if a row or a column is empty.
      #: (Integer, Integer, Integer, Integer) -> Float
      def self.p(bad_a, good_a, bad_b, good_b) = new(bad_a, good_a, bad_b, good_b).p

      #: (Integer, Integer, Integer, Integer) -> void
      def initialize(bad_a, good_a, bad_b, good_b)
        @observed = bad_a
        @row = bad_a + good_a
        @other_row = bad_b + good_b
        @bad = bad_a + bad_b
        @low = [0, @bad - @other_row].max
        @high = [@row, @bad].min
      end

      #: () -> Float
      def p
        return 1.0 if @low == @high

        right = @observed > mode ? @observed : first_as_unlikely(mode, @high)
        left = @observed > mode ? last_as_unlikely(@low, mode) : @observed
        return 1.0 if left && right && left + 1 >= right

        (tail(left, -1) + tail(right, 1)).clamp(0.0, 1.0)
      end

      private

      # The likeliest count; likelihoods fall on both sides.
      def mode = (@row + 1) * (@bad + 1) / (@row + @other_row + 2)

      def first_as_unlikely(from, to) = (from..to).bsearch { |count| as_unlikely?(count) }

      def last_as_unlikely(from, to)
        above = (from..to).bsearch { |count| !as_unlikely?(count) } || (to + 1)
        above - 1 if above > from
      end

      def as_unlikely?(count) = log(count) <= log(@observed) + Math.log(SAME)

      # Sum from `count` outwards, each term computed from its neighbour; 0 if there is none.
      def tail(count, step)
        return 0.0 unless count

        sum = term = Math.exp(log(count) - log_all)
        while count.between?(@low, @high) && term > sum * NEGLIGIBLE
          term *= step.positive? ? rise(count) : 1 / rise(count - 1)
          count += step
          sum += term
        end
        sum
      end

      # Likelihood of count + 1 divided by that of count.
      def rise(count)
        (@row - count).fdiv(count + 1) * (@bad - count).fdiv(@other_row - @bad + count + 1)
      end

      # Logarithm of the number of ways to get the table with `count` in its corner.
      def log(count) = choose(@row, count) + choose(@other_row, @bad - count)

      def log_all = choose(@row + @other_row, @bad)

      def choose(n, k)
        Math.lgamma(n + 1)[0] - Math.lgamma(k + 1)[0] - Math.lgamma(n - k + 1)[0]
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Stats
    # A t test that may be looked at while cohorts come in: a fixed list of looks, each at a nominal
    # level so strict that the chance to find, at any of them, a difference that is not there is
    # alpha (Pocock 1977, for a t statistic; method, section 4). So whoever stops, for whatever
    # reason, has an interval that holds. It needs differences that are independent and roughly
    # symmetric; heavy tails make it wrong less often.
    #
    # All that is said rests on the differences up to the last look; those that came after wait for
    # the next.
    class Sequential
      LOOKS = Levels::LOOKS

      # Numbers of cohorts, and the two-sided level of each look.
      attr_reader :looks, :nominal

      # `comparisons`: how many are held together (metrics, or pairs of variants): the chance that
      # any of them finds what is not there is alpha (Bonferroni).
      #: (?alpha: Float, ?comparisons: Integer, ?looks: Array[Integer]) -> void
      def initialize(alpha: 0.05, comparisons: 1, looks: LOOKS)
        @looks = looks
        @nominal = Levels.two_sided(alpha / comparisons, looks)
        equal = Levels.one_sided(alpha / comparisons, looks)
        @bounds, @equal_bounds = [nominal / 2, equal].map do |tail|
          Hash.new { |known, n| known[n] = per_sd(tail, n) }
        end
        freeze
      end

      #: (Integer) -> bool
      def look?(n) = looks.include?(n)

      # The first look after n cohorts; nil after the last.
      #: (Integer) -> Integer?
      def next_look(n) = looks.find { |look| look > n }

      # The last look of n cohorts; nil before the first.
      #: (Integer) -> Integer?
      def last_look(n) = looks.reverse_each.find { |look| look <= n }

      # f(n): half of the interval in sds of the differences. Of any n from 2 on, for forecasts.
      #: (Integer) -> Float
      def bound(n) = @bounds[n]

      # Of the mean, on the scale of the differences (logarithms: Interval#exp makes a ratio of it).
      # Without ends before the first look.
      #: (Array[Float]) -> Stats::Interval
      def interval(differences)
        seen = seen(differences)
        return unbounded(differences) if seen.empty?

        mean = Center.mean(seen)
        half = half_width(seen)
        Interval.new(value: mean, low: mean - half, high: mean + half, count: seen.size)
      end

      # Half of that interval; nil before the first look.
      #: (Array[Float]) -> Float?
      def half_width(differences) = reach(@bounds, seen(differences))

      # Does the interval exclude 0?
      #: (Array[Float]) -> bool
      def differs?(differences)
        half = half_width(differences)
        !half.nil? && Center.mean(seen(differences)).abs > half
      end

      # Is the ratio within 1 / (1 + margin) and 1 + margin? Two one-sided tests (Schuirmann 1987):
      # wrong with alpha at most where the difference is the margin or larger.
      #: (Array[Float], margin: Float) -> bool
      def equivalent?(differences, margin:)
        reach = reach(@equal_bounds, seen(differences))
        !reach.nil? && Center.mean(seen(differences)).abs + reach < Math.log(1 + margin)
      end

      private

      def per_sd(tail, n) = StudentT.upper_quantile(tail, n - 1) / Math.sqrt(n)

      def seen(differences)
        last = last_look(differences.size)
        differences.first(last || 0)
      end

      def reach(bounds, seen)
        bounds[seen.size] * Spread.sd(seen) unless seen.empty?
      end

      def unbounded(differences)
        Interval.new(value: differences.any? ? Center.mean(differences) : nil,
                     count: differences.size)
      end
    end
  end
end

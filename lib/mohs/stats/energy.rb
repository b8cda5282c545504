# frozen_string_literal: true

module Mohs
  module Stats
    # How different the two sides of each split of a series are. The scaled energy distance of
    # Matteson and James (J. Am. Stat. Assoc. 109, 2014, equation 7, with distance |x - y|): detects
    # any change of distribution, not only of the mean. For m values left and n right of the split
    #
    #     Q = mn / (m + n) (2 between / mn - left / C(m, 2) - right / C(n, 2))
    #
    # with the sums of distances between the sides, and of the pairs within each side. All splits
    # take O(n log n) time and O(n) memory, by sums over ranks instead of a table of all distances.
    class Energy
      #: (Array[Numeric]) -> void
      def initialize(values)
        mean = Center.mean(values)
        @values = values.map { |value| value - mean } # near 0, where sums keep their digits
        order = @values.each_index.sort_by { |index| @values[index] }
        @ranks = order.each.with_index(1).sort.map(&:last)
        @to_all = distances_to_all(order)
      end

      # [split, Q] of the largest Q, with at least `fewest` (2 or more) values on each side; the
      # split is the index of the first value on the right. Nil if no split is possible.
      #: (fewest: Integer) -> [Integer, Float]?
      def best(fewest:)
        all = @to_all.sum / 2
        left = 0.0
        right = all
        best = nil
        each_distance_to_earlier do |index, earlier|
          left += earlier
          right -= @to_all[index] - earlier
          split = index + 1
          next if split < fewest || @values.size - split < fewest

          score = score(split, @values.size - split, all, left, right)
          best = [split, score] if best.nil? || score > best[1]
        end
        best
      end

      private

      def score(m, n, all, left, right)
        apart = (all - left - right) / (m * n)
        within = (left / (m * (m - 1))) + (right / (n * (n - 1)))
        2 * (m * n).fdiv(m + n) * (apart - within)
      end

      # The sum of each value's distances to all others.
      def distances_to_all(order)
        below = 0.0
        above = @values.sum
        order.each_with_index.with_object(Array.new(order.size)) do |(index, rank), found|
          value = @values[index]
          above -= value
          found[index] = (value * ((2 * rank) + 1 - order.size)) - below + above
          below += value
        end
      end

      # Calls the block with the index of each value and the sum of its distances to those before
      # it. Two trees of partial sums over the ranks (Fenwick, Software: Practice and Experience 24,
      # 1994) hold the counts and sums of what was seen.
      def each_distance_to_earlier
        counts = Array.new(@values.size + 1, 0)
        sums = Array.new(@values.size + 1, 0.0)
        total = 0.0
        @values.each_with_index do |value, index|
          less, sum = lower(counts, sums, @ranks[index])
          yield index, (value * ((2 * less) - index)) + total - (2 * sum)
          total += value
          add(counts, sums, @ranks[index], value)
        end
      end

      # Count and sum of the values with a lower rank.
      def lower(counts, sums, rank)
        count = 0
        sum = 0.0
        while rank.positive?
          count += counts[rank]
          sum += sums[rank]
          rank &= rank - 1
        end
        [count, sum]
      end

      def add(counts, sums, rank, value)
        while rank < counts.size
          counts[rank] += 1
          sums[rank] += value
          rank += rank & -rank
        end
      end
    end
  end
end

# frozen_string_literal: true

require "test_helper"

module Mohs
  class Bisect::Search
    class SearchTest < TestCase
      # Asks until nothing is left to ask, of a line in which `culprit` is the first bad one.
      def walk(last, culprit, broken)
        known = {}
        while (index = Search.new(last, known).next)
          refute known.key?(index), "asked twice"
          assert index.between?(1, last - 1), "an end was asked"
          answer = index < culprit ? :good : :bad
          known[index] = broken.include?(index) ? :skipped : answer
        end
        [Search.new(last, known), known]
      end

      # What can be known at best: from the last good to the first bad that can be measured.
      def best(last, culprit, broken)
        able = (0..last).to_a - broken
        good = able.select { |index| index < culprit }.max
        ((good + 1)..able.select { |index| index >= culprit }.min)
      end

      test "every culprit in lines of up to nine is found around every set of broken points" do
        (1..8).each do |last|
          inner = (1...last).to_a
          (0..inner.size).flat_map { |count| inner.combination(count).to_a }.each do |broken|
            (1..last).each do |culprit|
              search, = walk(last, culprit, broken)
              assert_equal best(last, culprit, broken), search.suspects
            end
          end
        end
      end

      test "without broken points it takes as many answers as it said at most" do
        (1..70).each do |last|
          most = Search.new(last).steps_left
          assert_equal Math.log2(last).ceil, most
          counts = (1..last).map { |culprit| walk(last, culprit, [])[1].size }
          assert_equal most, counts.max
        end
      end

      test "only what lies between the good and the bad is asked about" do
        search = Search.new(10, { 5 => :bad, 2 => :good, 3 => :skipped })

        assert_equal [2, 5, 4, 3..5, false], [search.good, search.bad, search.next,
                                              search.suspects, search.found?]
        assert_predicate Search.new(1), :found?
      end

      test "next to a broken point its nearest neighbours are tried" do
        known = {}
        asked = Array.new(4) do
          Search.new(10, known).next.tap { |index| known[index] = :skipped }
        end

        assert_equal [5, 4, 6, 3], asked
      end
    end
  end
end

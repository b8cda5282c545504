# frozen_string_literal: true

require "test_helper"

module Mohs
  module Stats
    class CrossingSearchTest < TestCase
      def search = CrossingSearch.new(low: -3.0, high: 3.0, step: 0.01, guess: 0.5, scale: 0.4)

      # What `search` believes after these looks [x, value, error, degrees] and sides, by the
      # formulas of its head: { left end of a cell 0.01 wide => share }.
      def believed(looks, sides = [])
        shares = Array.new(600) { |index| -2.995 + (0.01 * index) }.to_h do |place|
          seen = [1.5, 3.0, 6.5, 14.0, 30.0].sum do |slope|
            looks.inject(1.0) { |product, look| product * chance(slope, place, look) }
          end
          sides.each { |x| seen *= place < x ? 0.98 : 0.02 }
          [place - 0.005, seen / (1 + (((place - 0.5) / 0.4)**2))]
        end
        total = shares.values.sum
        shares.transform_values { |share| share / total }
      end

      # Density of Student's t about a line that bends at 1.5 and may be off by a half.
      def chance(slope, place, look)
        x, value, error, degrees = look
        mean = 1.5 * Math.tanh(slope * (x - place) / 1.5)
        sd = Math.hypot(error, 0.5 * mean)
        ((1 + ((((value - mean) / sd)**2) / degrees))**(-(degrees + 1) / 2.0)) / sd
      end

      def assert_believes(shares, search)
        below = 0.0
        shares.each do |left, share|
          assert_in_delta left + 0.0025, search.quantile(below + (share / 4)), 1e-6 if share > 1e-6
          below += share
        end
      end

      def quartiles(search) = [0.25, 0.5, 0.75].map { |p| search.quantile(p) }

      test "before a look it is the prior, of Cauchy" do
        [0.1, 0.5, 0.9].zip(quartiles(search)) do |place, result|
          assert_in_delta place, result, 0.1 # its tails are cut off
        end
      end

      test "a value above 0 moves it below that place, one below 0 above it, the surer the more" do
        before = search.quantile(0.5)
        above = search.tap { |one| one.look(:a, 0.5, value: 1.0, error: 0.2, degrees: 5) }
        below = search.tap { |one| one.look(:a, 0.5, value: -1.0, error: 0.2, degrees: 5) }
        vague = search.tap { |one| one.look(:a, 0.5, value: 1.0, error: 2.0, degrees: 5) }

        assert_operator above.quantile(0.9), :<, 0.6
        assert_operator below.quantile(0.1), :>, 0.4
        assert_operator above.quantile(0.5), :<, vague.quantile(0.5)
        assert_operator vague.quantile(0.5), :<, before
      end

      test "what it believes is prior times likelihood, by direct computation" do
        searching = search
        assert_believes believed([]), searching
        searching.look(:a, 0.9, value: 0.7, error: 0.3, degrees: 4)
        assert_believes believed([[0.9, 0.7, 0.3, 4]]), searching
        searching.look(:b, -0.4, value: -6.0, error: 0.5, degrees: 2)
        assert_believes believed([[0.9, 0.7, 0.3, 4], [-0.4, -1.5, 0.5, 2]]), searching
        searching.look(:a, 0.2, value: 9.0, error: 0.4, degrees: 7)
        searching.beyond(0.3)
        searching.beyond(0.1)
        assert_believes believed([[0.2, 1.5, 0.4, 7], [-0.4, -1.5, 0.5, 2]], [0.3, 0.1]), searching
      end

      test "quantiles lie within the places, the outermost at their ends" do
        assert_in_delta(-3.0, search.quantile(0.0), 1e-9)
        assert_in_delta 3.0, search.quantile(1.0), 1e-6
        assert_in_delta 3.0, search.quantile(1.01), 1e-9
        coarse = CrossingSearch.new(low: 0.0, high: 1.0, step: 0.3, guess: 0.5, scale: 0.4)
        assert_operator coarse.quantile(1.0), :>=, 1.0
      end

      test "a look under the same key takes the other's place" do
        twice = search
        twice.look(:a, 0.2, value: 2.0, error: 0.1, degrees: 5)
        twice.look(:a, 0.3, value: -1.0, error: 0.2, degrees: 9)
        once = search.tap { |one| one.look(:a, 0.3, value: -1.0, error: 0.2, degrees: 9) }

        quartiles(once).zip(quartiles(twice)) { |one, two| assert_in_delta one, two, 1e-9 }
      end

      test "a side alone leaves little beyond it, and two leave less" do
        once = search.tap { |one| one.beyond(0.5) }
        twice = search.tap { |one| 2.times { one.beyond(0.5) } }

        assert_in_delta 0.5, once.quantile(CrossingSearch::SURE), 0.05
        assert_operator twice.quantile(0.99), :<, 0.51
      end

      test "looks with noise come to the place of a line" do
        random = Random.new(7)
        found = search
        12.times do |number|
          x = found.quantile([0.5, 0.25, 0.75][number % 3])
          value = (8 * (x - 1.1)) + ((random.rand - 0.5) * 0.3)
          found.look(number, x, value:, error: 0.1, degrees: 6)
        end

        assert_in_delta 1.1, found.quantile(0.5), 0.03
        assert_operator found.quantile(0.975) - found.quantile(0.025), :<, 0.15
      end
    end
  end
end

# frozen_string_literal: true

require "test_helper"

module Mohs
  module Stats
    class CrossingSearchTest < TestCase
      def search
        CrossingSearch.new(low: -3.0, high: 3.0, step: 0.01, guess: 0.5, scale: 0.4, capacity: 0.8)
      end

      # What `search` believes after these looks [x, value, error, degrees] and sides, by the
      # formulas of its head: { left end of a cell 0.01 wide => share }.
      def believed(looks, sides = [])
        shares = Array.new(600) { |index| -2.995 + (0.01 * index) }.to_h do |place|
          seen = curves(place, looks)
          sides.each { |x| seen *= place < x ? 0.98 : 0.02 }
          [place - 0.005, seen / (1 + (((place - 0.5) / 0.4)**2))]
        end
        total = shares.values.sum
        shares.transform_values { |share| share / total }
      end

      # Of slopes, by the capacity that each implies, and of a cliff.
      def curves(place, looks)
        slopes = [0.1, 0.25, 0.6, 1.5, 3.5, 8.0, 20.0].sum do |slope|
          off = (place + Math.log((1 + slope) / slope) - 0.8) / 0.15
          looks.inject(1 / (1 + (off**2)) / (1 + slope)) do |product, look|
            product * chance(slope, place, look)
          end
        end
        slopes + looks.inject(1.0) { |product, look| product * cliff(place, look) }
      end

      # Density of Student's t about the curve of a queue, which ends at 1.5 on either side and may
      # be off by a quarter.
      def chance(slope, place, look)
        x, value, error, degrees = look
        load = slope * (Math.exp(x - place) - 1)
        mean = load.negative? ? [-Math.log(1 - load), -1.5].max : [load, 1.5].min
        sd = Math.hypot(error, 0.25 * mean)
        ((1 + ((((value - mean) / sd)**2) / degrees))**(-(degrees + 1) / 2.0)) / sd
      end

      # The chance of the value's side, if the place is on that side; a thousandth if not.
      def cliff(place, look)
        x, value, error, = look
        above = 0.5 * (1 + Math.erf(value / error / Math.sqrt(2)))
        right = place < x ? above : 1 - above
        (0.001 + (0.998 * right)) / 1.5
      end

      def assert_believes(shares, search)
        below = 0.0
        shares.each do |left, share|
          assert_in_delta left + 0.0025, search.quantile(below + (share / 4)), 1e-6 if share > 1e-6
          below += share
        end
      end

      def quartiles(search) = [0.25, 0.5, 0.75].map { |p| search.quantile(p) }

      test "before a look it is the prior, of Cauchy, which hardly goes beyond the capacity" do
        quarter, half, three_quarters = quartiles(search)
        assert_in_delta 0.1, quarter, 0.1 # its tails are cut off
        assert_in_delta 0.5, half, 0.1
        assert_operator three_quarters, :<, 0.8
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

      # Its capacity is 1.1 + log(5 / 4) = 1.32, not 0.8.
      test "looks come to the place of a queue, whose time hardly grows below it" do
        random = Random.new(7)
        found = search
        12.times do |number|
          x = found.quantile([0.5, 0.1, 0.9][number % 3])
          value = -Math.log([1 - (4 * (Math.exp(x - 1.1) - 1)), 0.1].max)
          found.look(number, x, value: value + ((random.rand - 0.5) * 0.2), error: 0.1, degrees: 6)
        end

        assert_in_delta 1.1, found.quantile(0.5), 0.04
        assert_operator found.quantile(0.975) - found.quantile(0.025), :<, 0.15
      end

      test "at a cliff it lies between the looks next to it, though they say nothing of a slope" do
        found = search
        [0.0, 1.0, 0.3, 0.7, 0.4, 0.6, 0.45, 0.55].each do |x|
          found.look(x, x, value: x < 0.5 ? -0.4 : 1.5, error: 0.1, degrees: 6)
        end

        assert_operator found.quantile(0.025), :>, 0.4
        assert_operator found.quantile(0.975), :<, 0.6
      end

      test "quantiles lie within the places, the outermost at their ends" do
        assert_in_delta(-3.0, search.quantile(0.0), 1e-9)
        assert_in_delta 3.0, search.quantile(1.0), 1e-6
        assert_in_delta 3.0, search.quantile(1.01), 1e-9
        coarse = CrossingSearch.new(low: 0.0, high: 1.0, step: 0.3, guess: 0.5, scale: 0.4,
                                    capacity: 0.8)
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

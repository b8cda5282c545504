# frozen_string_literal: true

require "test_helper"

class StatsRatioOfMeansTest < Mohs::TestCase
  include Mohs::Stats

  ABOVE = [40.0, 44.0, 37.0, 41.0].freeze
  BELOW = [50.0, 52.0, 49.0, 53.0].freeze

  def paired(above = ABOVE, below = BELOW) = Mohs::Stats::RatioOfMeans.paired(above, below)

  test "its value is the logarithm of the ratio, with the degrees of freedom of its rounds" do
    assert_in_delta 162 / 204.0, paired.ratio, 1e-12
    assert_equal [4, 3, 0.0], [paired.count, paired.df, paired.bias]
  end

  test "its interval is Fieller's, and its tests say the same" do
    [0.05, 0.008].each do |alpha|
      found, fieller = paired.interval(alpha:), Fieller.ratio(ABOVE, BELOW, alpha:)

      assert_equal [fieller.low, fieller.high], [found.low, found.high]
      assert_in_delta alpha / 2, paired.above(Math.log(found.low)), 1e-9
      assert_in_delta alpha / 2, paired.below(Math.log(found.high)), 1e-9
    end
    assert_in_delta 2 * paired.below, paired.p, 1e-12
    assert_operator paired.above, :>, 0.9
  end

  test "its error is that of the logarithm, for forecasts" do
    parts = ABOVE.zip(BELOW).map { |one, other| (one / 40.5) - (other / 51.0) }

    assert_in_delta Effect.of(parts).error, paired.error, 1e-12
    assert_operator paired.needed(delta: 0.05, alpha: 0.05, most: 1000), :>, 4
  end

  test "a bias makes its interval wider and its tests less sure" do
    plain, biased = paired.interval, paired.biased(0.1).interval

    assert_in_delta Math.exp(0.1), plain.low / biased.low, 1e-12
    assert_in_delta Math.exp(0.1), biased.high / plain.high, 1e-12
    assert_in_delta 0.025, paired.biased(0.1).below(Math.log(biased.high)), 1e-9
    assert_in_delta 0.025, paired.biased(0.1).above(Math.log(biased.low)), 1e-9
  end

  test "reversed it is the ratio of the other to it" do
    assert_in_delta paired.value, -paired.reverse.value, 1e-12
    assert_in_delta paired.below, paired.reverse.above, 1e-12
  end

  test "without a spread it is sure" do
    same = paired([1.0, 1.0, 1.0], [2.0, 2.0, 2.0])

    assert_equal [0.0, 1.0, 0.0], [same.below, same.above, same.p]
    assert_equal [0.5, 0.5], [same.interval.low, same.interval.high]
  end

  test "there is none of no round, or where a mean is not above 0" do
    found = [[[], []], [[1.0, -1.0], [1.0, 2.0]], [[1.0, 2.0], [1.0, -2.0]]]

    assert_equal [0, 0, 0], found.map { |sides| paired(*sides).count }
    assert_nil paired([1.0, -1.0], [1.0, 2.0]).value
  end

  test "one round has no error, two no interval, and neither has a mean below that could be 0" do
    one, two = paired([1.0], [2.0]), paired([1.0, 1.1], [2.0, 2.1])
    open = paired([1.0, 1.1, 0.9], [1.0, -0.8, 0.5])

    assert_equal [nil, nil, nil], [one.error, one.above, one.p]
    assert_equal [nil, nil], [two, open].map { |effect| effect.interval.low }
    assert_in_delta 0.5, one.ratio, 1e-12
  end

  test "an interval that reaches below 0 ends there" do
    assert_in_delta 0.0, paired([1.0, -0.9, 0.5], [5.0, 5.1, 4.9]).interval.low, 1e-12
  end
end

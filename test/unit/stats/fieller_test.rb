# frozen_string_literal: true

require "test_helper"

class StatsFiellerTest < Mohs::TestCase
  Fieller = Mohs::Stats::Fieller
  Effect = Mohs::Stats::Effect

  ABOVE = [40.0, 44.0, 37.0, 41.0].freeze
  BELOW = [50.0, 52.0, 49.0, 53.0].freeze

  # Could the mean of above - ratio * below be 0?
  def possible?(ratio, alpha)
    rests = ABOVE.zip(BELOW).map { |above, below| above - (ratio * below) }
    Effect.of(rests).p >= alpha
  end

  test "its ends are the last ratios that the differences allow" do
    [0.05, 0.008].each do |alpha|
      found = Fieller.ratio(ABOVE, BELOW, alpha:)

      assert_in_delta 162 / 204.0, found.value, 1e-12
      assert_equal [true, false], [1e-6, -1e-6].map { |by| possible?(found.low + by, alpha) }
      assert_equal [true, false], [-1e-6, 1e-6].map { |by| possible?(found.high + by, alpha) }
    end
  end

  test "a part in proportion to the whole has a share without a spread" do
    found = Fieller.ratio(BELOW.map { |value| value * 0.25 }, BELOW, alpha: 0.05)

    [found.low, found.value, found.high].each { |end_| assert_in_delta 0.25, end_, 1e-6 }
  end

  test "it has no ends where the whole could be 0, or too few cohorts are known" do
    [[[1.0, 2.0, 3.0], [1.0, -1.0, 0.5]], [[1.0, 2.0], [5.0, 5.1]]].each do |above, below|
      found = Fieller.ratio(above, below, alpha: 0.05)

      assert_equal [false, true, true], [found.value, found.low, found.high].map(&:nil?)
    end
    assert_nil Fieller.ratio([1.0, 1.0, 1.0], [1.0, -1.0, 0.0], alpha: 0.05).value
  end

  test "it misses the true ratio in as many cases as it says" do
    noise = Noise.new(7)
    missed = 2000.times.count do
      below = Array.new(4) { 10 + noise.normal }
      above = below.map { |value| (0.6 * value) + noise.normal }
      found = Fieller.ratio(above, below, alpha: 0.05)
      found.low && !(found.low..found.high).cover?(0.6)
    end
    assert_operator missed, :<=, 140 # 5 % of 2000 and four standard errors
    assert_operator missed, :>=, 60
  end
end

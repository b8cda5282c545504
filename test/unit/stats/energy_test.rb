# frozen_string_literal: true

require "test_helper"

class StatsEnergyTest < Mohs::TestCase
  include Mohs::Stats

  def setup = @random = Random.new(17)

  # All distances of all splits: O(n^3).
  def brute_force(values, fewest)
    (fewest..(values.size - fewest)).map do |split|
      left = values[0...split]
      right = values[split..]
      apart = left.product(right).sum { |x, y| (x - y).abs } / (left.size * right.size).to_f
      score = (2 * apart) - within(left) - within(right)
      [split, score * left.size * right.size / values.size]
    end.max_by(&:last)
  end

  def within(side)
    side.combination(2).sum { |x, y| (x - y).abs } / (side.size * (side.size - 1) / 2.0)
  end

  test "the best split is that of all distances, ties among the values or not" do
    60.times do |round|
      values = Array.new(4 + (round % 25)) { (@random.rand * 8).round(round.even? ? 0 : 4) }
      split, score = Energy.new(values).best(fewest: 2)
      expected = brute_force(values, 2)
      assert_in_delta expected[1], score, 1e-9, values.inspect
      # Where two splits are equally good, either may be named.
      assert_in_delta expected[1], brute_force_at(values, split), 1e-9
    end
  end

  def brute_force_at(values, split)
    left = values[0...split]
    right = values[split..]
    apart = left.product(right).sum { |x, y| (x - y).abs } / (left.size * right.size).to_f
    ((2 * apart) - within(left) - within(right)) * left.size * right.size / values.size
  end

  test "each side keeps at least so many values" do
    values = [50.0, 0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.2]
    [2, 3, 4].each do |fewest|
      assert_includes fewest..(8 - fewest), Energy.new(values).best(fewest:)[0]
    end
    assert_nil Energy.new(values).best(fewest: 5)
    assert_nil Energy.new([]).best(fewest: 2)
    assert_nil Energy.new([1.0] * 3).best(fewest: 2)
  end

  test "a common level and equal values lose nothing" do
    values = Array.new(40) { |i| (i < 15 ? 0.0 : 1.0) + @random.rand }
    near = Energy.new(values).best(fewest: 2)
    far = Energy.new(values.map { |value| value + 1e7 }).best(fewest: 2)
    assert_equal near[0], far[0]
    assert_in_delta near[1], far[1], 1e-6
    high = values.map { |value| value + 1e12 }
    same = Energy.new(high.map { |value| value - 1e12 }).best(fewest: 2)
    assert_in_delta same[1], Energy.new(high).best(fewest: 2)[1], 1e-6
    assert_in_delta 0.0, Energy.new([3.0] * 20).best(fewest: 2)[1], 1e-12
  end

  test "ten thousand values need no table of their distances" do
    values = Array.new(10_000) { |i| (i < 6000 ? 0.0 : 1.0) + @random.rand }
    assert_in_delta 6000, Energy.new(values).best(fewest: 3)[0], 5
  end
end

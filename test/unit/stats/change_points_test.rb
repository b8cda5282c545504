# frozen_string_literal: true

require "test_helper"

# What holds for both ways to find changes of a history, and for each of them.
class StatsChangePointsTest < Mohs::TestCase
  include Mohs::Stats

  def setup = @noise = Noise.new(40)

  # sizes: { values => level }; levels in units of the noise.
  def history(*parts, sd: 1.0)
    parts.flat_map { |size, level| Array.new(size) { level + (sd * @noise.normal) } }
  end

  def divisive(values, seed: 1, **options)
    EDivisive.call(values, random: Random.new(seed), **options)
  end

  def both(values) = [divisive(values), Otava.call(values)]

  test "finds the steps, their place and their size" do
    values = history([40, 0.0], [40, 0.1], [40, 0.02], sd: 0.01)
    both(values).each do |found|
      assert_equal [40, 80], found.map(&:index)
      assert_in_delta 0.1, found[0].change, 0.01
      assert_in_delta(-0.08, found[1].change, 0.01)
      assert_in_delta Center.mean(values[40...80]), found[0].after, 1e-12
      assert_equal found[0].after, found[1].before
      found.each { |point| assert_includes 0.0..0.01, point.p }
    end
  end

  test "means reach to the neighbouring changes, and to the ends" do
    points = ChangePoint.all([9, 1, 2, 5, 6, 7, 0, 2], { 6 => 0.2, 3 => 0.1 })

    assert_equal [[3, 4.0, 6.0, 0.1], [6, 6.0, 1.0, 0.2]], points.map(&:to_a)
    assert_equal [2.0, -5.0], points.map(&:change)
  end

  test "a step of two deviations is found near where it is" do
    found = Array.new(30) { both(history([40, 0.0], [20, 2.0])) }
    found.transpose.each do |histories|
      near = histories.count { |points| points.any? { |point| (point.index - 40).abs <= 3 } }
      assert_operator near, :>=, 24
    end
  end

  test "changes are told in the order of the history, whichever is found first" do
    values = history([30, 0.0], [30, 0.2], [30, 9.0], sd: 0.02)
    both(values).each do |found|
      assert_equal [30, 60], found.map(&:index)
      [0.0, 0.2].zip(found.map(&:before)) { |level, mean| assert_in_delta level, mean, 0.05 }
    end
  end

  test "short, constant and empty histories have no changes" do
    [[], [1.0], [1.0, 2.0], [1.0, 9.0, 1.0], [2.0] * 50].each do |values|
      assert_equal [[], []], both(values), values.inspect
    end
  end

  test "a step without any noise is a change" do
    both(([1.0] * 9) + ([1.5] * 9)).each { |found| assert_equal [9], found.map(&:index) }
  end

  test "scale and level do not matter" do
    values = history([30, 0.0], [30, 1.5], [30, 0.0])
    moved = values.map { |value| 100 + (1000 * value) }
    both(values).zip(both(moved)) do |one, other|
      assert_equal one.map(&:index), other.map(&:index)
      refute_empty one
    end
  end

  test "E-divisive finds a change that a history hasn't as often as said" do
    alarms = 400.times.count { |seed| divisive(history([20, 0.0]), seed:, permutations: 99).any? }
    # 5 % of 400 with four standard errors (4.4).
    assert_includes 3..37, alarms
  end

  test "E-divisive notices another spread at the same mean" do
    values = history([60, 0.0]) + history([60, 0.0], sd: 6.0)
    assert_in_delta 60, divisive(values).first.index, 5
  end

  test "E-divisive finds a change at the third value from either end" do
    [3, 20].each do |index|
      values = ([0.0] * index) + ([1.0] * (23 - index))
      assert_equal [index], divisive(values).map(&:index)
    end
  end

  test "E-divisive's chance may be alpha, not more" do
    step = ([0.0] * 9) + ([1.0] * 9)
    assert_equal [1 / 20.0], divisive(step, permutations: 19).map(&:p)
    assert_empty divisive(step, permutations: 18)
  end

  test "what lies beyond a change has no part in the search before it" do
    few = [0.0, 0.0, 0.0, 1.0, 1.0]
    assert_equal [5], divisive(few + ([9.0] * 10), alpha: 0.5).map(&:index)
    assert_equal [3], Otava.call([0.0, 0.0, 1.0] + ([9.0] * 10), alpha: 0.09).map(&:index)
  end

  test "of Otava's changes that do not matter the smallest goes first, then the rest is judged" do
    values = history([40, 0.0], [40, 0.4], [40, 0.85], sd: 0.001)
    assert_equal [80], Otava.call(values, smallest: 0.5).map(&:index)
  end

  test "E-divisive tells chances no smaller than its permutations can, and repeats by its seed" do
    values = history([30, 0.0], [30, 1.0])
    found = divisive(values, permutations: 39)
    assert_equal [1 / 40.0], found.map(&:p)
    assert_equal found, divisive(values, permutations: 39)
    assert_empty divisive(values, permutations: 9), "a tenth is the least that nine can tell"
  end

  test "E-divisive's chance is a count of permutations, whichever it is" do
    found = Array.new(12) do |seed|
      divisive(history([12, 0.0], [12, 0.8]), seed:, alpha: 0.9, permutations: 19).first&.p
    end

    counts = found.compact.map { |p| (p * 20).round(9) }
    assert_equal counts, counts.map(&:round)
    assert_equal [false, true], counts.map { |count| count.to_i.even? }.uniq.sort_by(&:to_s)
  end

  test "Otava calls few of the histories without change changed" do
    alarms = 500.times.count { Otava.call(history([50, 0.0])).any? }
    # 1.7 % of 500 with four standard errors (2.9).
    assert_operator alarms, :<=, 20
  end

  test "Otava leaves an old change where it was when values are added" do
    values = history([90, 0.0], [200, 3.0])
    seen = [150, 200, 290].map { |size| Otava.call(values.first(size)).first.index }
    assert_equal [90], seen.uniq
  end

  test "Otava finds a change behind the second value and before the last but one" do
    flat = [0.0, 0.01] * 8
    assert_equal [2], Otava.call(flat.first(2) + flat.map { |value| value + 5 }).map(&:index)
    assert_equal [16], Otava.call(flat + flat.first(2).map { |value| value + 5 }).map(&:index)
  end

  test "Otava does not tell of changes below what matters" do
    values = history([60, 0.0], [60, 0.5], [60, 5.0], sd: 0.1)
    assert_equal [60, 120], Otava.call(values).map(&:index)
    assert_equal [120], Otava.call(values, smallest: 1.0).map(&:index)
    assert_empty Otava.call(values, smallest: 10.0)
  end

  test "Otava's p is that of a t test between the neighbouring changes" do
    values = history([30, 0.0], [30, 2.0], [30, 0.0])
    found = Otava.call(values)
    bounds = [0, *found.map(&:index), values.size]
    assert_operator found.size, :>=, 2
    found.each.with_index(1) do |point, i|
      left = values[bounds[i - 1]...bounds[i]]
      right = values[bounds[i]...bounds[i + 1]]
      assert_in_delta pooled_t(left, right), point.p, 1e-12
    end
  end

  def pooled_t(left, right)
    df = left.size + right.size - 2
    squares = [left, right].sum { |side| Spread.variance(side) * (side.size - 1) }
    t = (Center.mean(right) - Center.mean(left)) /
        Math.sqrt(squares / df * ((1.0 / left.size) + (1.0 / right.size)))
    StudentT.two_sided(t, df)
  end
end

# frozen_string_literal: true

require "test_helper"

# Changes of a history, as Otava finds them.
class StatsChangePointsTest < Mohs::TestCase
  include Mohs::Stats

  def setup = @noise = Noise.new(40)

  # sizes: { values => level }; levels in units of the noise.
  def history(*parts, sd: 1.0)
    parts.flat_map { |size, level| Array.new(size) { level + (sd * @noise.normal) } }
  end

  test "finds the steps, their place and their size" do
    values = history([40, 0.0], [40, 0.1], [40, 0.02], sd: 0.01)
    found = Otava.call(values)
    assert_equal [40, 80], found.map(&:index)
    assert_in_delta 0.1, found[0].change, 0.01
    assert_in_delta(-0.08, found[1].change, 0.01)
    assert_in_delta Center.mean(values[40...80]), found[0].after, 1e-12
    assert_equal found[0].after, found[1].before
    found.each { |point| assert_includes 0.0..0.01, point.p }
  end

  test "means reach to the neighbouring changes, and to the ends" do
    points = ChangePoint.all([9, 1, 2, 5, 6, 7, 0, 2], { 6 => 0.2, 3 => 0.1 })

    assert_equal [[3, 4.0, 6.0, 0.1], [6, 6.0, 1.0, 0.2]], points.map(&:to_a)
    assert_equal [2.0, -5.0], points.map(&:change)
  end

  test "a step of two deviations is found near where it is" do
    found = Array.new(30) { Otava.call(history([40, 0.0], [20, 2.0])) }
    near = found.count { |points| points.any? { |point| (point.index - 40).abs <= 3 } }
    assert_operator near, :>=, 24
  end

  test "changes are told in the order of the history, whichever is found first" do
    values = history([30, 0.0], [30, 0.2], [30, 9.0], sd: 0.02)
    found = Otava.call(values)
    assert_equal [30, 60], found.map(&:index)
    [0.0, 0.2].zip(found.map(&:before)) { |level, mean| assert_in_delta level, mean, 0.05 }
  end

  test "short, constant and empty histories have no changes" do
    [[], [1.0], [1.0, 2.0], [1.0, 9.0, 1.0], [2.0] * 50].each do |values|
      assert_empty Otava.call(values), values.inspect
    end
  end

  test "a step without any noise is a change" do
    assert_equal [9], Otava.call(([1.0] * 9) + ([1.5] * 9)).map(&:index)
  end

  test "scale and level do not matter" do
    values = history([30, 0.0], [30, 1.5], [30, 0.0])
    moved = values.map { |value| 100 + (1000 * value) }
    one, other = [values, moved].map { |some| Otava.call(some).map(&:index) }
    assert_equal one, other
    refute_empty one
  end

  test "what lies beyond a change has no part in the search before it" do
    assert_equal [3], Otava.call([0.0, 0.0, 1.0] + ([9.0] * 10), alpha: 0.09).map(&:index)
  end

  test "of changes that do not matter the smallest goes first, then the rest is judged" do
    values = history([40, 0.0], [40, 0.4], [40, 0.85], sd: 0.001)
    assert_equal [80], Otava.call(values, smallest: 0.5).map(&:index)
  end

  test "few of the histories without a change have one" do
    alarms = 500.times.count { Otava.call(history([50, 0.0])).any? }
    # 1.7 % of 500 with four standard errors (2.9).
    assert_operator alarms, :<=, 20
  end

  test "an old change stays where it was when values are added" do
    values = history([90, 0.0], [200, 3.0])
    seen = [150, 200, 290].map { |size| Otava.call(values.first(size)).first.index }
    assert_equal [90], seen.uniq
  end

  test "finds a change behind the second value and before the last but one" do
    flat = [0.0, 0.01] * 8
    assert_equal [2], Otava.call(flat.first(2) + flat.map { |value| value + 5 }).map(&:index)
    assert_equal [16], Otava.call(flat + flat.first(2).map { |value| value + 5 }).map(&:index)
  end

  test "changes below what matters are not reported" do
    values = history([60, 0.0], [60, 0.5], [60, 5.0], sd: 0.1)
    assert_equal [60, 120], Otava.call(values).map(&:index)
    assert_equal [120], Otava.call(values, smallest: 1.0).map(&:index)
    assert_empty Otava.call(values, smallest: 10.0)
  end

  test "p is that of a t test between the neighbouring changes" do
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

# frozen_string_literal: true

require "test_helper"

# Where values stand along an axis, and which of them are ticks.
class ScaleTest < Mohs::TestCase
  SCALE = Mohs::Report::Html::Scale

  test "the ends stand a little within the axis, the middle in the middle" do
    scale = SCALE.linear([0, 200])

    assert_equal [2.0, 50.0, 98.0], [0, 100, 200].map { |value| scale.at(value) }
    assert_equal [2.0, 98.0], [-5, 999].map { |value| scale.at(value) }
  end

  test "logarithmic scales have powers of ten at the same distance" do
    places = [1, 10, 100].map { |value| SCALE.log([1, 100]).at(value) }

    assert_equal [2.0, 50.0, 98.0], places
  end

  test "ticks are round and within the axis" do
    assert_equal [0, 50, 100, 150, 200], SCALE.linear([0, 200]).ticks(4)
    assert_equal [1000, 1200, 1400], SCALE.linear([990, 1420]).ticks(4)
    assert_equal [0.1, 1.0, 10.0, 100.0], SCALE.log([0.06, 300]).ticks(6)
    assert_equal [5.0, 10.0, 20.0, 50.0], SCALE.log([4, 60]).ticks(6)
  end

  test "an axis over many powers of ten has few ticks all the same" do
    ticks = SCALE.log([1e-3, 1e9]).ticks(6)

    assert_operator ticks.size, :<=, 6
    assert_operator ticks.size, :>=, 3
  end

  test "ratios: 1 is always a tick, the others are round and not crowded" do
    assert_equal [0.8, 1.0, 1.2, 1.5], SCALE.ratios([0.75, 1.6]).ratio_ticks
    assert_includes SCALE.ratios([1.37]).ratio_ticks, 1.0
    apart = SCALE.ratios([0.5, 20]).then { |scale| scale.ratio_ticks.map { |tick| scale.at(tick) } }
    assert_operator apart.each_cons(2).map { |one, other| other - one }.min, :>, 10
  end

  test "one value, equal values and 0 have a scale as well" do
    [SCALE.linear([7]), SCALE.linear([0, 0]), SCALE.linear([3, 3]), SCALE.log([5, 5]),
     SCALE.ratios([1.0])].each do |scale|
      assert_operator scale.low, :<, scale.high
      assert_kind_of Array, scale.ticks
      assert_predicate scale.at(scale.low), :finite?
    end
  end

  test "down a picture the larger stands the higher, a little off its edges" do
    assert_equal [98.0, 50.0, 2.0], [0, 5, 10].map { |value| SCALE.linear([0, 10]).y(value, 100) }
    assert_equal 60.0, SCALE.linear([0, 10]).y(5, 100, top: 20)
  end

  test "values next to each other have ticks" do
    assert_operator SCALE.linear([1_000_000, 1_000_003]).ticks.size, :>=, 3
    assert_equal [1.6, 1.8, 2.0], SCALE.log([1.65, 1.95]).ticks(4)
  end
end

# frozen_string_literal: true

require "test_helper"

class RandomLevelTest < Mohs::TestCase
  NEAR = { "a" => [0.9, 1.0, 1.1], "b" => [1.0, 1.1, 1.2], "c" => [0.95, 1.05, 1.15] }.freeze
  FAR = [4.9, 5.0, 5.1].freeze

  def level(groups) = Mohs::Stats::RandomLevel.new(groups)

  def apart(groups, alpha: 0.05) = level(groups).apart(alpha:)

  test "the groups' means are the sample, however many values each has" do
    overall = level({ "a" => [1.0, 3.0], "b" => [3.0], "c" => [6.0] * 9 }).overall

    assert_in_delta 11.0 / 3, overall.value, 1e-12
    assert_in_delta Mohs::Stats::Spread.sd([2.0, 3.0, 6.0]) / Math.sqrt(3), overall.error, 1e-12
    assert_equal [2, 3], [overall.df, overall.count]
  end

  test "more values of the same groups leave the interval as wide as it is" do
    widths = [1, 100].map do |times|
      level(NEAR.transform_values { |own| own * times }).overall.half_width(0.05)
    end
    assert_in_delta(*widths)
  end

  test "each group has an effect of its own values" do
    each = level(NEAR).effects

    assert_equal NEAR.keys, each.keys
    assert_in_delta 1.1, each["b"].value
    assert_equal [3, 2], [each["b"].count, each["b"].df]
  end

  test "a group that stands out is named, and none of those that only look so beside it" do
    assert_empty apart(NEAR)
    assert_equal %w[far], apart({ **NEAR, "far" => FAR })
    assert_equal %w[higher lower],
                 apart({ **NEAR, "higher" => FAR, "lower" => FAR.map { |one| one - 9 } }).sort
    assert_empty apart({ **NEAR, "far" => FAR }, alpha: 1e-9)
  end

  test "of two that differ both are named, and of one none" do
    assert_equal %w[a far], apart({ "a" => NEAR["a"], "far" => FAR })
    assert_empty apart({ "far" => FAR })
  end

  test "too few values tell no group from the others, and are no other themselves" do
    assert_empty apart({ **NEAR, "far" => FAR.first(2) })
    assert_equal %w[far], apart({ **NEAR, "far" => FAR, "lone" => [9.0] })
  end

  test "groups without any spread are told apart by their values alone" do
    assert_equal %w[c], apart({ "a" => [1.0] * 3, "b" => [1.0] * 3, "c" => [2.0] * 3 })
    assert_empty apart({ "a" => [1.0] * 3, "b" => [1.0] * 3 })
  end
end

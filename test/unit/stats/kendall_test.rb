# frozen_string_literal: true

require "test_helper"

class KendallTest < Mohs::TestCase
  # Mann-Kendall statistic without continuity correction: S = 45 of ten rising values has the
  # variance 10 * 9 * 25 / 18 = 125.
  test "rising values count every pair" do
    assert_in_delta 45 / Math.sqrt(125), z((1..10).to_a), 1e-12
    assert_in_delta(-45 / Math.sqrt(125), z((1..10).to_a.reverse), 1e-12)
  end

  test "only the order counts" do
    random = Random.new(3)
    values = Array.new(30) { random.rand }

    assert_in_delta z(values), z(values.map { |value| Math.exp(9 * value) }), 1e-12
    assert_in_delta z(values), -z(values.map(&:-@)), 1e-12
  end

  test "two values are a series" do
    assert_in_delta 1.0, z([3, 4])
  end

  test "what stays the same has no trend, nor has too little" do
    assert_in_delta 0.0, z([7] * 20)
    assert_in_delta 0.0, z([1])
    assert_in_delta 0.0, z([])
  end

  test "values without a trend are beyond 1.96 in one series of twenty" do
    random = Random.new(11)
    beyond = Array.new(2000) { z(Array.new(12) { random.rand }).abs > 1.96 }.count(true)

    assert_in_delta 100, beyond, 35
  end

  private

  def z(values) = Mohs::Stats::Kendall.z(values)
end

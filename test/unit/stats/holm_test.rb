# frozen_string_literal: true

require "test_helper"

class StatsHolmTest < Mohs::TestCase
  Holm = Mohs::Stats::Holm

  # By the definition: step down, stop at the first that is not found.
  def found_by_definition(p_values, alpha)
    left = p_values.each_index.sort_by { |index| p_values[index] }
    found = []
    found << left.shift while left.any? && p_values[left.first] <= alpha / left.size
    found.sort
  end

  test "adjusted p-values find what the definition finds" do
    random = Random.new(5)
    200.times do
      p_values = Array.new(1 + random.rand(6)) { random.rand**4 }
      expected = found_by_definition(p_values, 0.05)
      adjusted = Holm.adjust(p_values)
      assert_equal expected, p_values.each_index.select { |i| adjusted[i] <= 0.05 }
    end
  end

  test "none is more than certain" do
    assert_equal [1.0, 1.0], Holm.adjust([0.6, 0.9])
  end

  test "one test is not adjusted, none are none" do
    assert_equal [0.03], Holm.adjust([0.03])
    assert_empty Holm.adjust([])
  end

  test "true nulls are hardly ever found" do
    random = Random.new(9)
    false_runs = 2000.times.count { Holm.adjust(Array.new(5) { random.rand }).min < 0.05 }
    assert_operator false_runs, :<=, 140 # 5 % of 2000 and four standard errors
  end
end

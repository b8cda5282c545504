# frozen_string_literal: true

require "test_helper"

class StatsBenjaminiHochbergTest < Mohs::TestCase
  BenjaminiHochberg = Mohs::Stats::BenjaminiHochberg

  # By the definition: step up, all below the last that is found.
  def found_by_definition(p_values, alpha)
    order = p_values.each_index.sort_by { |index| p_values[index] }
    last = order.each_index.select do |rank|
      p_values[order[rank]] <= alpha * (rank + 1) / p_values.size
    end.max
    last ? order[0..last].sort : []
  end

  test "adjusted p-values find what the definition finds" do
    random = Random.new(5)
    200.times do
      p_values = Array.new(1 + random.rand(8)) { random.rand**4 }
      adjusted = BenjaminiHochberg.adjust(p_values)
      assert_equal found_by_definition(p_values, 0.1),
                   p_values.each_index.select { |i| adjusted[i] <= 0.1 }
    end
  end

  # The example of p.adjust(c(.01, .02, .03, .04, .5), "BH") in R.
  test "it agrees with R" do
    adjusted = BenjaminiHochberg.adjust([0.01, 0.02, 0.03, 0.04, 0.5])

    assert_equal [0.05, 0.05, 0.05, 0.05, 0.5], adjusted.map { |one| one.round(12) }
  end

  test "the order given is kept, none is more than certain, one test is not adjusted" do
    assert_equal [0.9, 0.02], BenjaminiHochberg.adjust([0.9, 0.01])
    assert_equal [1.0, 1.0], BenjaminiHochberg.adjust([1.0, 1.0])
    assert_equal [0.03], BenjaminiHochberg.adjust([0.03])
    assert_empty BenjaminiHochberg.adjust([])
  end
end

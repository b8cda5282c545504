# frozen_string_literal: true

require "test_helper"

class UnwarmedTest < Mohs::TestCase
  def unwarmed(name, *rises)
    Mohs::Analysis::Unwarmed.of(rises.map do |may_rise|
      Mohs::Store::Trial.new(variant: name, state: "measured", warm_up: { may_rise: })
    end)
  end

  test "the other looks better by what it may still gain" do
    a, b = unwarmed("a", 0.0, 0.0), unwarmed("b", 0.06, 0.06)

    assert_in_delta Math.log(1.06), a.bias(:throughput_per_s, b), 1e-9
    assert_equal [0.0, 0.0], [b.bias(:throughput_per_s, a), a.bias(:memory_bytes, b)]
    assert_equal 0.0, unwarmed("c", nil).rise
  end

  test "two that may gain the same differ by what was measured" do
    a, b = unwarmed("a", 1.0), unwarmed("b", 1.0)

    assert_equal 0.0, a.bias(:latency_p99_ms, b)
    assert_nil a.widening(b, 0.01)
    assert_in_delta 1.0, b.widening(unwarmed("c", 0.0), 0.01).values[:share], 1e-9
  end
end

# frozen_string_literal: true

require "test_helper"

class BiasTest < Mohs::TestCase
  Bias = Mohs::Stats::Bias

  def hides?(low, high, below:, above: 0.0, margin: 0.05)
    Bias.new(below:, above:).hides?(low, high, margin:)
  end

  test "it hides a lead that it may explain, unless that may be equal whatever the truth is" do
    assert hides?(0.0, 0.01, below: 0.07), "the truth is between -7 and 1 %"
    refute hides?(0.01, 0.05, below: 0.07), "from 2 % on it is above -5 %"
    refute hides?(0.01, 0.08, below: 0.07), "it may be more than the bias"
    refute hides?(-0.01, 0.01, below: 0.07), "it may be less than 0"
    refute hides?(0.01, 0.03, below: 0.04), "it is within the margin"
    assert hides?(-0.03, 0.03, below: 0.06, above: 0.06)
  end

  # What each looks better than it is beside the other.
  Side = Struct.new(:better) do
    def bias(_metric, _other) = better
  end

  test "a lead may be less by what one looks better, and more by what the other does" do
    assert_equal Bias.new(below: 0.1, above: 0.2),
                 Bias.of_lead(:throughput_per_s, Side.new(0.1), Side.new(0.2))
  end
end

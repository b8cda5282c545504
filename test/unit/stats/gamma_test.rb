# frozen_string_literal: true

require "test_helper"

class StatsGammaTest < Mohs::TestCase
  include Mohs::Stats

  test "closed forms: exponential, two terms of Poisson, and the normal tail" do
    [0.001, 0.4, 1.9, 2.1, 9, 40].each do |x|
      assert_in_epsilon Math.exp(-x), Gamma.upper(1, x), 1e-12
      assert_in_epsilon Math.exp(-x) * (1 + x), Gamma.upper(2, x), 1e-12
      assert_in_epsilon Math.erfc(Math.sqrt(x)), Gamma.upper(0.5, x), 1e-11
      assert_in_epsilon 2 * Normal.upper(Math.sqrt(x)), ChiSquare.upper(x, 1), 1e-11
    end
  end

  test "the recurrence in a, across the border of series and fraction" do
    [0.3, 1.5, 8, 90].product([0.1, 1.2, 2.4, 8.7, 9.3, 91, 130]) do |a, x|
      step = Math.exp((a * Math.log(x)) - x - Math.lgamma(a + 1)[0])
      assert_in_delta Gamma.upper(a, x) + step, Gamma.upper(a + 1, x), 1e-12
    end
  end

  test "its slope is the density, by direct integration" do
    density = ->(t) { Math.exp((2.7 * Math.log(t)) - t - Math.lgamma(3.7)[0]) }
    width = 1e-3
    area = (0...4000).sum { |step| width * density.call(2 + ((step + 0.5) * width)) }
    assert_in_epsilon area, Gamma.upper(3.7, 2.0) - Gamma.upper(3.7, 6.0), 1e-6
  end

  test "everything lies above 0 and nothing far out" do
    assert_in_delta 1.0, Gamma.upper(3, 0), 0
    assert_in_delta 1.0, ChiSquare.upper(-1, 3), 0
    assert_in_delta 0.0, Gamma.upper(3, 2000), 1e-300
    # The median of a chi-square of many degrees is near df - 2/3.
    assert_in_delta 0.5, ChiSquare.upper(20_000 - (2 / 3.0), 20_000), 1e-5
  end
end

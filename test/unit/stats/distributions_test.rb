# frozen_string_literal: true

require "test_helper"

# Identities that hold between the distributions, far from the golden values.
class StatsDistributionsTest < Mohs::TestCase
  include Mohs::Stats

  TAILS = [0.499, 0.3, 0.05, 1e-3, 1e-5, 1e-9].freeze

  test "a quantile's tail is the tail asked for" do
    [1, 2, 5, 40, 500].product(TAILS) do |df, tail|
      assert_in_epsilon tail, StudentT.upper(StudentT.upper_quantile(tail, df), df), 1e-9
    end
    TAILS.each { |tail| assert_in_epsilon tail, Normal.upper(Normal.quantile(1 - tail)), 1e-6 }
  end

  test "below the middle a quantile is that above it, to the last digit" do
    TAILS.each { |tail| assert_equal(-Normal.quantile(1 - tail), Normal.quantile(tail)) }
  end

  test "t of one degree is Cauchy's, of two has a closed form" do
    [0.1, 1, 7, 300].each do |t|
      assert_in_epsilon 0.5 - (Math.atan(t) / Math::PI), StudentT.upper(t, 1), 1e-10
      assert_in_epsilon 0.5 - (t / (2 * Math.sqrt(2 + (t * t)))), StudentT.upper(t, 2), 1e-8
    end
  end

  test "t of many degrees is normal" do
    [0.5, 1.96, 3].each do |t|
      assert_in_epsilon Normal.upper(t), StudentT.upper(t, 1_000_000), 1e-4
    end
  end

  test "both sides are alike" do
    [0.2, 1, 4].each do |t|
      assert_in_delta 1, StudentT.upper(t, 3) + StudentT.upper(-t, 3), 1e-12
      assert_in_epsilon 2 * StudentT.upper(t, 3), StudentT.two_sided(-t, 3), 1e-12
      assert_in_delta 1, Normal.cdf(t) + Normal.cdf(-t), 1e-12
    end
    assert_in_delta(-Normal.quantile(0.9), Normal.quantile(0.1), 1e-12)
  end

  test "the incomplete beta function mirrors, and has closed forms" do
    [0.01, 0.3, 0.5, 0.8, 0.999].product([0.5, 2, 9], [1, 3.5, 20]) do |x, a, b|
      assert_in_delta 1, Beta.regularized(x, a, b) + Beta.regularized(1 - x, b, a), 1e-12
      assert_in_epsilon x**a, Beta.regularized(x, a, 1), 1e-10
    end
  end

  test "outside of 0 to 1 the incomplete beta function stays what it is at the end" do
    assert_equal [0.0, 0.0, 1.0, 1.0], [-0.5, 0, 1, 1.5].map { |x| Beta.regularized(x, 2, 3) }
  end

  test "the density is the slope of the tail" do
    [0.1, 1, 3].each do |z|
      slope = (Normal.upper(z - 1e-5) - Normal.upper(z + 1e-5)) / 2e-5
      assert_in_epsilon slope, Normal.density(z), 1e-6
    end
    [1, 4, 30].product([0.1, 1, 3]) do |df, t|
      slope = (StudentT.upper(t - 1e-5, df) - StudentT.upper(t + 1e-5, df)) / 2e-5
      assert_in_epsilon slope, StudentT.density(t, df), 1e-5
    end
  end
end

# frozen_string_literal: true

require "test_helper"

class StatsHarrellDavisTest < Mohs::TestCase
  include Mohs::Stats

  def setup = @noise = Noise.new(77)

  def sample(size) = Array.new(size) { Math.exp(@noise.normal) }

  # The weight of one order statistic by adding up the Beta density over its n-th of [0, 1].
  def integrated(n, p, index, steps: 400)
    a = (n + 1) * p
    b = (n + 1) * (1 - p)
    steps.times.sum do |step|
      x = (index + ((step + 0.5) / steps)) / n
      Math.exp(((a - 1) * Math.log(x)) + ((b - 1) * Math.log(1 - x)) - Beta.log_beta(a, b))
    end / steps / n
  end

  test "each weight is the Beta density over its n-th of the unit interval" do
    [[5, 0.5], [12, 0.25], [12, 0.9], [60, 0.97]].each do |n, p|
      first, weights = HarrellDavis.weights(n, p)
      weights.each_with_index do |weight, i|
        assert_in_delta integrated(n, p, first + i), weight, 5e-5, "n #{n}, p #{p}, #{first + i}"
      end
    end
  end

  test "weights add up to 1 and name order statistics that are there" do
    [1, 2, 3, 10, 500, 3000].product([0.0005, 0.01, 0.5, 0.9, 0.999]) do |n, p|
      first, weights = HarrellDavis.weights(n, p)
      assert_in_delta 1, weights.sum, 1e-12, "n #{n}, p #{p}"
      assert_operator first, :>=, 0
      assert_operator first + weights.size, :<=, n
    end
  end

  test "a large sample is weighed by a few square roots of its size" do
    _, weights = HarrellDavis.weights(40_000, 0.5)
    assert_operator weights.size, :<, 20 * 100
  end

  test "shifts and scales with the data, mirrors with the quantile" do
    x = sample(41)
    value, error = HarrellDavis.estimate(x, 0.8)
    moved = HarrellDavis.estimate(x.map { |v| 7 + (1000 * v) }, 0.8)
    mirrored = HarrellDavis.estimate(x.map(&:-@), 0.2)
    assert_in_epsilon 7 + (1000 * value), moved[0], 1e-12
    assert_in_epsilon 1000 * error, moved[1], 1e-10
    assert_in_epsilon(-value, mirrored[0], 1e-10)
    assert_in_epsilon error, mirrored[1], 1e-10
  end

  test "the order of the data does not matter, and no value is changed" do
    x = sample(30).freeze
    first = HarrellDavis.estimate(x, 0.5)
    shuffled = HarrellDavis.estimate(x.shuffle(random: Random.new(1)), 0.5)
    assert_equal first, shuffled
  end

  test "the error is that of the quantile over many samples" do
    estimates = Array.new(300) { HarrellDavis.estimate(sample(101), 0.5) }
    observed = Spread.sd(estimates.map(&:first))
    claimed = Center.mean(estimates.map(&:last))
    # An order statistic spreads a little more than the weighted mean of them does.
    assert_in_delta 1.05, claimed / observed, 0.2
  end

  test "the interval covers the truth about as often as it says" do
    [[30, 0.5], [200, 0.9]].each do |n, p|
      truth = Math.exp(Normal.quantile(p))
      inside = 300.times.count do
        interval = HarrellDavis.interval(sample(n), p)
        truth.between?(interval.low, interval.high)
      end
      assert_includes 270..299, inside, "n #{n}, p #{p}"
    end
  end

  test "an end beyond what the sample holds is nil" do
    top = HarrellDavis.interval(sample(100), 0.99)
    assert_nil top.high
    assert_operator top.low, :<, top.value
    assert_nil HarrellDavis.interval(sample(10), 0.01).low
  end

  test "few or none" do
    assert_equal [nil, nil, nil, 0], HarrellDavis.interval([], 0.5).to_a
    assert_equal [4.0, nil, nil, 1], HarrellDavis.interval([4.0], 0.5).to_a
    assert_in_delta 3.0, HarrellDavis.estimate([2.0, 4.0], 0.5)[0], 1e-12
  end

  test "equal values are that value, without an error" do
    assert_in_delta 5.0, HarrellDavis.interval([5.0] * 40, 0.5).value, 1e-12
    assert_in_delta 0.0, HarrellDavis.estimate([5.0] * 40, 0.5)[1], 1e-12
  end
end

# frozen_string_literal: true

require "test_helper"

# What has to hold for any data, from seeded generators.
class StatsPropertiesTest < Mohs::TestCase
  include Mohs::Stats

  def setup
    @random = Random.new(20_260_101)
    @noise = Noise.new(20_260_101)
  end

  def sample(size = 23) = Array.new(size) { Math.exp(@noise.normal) }

  test "scaling the data scales every measure of place and spread" do
    x = sample
    scaled = x.map { |value| value * 1000 }
    measures = %i[mean median trimmed_mean].map { |name| Center.method(name) } +
               [Spread.method(:sd)]
    measures.each do |measure|
      assert_in_epsilon 1000 * measure.call(x), measure.call(scaled), 1e-12
    end
  end

  test "the order of the data does not matter" do
    x = sample
    [Center.method(:trimmed_mean), Center.method(:median)].each do |measure|
      assert_in_epsilon measure.call(x), measure.call(x.shuffle(random: @random)), 1e-12
    end
    assert_equal Interval.of_positive(x).count, x.size
  end

  test "a trimmed mean ignores what is cut and is the mean of few values" do
    assert_in_delta 3.0, Center.trimmed_mean([1, 2, 3, 4, 1e9]), 1e-12
    assert_in_delta 2.0, Center.trimmed_mean([1, 2, 3]), 1e-12
    assert_in_delta 5.0, Center.trimmed_mean([5]), 1e-12
  end

  test "an interval needs two observations" do
    none = Interval.of([])
    one = Interval.of([4.0])
    assert_equal [nil, nil, nil, 0], none.to_a
    assert_equal [4.0, nil, nil, 1], one.to_a
  end

  test "an interval covers the truth as often as it says" do
    inside = 2000.times.count do
      interval = Interval.of_positive(Array.new(3) { Math.exp(0.3 + (0.01 * @noise.normal)) })
      Math.exp(0.3).between?(interval.low, interval.high)
    end
    # 95 % of 2000 with four standard errors (9.7) to each side.
    assert_includes 1861..1939, inside
  end

  test "quantile ranks enclose the quantile as often as they say, by the binomial distribution" do
    [[100, 0.5], [1000, 0.9], [2000, 0.99]].each do |n, p|
      low, high = Quantile.ranks(n, p)
      # X(low) <= q < X(high) where at least `low` and fewer than `high` observations lie below q.
      covered = (low...high).sum { |k| binomial(n, k, p) }
      assert_includes 0.94..0.985, covered, "n #{n}, p #{p}"
    end
  end

  def binomial(n, k, p)
    log = Math.lgamma(n + 1)[0] - Math.lgamma(k + 1)[0] - Math.lgamma(n - k + 1)[0]
    Math.exp(log + (k * Math.log(p)) + ((n - k) * Math.log(1 - p)))
  end

  test "a quantile beyond what the sample holds has no bound" do
    assert_nil Quantile.ranks(100, 0.99).last
    assert_nil Quantile.ranks(10, 0.01).first
    assert Quantile.ranks(400, 0.99).all?
  end

  test "quantiles of a sample lie within their own intervals" do
    x = sample(500)
    [0.5, 0.9, 0.95].each do |p|
      low, high = Quantile.ranks(x.size, p).map { |rank| x.sort[rank - 1] }
      assert_includes low..high, Quantile.type7(x.sort, p)
    end
  end

  test "Theil and Sen find a line through a third of wild points" do
    y = Array.new(20) { |i| (0.5 * i) + (0.01 * @noise.normal) }
    [2, 7, 11, 15].each { |i| y[i] = 1000.0 }
    assert_in_delta 0.5, TheilSen.slope(y), 0.05
    assert_in_delta 2.0, TheilSen.slope([1, 5, 9], [0, 2, 4]), 1e-12
    assert_nil TheilSen.slope([1.0])
    assert_nil TheilSen.slope([1.0, 2.0], [3, 3])
  end

  test "the least slope that Kendall's test does not reject is below the true one, as often" do
    random = Noise.new(5)
    below = Array.new(2000) do
      TheilSen.least(Array.new(12) { |x| (2 * x) + random.normal }, [*0...12], z: 1.645) < 2
    end
    assert_in_delta 0.95, below.count(true) / 2000.0, 0.02
    assert_in_delta 3.0, TheilSen.least([0, 3, 6, 9, 12, 15, 18, 21], [*0...8], z: 3.29), 1e-12
    assert_nil TheilSen.least([0, 3, 6, 9, 12, 15, 18], [*0...7], z: 3.29), "too few for that"
  end
end

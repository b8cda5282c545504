# frozen_string_literal: true

require "test_helper"
require "json"

# Every formula against R's (test/fixtures/stats/golden.R).
class StatsGoldenTest < Mohs::TestCase
  include Mohs::Stats

  GOLDEN = JSON.parse(File.read(File.expand_path("../../fixtures/stats/golden.json", __dir__)))

  # Compares relatively, so that a tail of 1e-6 counts as much as a half.
  def assert_golden(expected, actual, relative: 1e-9)
    assert_in_delta expected, actual, (relative * expected.abs) + 1e-15
  end

  # Calls the block with each column entry of a table, the last being the value to expect.
  def each_row(table, *columns)
    rows = GOLDEN.fetch(table).values_at(*columns).transpose
    refute_empty rows
    rows.each { |*arguments, expected| assert_golden expected, yield(*arguments) }
  end

  test "upper quantiles of Student's t" do
    each_row("t_upper_quantile", "tail", "df", "t") { |tail, df| StudentT.upper_quantile(tail, df) }
  end

  test "quantiles of Student's t on both sides" do
    each_row("t_upper_quantile", "tail", "df", "t") { |tail, df| -StudentT.quantile(tail, df) }
    assert_in_delta 0, StudentT.quantile(0.5, 3), 1e-12
  end

  test "tails of Student's t" do
    each_row("t_upper", "t", "df", "p") { |t, df| StudentT.upper(t, df) }
  end

  test "incomplete beta function" do
    each_row("beta", "x", "a", "b", "p") { |x, a, b| Beta.regularized(x, a, b) }
    assert_equal [0.0, 1.0], [Beta.regularized(0, 2, 3), Beta.regularized(1, 2, 3)]
  end

  test "normal distribution" do
    each_row("normal_quantile", "p", "z") { |p| Normal.quantile(p) }
    each_row("normal_cdf", "z", "p") { |z| Normal.cdf(z) }
  end

  test "centre and spread" do
    sample = GOLDEN.fetch("sample")
    x = sample["x"]
    assert_golden sample["mean"][0], Center.mean(x)
    assert_golden sample["median"][0], Center.median(x)
    assert_golden sample["trimmed"][0], Center.trimmed_mean(x)
    assert_golden sample["sd"][0], Spread.sd(x)
    assert_golden sample["mad"][0], Spread.mad(x)
  end

  test "quantiles of type 7" do
    sample = GOLDEN.fetch("sample")
    sorted = sample["x"].sort
    sample["ps"].zip(sample["quantiles"]) do |p, expected|
      assert_golden expected, Quantile.type7(sorted, p)
    end
  end

  test "intervals of a mean and of a geometric mean" do
    sample = GOLDEN.fetch("sample")
    assert_interval sample["mean"] + sample["t_interval"], Interval.of(sample["x"])
    assert_interval sample["mean"] + sample["t_interval_99"], Interval.of(sample["x"], level: 0.99)
    assert_interval sample["geometric"], Interval.of_positive(sample["x"])
  end

  def assert_interval(expected, interval)
    expected.zip([interval.value, interval.low, interval.high]) do |wanted, got|
      assert_golden wanted, got
    end
  end

  test "the p of an effect is that of a t test" do
    sample = GOLDEN.fetch("sample")
    assert_golden sample["t_p"][0], Effect.new(sample["x"].map { |x| Math.log(x) }).p
  end

  test "Holm's adjustment" do
    golden = GOLDEN.fetch("holm")
    golden["adjusted"].zip(Holm.adjust(golden["p"])) { |expected, got| assert_golden expected, got }
  end

  test "Theil and Sen's slope" do
    golden = GOLDEN.fetch("theil_sen")
    assert_golden golden["slope"][0], TheilSen.slope(golden["y"])
  end

  test "the method's table of simultaneous bounds" do
    # f(n) = t(n-1, 1 - .008/2) / sqrt(n), printed with two decimals; its nominal .008 is itself
    # rounded.
    [3, 4, 5, 6, 8, 10, 12, 15, 20, 25,
     30].zip([6.43, 3.17, 2.20, 1.74, 1.30, 1.07, 0.93, 0.80, 0.66, 0.58, 0.52]) do |n, f|
      assert_in_delta f, StudentT.upper_quantile(0.004, n - 1) / Math.sqrt(n), 0.02
    end
  end
end

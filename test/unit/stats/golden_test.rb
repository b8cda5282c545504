# frozen_string_literal: true

require "test_helper"

# Every formula against R's (test/fixtures/stats/golden.R).
class StatsGoldenTest < Mohs::TestCase
  include Mohs::Stats
  include Golden

  test "upper quantiles of Student's t" do
    each_row("t_upper_quantile", "tail", "df", "t") { |tail, df| StudentT.upper_quantile(tail, df) }
  end

  test "quantiles of Student's t on both sides" do
    each_row("t_upper_quantile", "tail", "df", "t") { |tail, df| StudentT.upper_quantile(tail, df) }
    assert_in_delta 0, StudentT.upper_quantile(0.5, 3), 1e-12
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
    sample = golden("sample")
    x = sample["x"]
    assert_golden sample["mean"][0], Center.mean(x)
    assert_golden sample["median"][0], Center.median(x)
    assert_golden sample["trimmed"][0], Center.trimmed_mean(x)
    assert_golden sample["sd"][0], Spread.sd(x)
  end

  test "quantiles of type 7" do
    sample = golden("sample")
    sorted = sample["x"].sort
    sample["ps"].zip(sample["quantiles"]) do |p, expected|
      assert_golden expected, Quantile.type7(sorted, p)
    end
  end

  test "intervals of a mean and of a geometric mean" do
    sample = golden("sample")
    assert_interval sample["mean"] + sample["t_interval"], Interval.of(sample["x"])
    assert_interval sample["mean"] + sample["t_interval_99"], Interval.of(sample["x"], level: 0.99)
    assert_interval sample["geometric"], Interval.of_positive(sample["x"])
  end

  test "two values give no interval, and 95 % is the level of an effect where none is given" do
    assert_equal [1.5, nil, nil, 2], Interval.of([1.0, 2.0]).to_a
    effect = Effect.of([0.1, 0.2, 0.4])
    expected = Interval.of([0.1, 0.2, 0.4], level: 0.95).exp
    expected.to_a.zip(effect.interval.to_a) { |one, other| assert_in_delta one, other, 1e-12 }
  end

  test "the p of an effect is that of a t test" do
    sample = golden("sample")
    assert_golden sample["t_p"][0], Effect.of(sample["x"].map { |x| Math.log(x) }).p
  end

  test "Holm's adjustment" do
    holm = golden("holm")
    assert_all_golden holm["adjusted"], Holm.adjust(holm["p"])
  end

  test "Theil and Sen's slope" do
    line = golden("theil_sen")
    assert_golden line["slope"][0], TheilSen.slope(line["y"])
  end
end

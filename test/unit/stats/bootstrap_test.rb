# frozen_string_literal: true

require "test_helper"

class StatsBootstrapTest < Mohs::TestCase
  include Mohs::Stats

  MEAN = Center.method(:mean)

  def random = Random.new(31)

  test "the ends are those of all samples that can be drawn" do
    x = [1.0, 2.5, 2.6, 9.0, 4.4]
    all = x.repeated_permutation(5).map { |sample| Center.mean(sample) }.sort
    found = Bootstrap.percentile(x, random:, replicates: 20_000, &MEAN)
    assert_in_delta Quantile.type7(all, 0.025), found.low, 0.06
    assert_in_delta Quantile.type7(all, 0.975), found.high, 0.06
    assert_in_delta Center.mean(x), found.value, 1e-12
    assert_equal 5, found.count
  end

  test "groups are drawn, then observations within: all that can be drawn" do
    groups = [[0.0, 1.0], [10.0, 12.0], [3.0, 3.5]]
    statistic = ->(drawn) { Center.mean(drawn.map { |group| Center.mean(group) }) }
    all = groups.repeated_permutation(3).flat_map do |drawn|
      samples = drawn.map { |group| group.repeated_permutation(2).to_a }
      samples[0].product(*samples[1..]).map(&statistic)
    end
    found = Bootstrap.two_level(groups, random:, replicates: 20_000, &statistic)
    { found.low => 0.025, found.high => 0.975 }.each do |bound, share|
      below = all.count { |value| value < bound - 1e-9 }.fdiv(all.size)
      upto = all.count { |value| value < bound + 1e-9 }.fdiv(all.size)
      assert_operator below, :<=, share + 0.005
      assert_operator upto, :>=, share - 0.005
    end
    assert_equal 3, found.count
  end

  test "boots that differ make the two-level interval wide, however many their slices" do
    noise = Noise.new(2)
    boots = Array.new(8) { (offset = noise.normal) && Array.new(40) { offset + noise.normal } }
    levels = Bootstrap.two_level(boots, random:, replicates: 400) { |drawn| MEAN.(drawn.flatten) }
    flat = Bootstrap.percentile(boots.flatten, random:, replicates: 400, &MEAN)
    assert_operator levels.high - levels.low, :>, 2.5 * (flat.high - flat.low)
  end

  test "within groups that are all alike, observations are drawn all the same" do
    alike = [[0.0, 1.0, 2.0, 5.0]] * 4
    found = Bootstrap.two_level(alike, random:, replicates: 200) { |drawn| MEAN.(drawn.flatten) }
    assert_operator found.high - found.low, :>, 0.5
  end

  test "the same seed gives the same interval, another seed another" do
    x = Array.new(12) { |i| i**1.3 }
    once, again, other = [1, 1, 2].map do |seed|
      Bootstrap.bca(x, random: Random.new(seed), replicates: 300, &MEAN)
    end
    assert_equal once, again
    refute_equal once, other
  end

  test "a higher level is wider" do
    x = Array.new(12) { |i| i**1.3 }
    %i[percentile bca].each do |kind|
      narrow, wide = [0.8, 0.99].map do |level|
        Bootstrap.public_send(kind, x, random:, level:, &MEAN)
      end
      assert_operator wide.low, :<, narrow.low
      assert_operator wide.high, :>, narrow.high
    end
  end

  test "BCa is percentile's equal for a symmetric statistic and leans out where it is skewed" do
    symmetric = [-4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0]
    plain, corrected = %i[percentile bca].map do |kind|
      Bootstrap.public_send(kind, symmetric, random:, replicates: 8000, &MEAN)
    end
    assert_in_delta plain.low, corrected.low, 0.1
    assert_in_delta plain.high, corrected.high, 0.1
    skewed = Array.new(20) { |i| Math.exp(i / 4.0) }
    plain, corrected = %i[percentile bca].map do |kind|
      Bootstrap.public_send(kind, skewed, random:, &MEAN)
    end
    assert_operator corrected.low, :>, plain.low
    assert_operator corrected.high, :>, plain.high
  end

  test "covers the mean of normal samples about as often as it says" do
    noise = Noise.new(9)
    inside = 300.times.count do
      x = Array.new(25) { noise.normal }
      found = Bootstrap.percentile(x, random:, replicates: 200, &MEAN)
      0.0.between?(found.low, found.high)
    end
    # 92.5 % is what 25 observations can give (the spread is short by a factor of sqrt(24/25), and
    # normal tails stand for Student's); four standard errors.
    assert_includes 258..296, inside
  end

  test "a statistic that never moves has an interval of no width" do
    %i[percentile bca].each do |kind|
      found = Bootstrap.public_send(kind, [2.0] * 6, random:, replicates: 50, &MEAN)
      assert_equal [2.0, 2.0, 2.0, 6], found.to_a
    end
  end

  test "BCa of a value that no sample reaches keeps to those that were drawn" do
    x = (1..12).to_a
    found = [1, -1].map { |sign| Bootstrap.bca(x, random:) { |drawn| sign * drawn.uniq.size.to_f } }

    assert_equal [12, -12], found.map(&:value)
    found.each { |one| [one.low, one.high].each { |bound| assert_includes 3..11, bound.abs } }
  end

  test "fewer than three observations give no ends, and none no value" do
    assert_equal [1.5, nil, nil, 2], Bootstrap.percentile([1.0, 2.0], random:, &MEAN).to_a
    assert_equal [nil, nil, nil, 0], Bootstrap.bca([], random:, &MEAN).to_a
    one = Bootstrap.two_level([[1.0, 3.0]], random:) { |drawn| MEAN.(drawn.flatten) }
    assert_equal [2.0, nil, nil, 1], one.to_a
  end
end

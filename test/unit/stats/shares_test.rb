# frozen_string_literal: true

require "test_helper"

class SharesTest < Mohs::TestCase
  Shares = Mohs::Stats::Shares

  def sampled(count, total = 1000) = Shares::Sampled.new(count:, total:)

  def cohorts(*counts, total: 1000) = counts.map { |count| [sampled(count, total)] }

  test "a share is that of all samples together, however many each boot has" do
    effect = Shares.share([[sampled(1000, 10_000)], [sampled(600, 3000), sampled(400, 1000)]])

    assert_in_delta 2000.5 / 14_001, effect.ratio, 1e-12
    assert_equal [2, 1], [effect.count, effect.df]
  end

  # Tukey's pseudo-values by hand.
  test "its error is that of leaving out each cohort" do
    counts, totals = [100, 300, 500], [1000, 2000, 4000]
    log = ->(at) { Math.log((counts.values_at(*at).sum + 0.5) / (totals.values_at(*at).sum + 1)) }
    pseudo = [[1, 2], [0, 2], [0, 1]].map { |rest| (3 * log.([0, 1, 2])) - (2 * log.(rest)) }
    effect = Shares.share(counts.zip(totals).map { |count, total| [sampled(count, total)] })

    assert_in_delta Mohs::Stats::Effect.of(pseudo).error, effect.error, 1e-12
    assert_in_delta log.([0, 1, 2]), effect.value, 1e-12
  end

  test "boots that agree by chance are no surer than their samples" do
    effect = Shares.share(cohorts(50, 50, 50, 50))
    many = Shares.share(cohorts(5000, 5000, 5000, 5000, total: 100_000))

    assert_in_delta Math.sqrt(0.95 / 50 / 4), effect.error, 0.001
    assert_in_delta Math.sqrt(0.95 / 5000 / 4), many.error, 1e-5
    assert_operator Shares.share(cohorts(40, 50, 90)).error, :>, effect.error
  end

  test "two servers of a cohort are twice as many samples" do
    one, two = [1, 2].map { |count| Shares.share(Array.new(3) { [sampled(50)] * count }).error }

    assert_in_delta one / Math.sqrt(2), two, 1e-4
  end

  test "a ratio is that of cohorts that have both" do
    one = cohorts(1000, 2000, 500, total: 1e6)
    effect = Shares.ratio(one, cohorts(1500, 3000, 750, total: 1e6))

    assert_in_delta 1.5, effect.ratio, 0.001
    assert_in_delta Math.sqrt((1 / 3500.0) + (1 / 5250.0)), effect.error, 1e-4
  end

  test "two parts of the same samples vary more against each other than parts of different ones" do
    one, other = [400, 500].map { |count| cohorts(count, count, count) }
    apart, same = [false, true].map { |same| Shares.ratio(one, other, same:).error }

    assert_in_delta Math.sqrt((1 / 1200.5) + (1 / 1500.5)), same, 1e-12
    assert_in_delta Math.sqrt((1 / 1200.5) + (1 / 1500.5) - (2 / 3001.0)), apart, 1e-12
    assert_equal apart, Shares.ratio(one, other).error
  end

  test "what no sample has shown is less than what one has, and not nothing" do
    none = Shares.share(cohorts(0, 0, 0))

    assert_operator none.ratio, :<, Shares.share(cohorts(1, 1, 1)).ratio
    assert_in_delta 0.5 / 3001, none.ratio, 1e-12
    assert_operator none.interval.high, :>, 0.005
  end

  test "one cohort has no error, and none no share" do
    assert_equal [nil, 1], Shares.share(cohorts(10)).then { |one| [one.error, one.count] }
    assert_equal [nil, 0], Shares.share([]).then { |one| [one.value, one.count] }
    assert_equal 0, Shares.ratio([], []).count
  end

  # Servers whose shares differ by 10 %, of few and of many samples. Of few it is wide: the least
  # variance is known, and is treated as one that is estimated.
  { 300 => 0.06, 20_000 => 0.2 }.each do |total, share|
    [3, 6].each do |count|
      test "its interval holds the truth in 95 % or more of #{count} cohorts of #{total} samples" do
        random = Noise.new(11)
        held = (1..400).count do
          boots = Array.new(count) do
            own = share * Math.exp(random.normal * 0.1)
            sd = Math.sqrt(total * own * (1 - own))
            [sampled([((total * own) + (random.normal * sd)).round, 0].max, total)]
          end
          Shares.share(boots).interval.then { |one| share.between?(one.low, one.high) }
        end

        assert_operator held, :>=, 370
      end
    end
  end

  # Boots of unequal length: the logarithm of their samples varies by `spread`.
  def unequal(random, mean, spread, count: 12, more: 0.0)
    Array.new(count) do
      length = random.normal * spread
      total = (mean * Math.exp(length)).round
      own = 0.06 * Math.exp((random.normal * 0.1) + (more * length))
      sd = Math.sqrt(total * own * (1 - own))
      [sampled([((total * own) + (random.normal * sd)).round, 0].max, total)]
    end
  end

  # Half as much as lengths: the mean of the boots' logarithms would be 3 % too low.
  test "where longer boots have larger shares it is the share of the time" do
    random = Noise.new(5)
    truth = Math.log(0.06) + ((0.1**2) / 2) + (((1.5**2) - 1) * (0.2**2) / 2)
    found = Array.new(600) { Shares.share(unequal(random, 20_000, 0.2, more: 0.5)) }

    assert_in_delta 0, found.sum { |one| one.value - truth } / 600, 0.01
    assert_operator found.count { |one| (one.value - truth).abs <= one.half_width(0.05) }, :>=, 549
  end

  test "a short boot counts for little" do
    long = [sampled(600, 10_000)]
    with, without = [[[sampled(3, 5)]], []].map { |short| Shares.share([long, long, *short]) }

    assert_in_delta without.value, with.value, 0.01
  end
end

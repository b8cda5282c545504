# frozen_string_literal: true

require "test_helper"

class SharesTest < Mohs::TestCase
  Shares = Mohs::Stats::Shares

  def sampled(count, total = 1000) = Shares::Sampled.new(count:, total:)

  def cohorts(*counts, total: 1000) = counts.map { |count| [sampled(count, total)] }

  test "a share is the geometric mean of the cohorts', each the mean of its servers" do
    effect = Shares.share(cohorts(100, 200, 400, total: 1e9))

    assert_in_delta 2e-7, effect.ratio, 1e-9
    assert_equal [3, 2], [effect.count, effect.df]
    assert_in_delta Math.log(2), effect.error * Math.sqrt(3), 0.005
    two = Shares.share([[sampled(100, 1e9), sampled(400, 1e9)], *cohorts(200, total: 1e9)])
    assert_in_delta 2e-7, two.ratio, 1e-9
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

    assert_in_delta one / Math.sqrt(2), two, 1e-12
  end

  test "a ratio is that of cohorts that have both" do
    one = cohorts(1000, 2000, 500, total: 1e6)
    effect = Shares.ratio(one, cohorts(1500, 3000, 750, total: 1e6))

    assert_in_delta 1.5, effect.ratio, 0.001
    assert_in_delta Math.sqrt([1000, 1500, 2000, 3000, 500, 750].sum { |n| 1.0 / n } / 9),
                    effect.error, 1e-4
  end

  test "two parts of the same samples vary more against each other than parts of different ones" do
    one, other = [400, 500].map { |count| cohorts(count, count, count) }
    apart, same = [false, true].map { |same| Shares.ratio(one, other, same:).error }

    assert_in_delta Math.sqrt(((1 / 400.5) + (1 / 500.5)) / 3), same, 1e-12
    assert_in_delta Math.sqrt(((1 / 400.5) + (1 / 500.5) - (2 / 1001.0)) / 3), apart, 1e-12
    assert_equal apart, Shares.ratio(one, other).error
  end

  test "what no sample has shown is less than what one has, and not nothing" do
    none = Shares.share(cohorts(0, 0, 0))

    assert_operator none.ratio, :<, Shares.share(cohorts(1, 1, 1)).ratio
    assert_in_delta 0.5 / 1001, none.ratio, 1e-12
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
end

# frozen_string_literal: true

require "test_helper"

class OverheadTest < Mohs::TestCase
  NEW, OLD = %w[new rack_new], %w[old rack_old]

  def ratio(times, one = OLD, other = NEW, **options)
    rounds = times.map { |round| round.transform_values { |time| -Math.log(time) } }
    Mohs::Stats::Overhead.ratio(rounds, one, other, **options)
  end

  def round(new, rack_new, old, rack_old, slow: 1.0)
    { "new" => new, "rack_new" => rack_new, "old" => old, "rack_old" => rack_old }
      .transform_values { |time| time * slow }
  end

  test "it is the ratio of the differences of times" do
    effect = ratio([round(1000, 100, 1300, 100), round(1000, 100, 1300, 100)])

    assert_in_delta 0.75, effect.ratio, 1e-12
    assert_equal 2, effect.count
    assert_in_delta 1 / 0.75, ratio([round(1000, 100, 1300, 100)], NEW, OLD).ratio, 1e-12
  end

  test "what slows a whole round changes nothing" do
    rounds = [1.0, 1.5, 0.8].map { |slow| round(1000, 100, 1300, 100, slow:) }

    assert_in_delta 0.75, ratio(rounds).ratio, 1e-12
    assert_in_delta 0, ratio(rounds).error, 1e-12
  end

  test "without an overhead on average there is no ratio, in one round there may be none" do
    found = [[100, 100, 1300, 100], [90, 100, 1300, 100], [1000, 100, 90, 100]].map do |times|
      [ratio([round(*times)]).count, ratio([round(1000, 100, 1300, 100), round(*times)]).count]
    end

    assert_equal [[0, 2]] * 3, found
    assert_equal 0, ratio([]).count
  end

  test "it is the ratio of the means, not the mean of the ratios" do
    effect = ratio([round(10, 1, 20, 2), round(6, 2, 8, 4)])
    levels = [400**0.25, 384**0.25]

    assert_in_delta ((9 / levels[0]) + (4 / levels[1])) / ((18 / levels[0]) + (4 / levels[1])),
                    effect.ratio, 1e-12
  end

  test "a bias of rates is larger for what is left of them" do
    effect = ratio([round(1000, 100, 1300, 100)] * 2, bias: 0.001)

    assert_in_delta 0.001 * ((1100.0 / 900) + (1400.0 / 1200)), effect.bias, 1e-12
  end

  # Boots differ by 3 %, rounds by 20 %; overheads of most of the time, and of a sixth of it.
  { "large" => [980, 83, 1290, 90], "small" => [100, 83, 112, 90] }.each do |size, times|
    [3, 8].each do |count|
      test "its interval holds the truth in 95 % of #{count} rounds, #{size} overheads" do
        random = Random.new(7)
        truth = (times[0] - times[1]).fdiv(times[2] - times[3])
        held = Array.new(600) { simulated(random, times, count) }.count do |interval|
          interval.low&.<=(truth) && interval.high >= truth
        end

        assert_in_delta 0.95, held / 600.0, 0.03
      end
    end
  end

  # A small overhead beside a large one: the mean of the rounds' logarithms would be 3 % too low,
  # and the interval of 30 rounds would hold the truth in 92 %.
  test "a small overhead is not too low beside a large one" do
    random = Random.new(5)
    times = [100, 83, 400, 90]
    truth = (times[0] - times[1]).fdiv(times[2] - times[3])
    found = Array.new(1000) { simulated(random, times, 30) }

    assert_in_delta 0, found.sum { |one| Math.log(one.value / truth) } / 1000, 0.01
    assert_in_delta 0.95, found.count { |one| one.low <= truth && one.high >= truth } / 1000.0, 0.02
  end

  def simulated(random, times, count)
    ratio(Array.new(count) do
      boots = times.map { |time| time * Math.exp(0.03 * gauss(random)) }
      round(*boots, slow: Math.exp(0.2 * gauss(random)))
    end).interval
  end

  def gauss(random)
    Math.sqrt(-2 * Math.log(1 - random.rand)) * Math.cos(2 * Math::PI * random.rand)
  end
end

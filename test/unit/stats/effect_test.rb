# frozen_string_literal: true

require "test_helper"

class StatsEffectTest < Mohs::TestCase
  Effect = Mohs::Stats::Effect

  def slice(block, good, wall_ns: 1_000_000, cpu_ns: 500_000, p50_ns: 1_000)
    { block:, good:, wall_ns:, cpu_ns:, p50_ns: }
  end

  test "the difference of a cohort is the trimmed mean of its blocks" do
    a = (0..9).map { |block| slice(block, 100) }
    b = (0..9).map { |block| slice(block, 110) }
    b[3] = slice(3, 5) # a stall
    b[8] = slice(8, 900)
    assert_in_delta Math.log(1.1), Effect.difference(a, b, :throughput_per_s), 1e-12
  end

  test "drift in a straight line cancels in mirrored blocks" do
    speed = ->(position) { 1000 * Math.exp(-0.01 * position) }
    # Four slices a block: A B B A.
    a = [0, 3].product((0..5).to_a).map { |i, block| slice(block, speed.call((4 * block) + i)) }
    b = [1, 2].product((0..5).to_a).map do |i, block|
      slice(block, 1.05 * speed.call((4 * block) + i))
    end
    assert_in_delta Math.log(1.05), Effect.difference(a, b, :throughput_per_s), 1e-12
  end

  test "better is bigger in every metric" do
    a = [slice(0, 100, wall_ns: 1000, cpu_ns: 800, p50_ns: 20)]
    b = [slice(0, 100, wall_ns: 500, cpu_ns: 400, p50_ns: 10)]
    Mohs::Stats::Sample::METRICS.each_key do |metric|
      assert_in_delta Math.log(2), Effect.difference(a, b, metric), 1e-12, metric
    end
  end

  test "a slice whose median request failed ranks worst by its median, and by nothing else" do
    a = (0..2).map { |block| { **slice(block, 100), sent: 100 } }
    b = (0..2).map { |block| { **slice(block, 49, p50_ns: nil), sent: 100 } }
    assert_equal(-Float::INFINITY, Effect.ranked_difference(a, b, :latency_p50_ms))
    assert_equal Float::INFINITY, Effect.ranked_difference(b, a, :latency_p50_ms)
    assert_in_delta Math.log(0.49), Effect.difference(a, b, :throughput_per_s), 1e-12
    half = (0..2).map { |block| { **slice(block, 50), sent: 100 } }
    assert_in_delta 0, Effect.difference(a, half, :latency_p50_ms), 1e-12
  end

  test "exchanging A and B negates" do
    random = Random.new(7)
    a, b = Array.new(2) { Array.new(20) { |i| slice(i / 2, 50 + random.rand(50)) } }
    there, back = [[a, b], [b, a]].map { |pair| Effect.difference(*pair, :throughput_per_s) }
    assert_in_delta there, -back, 1e-12
    effect = Effect.of([0.1, 0.2, 0.4])
    assert_in_delta 1, effect.ratio * effect.reverse.ratio, 1e-12
    assert_in_delta effect.interval.low, 1 / effect.reverse.interval.high, 1e-12
  end

  test "doubling every count, or the order of the slices, leaves the ratio" do
    a = (0..7).map { |block| slice(block, 100 + block) }
    b = (0..7).map { |block| slice(block, 130 - block) }
    expected = Effect.difference(a, b, :throughput_per_s)
    double = [a, b].map { |slices| slices.map { |one| one.merge(good: one[:good] * 2) } }
    assert_in_delta expected, Effect.difference(*double, :throughput_per_s), 1e-12
    mixed = [a.reverse, b.shuffle(random: Random.new(3))]
    assert_in_delta expected, Effect.difference(*mixed, :throughput_per_s), 1e-12
  end

  test "blocks that one of them lacks, or in which it did nothing, are left out" do
    a = [slice(0, 100), slice(1, 100), slice(2, 0), slice(3, 100, wall_ns: nil)]
    b = [slice(0, 200), slice(2, 200), slice(3, 200), slice(4, 7)]
    assert_equal [0], Effect.block_differences(a, b, :throughput_per_s).keys
    assert_nil Effect.difference([slice(0, 0)], b, :throughput_per_s)
  end

  test "few cohorts say little" do
    assert_nil Effect.of([nil, nil]).ratio
    assert_nil Effect.of([]).interval.value
    one = Effect.of([0.1, nil])
    assert_nil one.p
    assert_nil one.interval.low
    assert_in_delta Math.exp(0.1), one.ratio, 1e-12
  end

  test "cohorts that agree to the bit" do
    assert_equal 0.0, Effect.of([0.1, 0.1]).p
    assert_equal 1.0, Effect.of([0.0, 0.0]).p
  end

  test "a bias moves both ends of an interval out, and what is within it is no difference" do
    plain = Effect.of([0.010, 0.012, 0.014])
    found = plain.biased(0.005)

    assert_in_delta plain.half_width(0.05) + 0.005, found.half_width(0.05), 1e-15
    assert_in_delta Effect.of([0.005, 0.007, 0.009]).p, found.p, 1e-12
    assert_equal 1.0, plain.biased(0.013).p
  end

  test "an interval of level 1 - alpha excludes 1 exactly where p is below alpha" do
    random = Random.new(11)
    checked = 300.times.count do
      effect = Effect.of(Array.new(4) { 0.01 + (0.02 * (random.rand - 0.5)) })
      interval = effect.interval(alpha: 0.05)
      (effect.p < 0.05) == !1.0.between?(interval.low, interval.high)
    end
    assert_equal 300, checked
  end

  test "the chances of being above and below a bound are the halves of the two-sided one" do
    effect = Effect.of([0.02, 0.05, 0.03, 0.04])

    assert_in_delta effect.p, 2 * effect.above, 1e-12
    assert_in_delta 1.0, effect.above(0.01) + effect.below(0.01), 1e-12
    assert_operator effect.below(0.1), :<, 0.01
    low, high = effect.interval.then { |one| [Math.log(one.low), Math.log(one.high)] }
    assert_in_delta 0.025, effect.above(low), 1e-9
    assert_in_delta 0.025, effect.below(high), 1e-9
  end

  test "a bias makes both sides less sure, no spread is certain, one cohort says nothing" do
    effect = Effect.of([0.02, 0.05, 0.03, 0.04])
    exact = Effect.of([0.02, 0.02, 0.02])

    assert_operator effect.biased(0.01).above, :>, effect.above
    assert_operator effect.biased(0.01).below(0.1), :>, effect.below(0.1)
    assert_equal [0.0, 1.0], [exact.above, exact.below]
    assert_equal [nil, nil], [Effect.of([0.1]).above, Effect.of([]).below]
  end

  # B leads. What the baseline did may have made B look slower, not faster.
  test "how many more cohorts a lead needs has nothing to do with the far side of its bias" do
    effect = Mohs::Stats::Effect.new(value: 0.03, error: 0.012, df: 4, count: 5)
    sided = ->(below, above) { effect.biased(Mohs::Stats::Bias.new(below:, above:)) }
    needed = ->(one) { one.needed(delta: one.target(-1.0).last, alpha: 0.05, most: 1000) }

    assert_equal needed.(effect), needed.(sided.(0.0, 0.05))
    assert_nil needed.(sided.(0.05, 0.0))
  end

  test "a difference in either direction has the larger bias to leave behind" do
    effect = Mohs::Stats::Effect.new(value: 0.03, error: 0.012, df: 4, count: 5)
                                .biased(Mohs::Stats::Bias.new(below: 0.02, above: 0.05))
    seen, wide = [0.01, 0.07].map { |margin| effect.target(margin) }

    assert_equal [effect.least, 0.07], [seen, wide].map(&:first)
    assert_in_delta effect.least - 0.02, seen.last, 1e-12
    assert_in_delta 0.02, wide.last, 1e-12
  end
end

# frozen_string_literal: true

require "test_helper"

class StatsCoreSpeedTest < Mohs::TestCase
  CoreSpeed = Mohs::Stats::CoreSpeed
  RATE = :throughput_per_s

  # A slice that answered so many requests in a second on a core of that pace; nil: not taken.
  def slice(rate, pace_ns, block: 0)
    { block:, good: rate, wall_ns: 1_000_000_000, cpu_ns: 900_000_000,
      p50_ns: (1e9 / rate).round, pulse: pace_ns && { pace_ns: } }
  end

  # A cohort is the slices of each of its servers.
  def cohort(*servers) = servers

  def pace(cohorts) = CoreSpeed.new(cohorts.flatten(1))

  def even(cohorts)
    pace = pace(cohorts)
    cohorts.map do |servers|
      servers.map { |slices| slices.map { |slice| slice.merge(at_pace: pace.shift(slice)) } }
    end
  end

  # Cohorts of two servers each whose cores' paces come and go, half of them by a third; what a
  # server answers follows its pace by `slope`, and B is faster by `effect`, which makes its pace no
  # other.
  def restless(seed, cohorts: 12, slope: -1.7, effect: 0.0, noise: 0.02)
    random = Noise.new(seed)
    Array.new(cohorts) do
      cohort(*[0.0, effect].map do |faster|
        Array.new(12) do |block|
          pace = 0.08 * random.normal
          log = faster + (slope * pace) + (noise * random.normal)
          slice((100_000 * Math.exp(log)).round, 300 * Math.exp(pace), block:)
        end
      end)
    end
  end

  def differences(cohorts)
    cohorts.map { |servers| Mohs::Stats::Effect.difference(*servers, RATE) }
  end

  def sd(cohorts) = Mohs::Stats::Spread.sd(differences(cohorts))

  test "the slope is found within servers, however different they are" do
    fast, slow = [100_000, 1000].map do |rate|
      [1.0, 1.1, 1.2, 1.3].map { |pace| slice((rate / (pace**1.5)).round, 300 * pace) }
    end
    pace = pace([cohort(fast, slow)])
    assert_in_delta(-1.5, pace.slopes(RATE).first, 0.01)
    assert_in_delta 1.0, pace.explained(RATE), 1e-4
  end

  test "slices are told at the mean pace" do
    slices = [1.0, 1.21].map { |pace| slice((1000 / pace).round, 300 * pace) }
    slices << slice((1000 / 1.1).round, 330)
    even = even([cohort(slices)]).first.first
    even.each { |one| assert_in_delta Math.log(1000 / 1.1 / 1e9), log(one), 1e-3 }
    assert_equal slices, (even.map { |one| one.except(:at_pace) })
  end

  def log(slice) = Mohs::Stats::Sample.log(slice, RATE)

  test "what the pace makes noisy becomes quiet, and the difference stays" do
    cohorts = restless(5, effect: 0.05)
    even = even(cohorts)
    assert_operator sd(even), :<, sd(cohorts) / 3
    assert_in_delta 0.05, Mohs::Stats::Center.mean(differences(even)), 0.01
    assert_operator pace(cohorts).explained(RATE), :>, 0.9
  end

  test "where the pace does nothing, nothing is taken out" do
    cohorts = restless(6, slope: 0.0)
    assert_in_delta sd(cohorts), sd(even(cohorts)), 0.1 * sd(cohorts)
  end

  test "where the pace hardly varies, what it seems to do is not believed" do
    noise = Noise.new(9)
    slices = Array.new(6) do
      slice((1000 * Math.exp(0.1 * noise.normal)).round, 300 + (0.3 * noise.normal))
    end
    steep = (0..5).map { |at| slice(1000 - (50 * at), 300 + (0.01 * at)) } # both grow
    [slices, steep].each do |uneven|
      even = even([cohort(uneven)]).first.first
      assert(even.all? { |one| one[:at_pace][RATE].abs < 0.02 })
    end
  end

  test "a server is not made faster by a slow core" do
    slices = [1.0, 1.1, 1.2].map { |pace| slice((1000 * pace).round, 300 * pace) }
    pace = pace([cohort(slices)])
    assert_equal [[0.0], 0.0], [pace.slopes(RATE), pace.explained(RATE)]
  end

  test "without a pace everything stays as it was" do
    cohorts = [cohort([slice(1000, nil), slice(900, nil), { block: 0 }])]
    pace = pace(cohorts)
    assert_equal([{}] * 3, cohorts.first.first.map { |slice| pace.shift(slice) })
    assert_equal [[], nil], [pace.slopes(RATE), pace.explained(RATE)]
    assert_equal [], CoreSpeed.new([]).slopes(RATE)
  end

  test "a slice without one among others and servers with few slices say nothing" do
    slices = [1.0, 1.1, 1.2].map { |pace| slice((1000 / pace).round, 300 * pace) }
    expected = pace([cohort(slices)]).slopes(RATE).first
    odd = [slice(5, nil)]
    silent = { **slice(7, 350), good: 0 }
    pace = pace([cohort(slices + odd + [silent], [slice(1000, 300), slice(10, 301)])])
    assert_in_delta expected, pace.slopes(RATE).first, 0.02
    assert_equal [Math.log(5 / 1e9), {}], [log(odd.first), pace.shift(odd.first)]
  end

  # A slice on a core and a memory as much slower than at their best (0.1: by a tenth).
  def between(rate, core, memory, **options)
    slice(rate, 1000 * Math.exp(core), **options).tap do |slice|
      slice[:pulse][:memory_ns] = 3000 * Math.exp(memory)
    end
  end

  test "core and memory have a slope each" do
    random = Noise.new(4)
    slices = Array.new(60) do
      core, memory = Array.new(2) { 0.2 * random.normal }
      between((1e5 * Math.exp((-0.7 * core) - (1.8 * memory))).round, core, memory)
    end
    pace = pace([cohort(slices)])

    pace.slopes(RATE).zip([-0.7, -1.8]) { |slope, true_one| assert_in_delta true_one, slope, 0.01 }
    assert_operator sd_of(even([cohort(slices)])), :<, 0.001
  end

  def sd_of(cohorts)
    Mohs::Stats::Spread.sd(cohorts.first.first.map { |slice| log(slice) })
  end

  test "of two that rise and fall together neither is taken twice" do
    random = Noise.new(4)
    slices = Array.new(60) do
      core = 0.2 * random.normal
      between((1e5 * Math.exp((-0.9 * core) + (0.01 * random.normal))).round, core, core)
    end
    pace = pace([cohort(slices)])

    assert_in_delta(-0.9, pace.slopes(RATE).sum, 0.02)
    assert_operator sd_of(even([cohort(slices)])), :<, 0.015
  end

  test "a rate that follows nothing has no slopes, however alike the two are" do
    slices = Array.new(6) { |at| between(1000, 0.1 * at, 0.1 * at) }
    pace = pace([cohort(slices)])

    assert_equal [[0.0, 0.0], nil], [pace.slopes(RATE), pace.explained(RATE)]
  end

  test "the one that seems to help is left out, and the other takes its own" do
    random = Noise.new(4)
    slices = Array.new(60) do
      core, memory = Array.new(2) { 0.2 * random.normal }
      between((1e5 * Math.exp((-0.8 * core) + (0.5 * memory))).round, core, memory)
    end
    first, last = pace([cohort(slices)]).slopes(RATE)
    assert_equal [true, 0.0], [first.between?(-1.2, -0.4), last]
  end

  test "intervals hold a true difference as often as they say" do
    held = (1..100).count do |seed|
      cohorts = restless(seed, cohorts: 6, effect: 0.02)
      interval = Mohs::Stats::Interval.of(differences(even(cohorts)))
      interval.low <= 0.02 && interval.high >= 0.02
    end
    assert_operator held, :>=, 89 # of 100 at 95 %: fewer once in 200 tries
  end
end

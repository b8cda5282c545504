# frozen_string_literal: true

require "test_helper"

class SpeedAdjustmentTest < Mohs::TestCase
  RATE = :throughput_per_s

  # Requests in a second on a core whose piece of work took so long; nil: not taken.
  def slice(rate, pace_ns, block: 0)
    { block:, good: rate, wall_ns: 1_000_000_000, cpu_ns: 900_000_000,
      p50_ns: (1e9 / rate).round, facts: { pulse: pace_ns && { pace_ns: } } }
  end

  def speed(*slices)
    Mohs::Analysis::SpeedAdjustment.new(Mohs::Stored.cohorts([{ trials: [{ slices: }] }]))
  end

  def logs(speed)
    slices = speed.even.first.trials.first.slices
    slices.map { |slice| Mohs::Stats::Sample.log(slice, RATE) }
  end

  test "measured slices are told at the mean speed of the cores" do
    slices = [1.0, 1.21, 1.1].map { |slow| slice((1000 / slow).round, 300 * slow) }
    found = speed(*slices)

    logs(found).each { |log| assert_in_delta Math.log(1000 / 1.1 / 1e9), log, 1e-3 }
    assert_operator found.explained(RATE), :>, 0.99
  end

  test "warm-up says nothing about it, and a slice without one stays as it was" do
    slices = [1.0, 1.1, 1.2].map { |slow| slice((1000 / slow).round, 300 * slow) }
    expected = logs(speed(*slices))
    odd = [slice(5, nil), slice(7, 900, block: nil)]

    assert_equal [*expected, Math.log(5 / 1e9)], logs(speed(*slices, *odd)).first(4)
  end

  test "without a speed everything stays as it was" do
    slices = [slice(1000, nil), slice(900, nil)]

    assert_equal Mohs::Stored.slices(slices), speed(*slices).even.first.trials.first.slices
    assert_nil speed(*slices).explained(RATE)
    assert_empty Mohs::Analysis::SpeedAdjustment.new([]).even
  end
end

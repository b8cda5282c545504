# frozen_string_literal: true

require "test_helper"

class SpeedAdjustmentTest < Mohs::TestCase
  RATE = :throughput_per_s

  # Requests in a second on a core whose piece of work took so long; nil: not taken.
  def slice(rate, pace_ns, block: 0)
    { block:, good: rate, wall_ns: 1_000_000_000, cpu_ns: 900_000_000,
      p50_ns: (1e9 / rate).round, facts: { pulse: pace_ns && { pace_ns: } } }
  end

  # A server with a driver on the same core, unless it is told otherwise.
  def cohort(slices, apart: false, cores: 1)
    Mohs::Stored.cohort({ host: { apart: }, trials: [{ state: "measured", cores:, slices: }] })
  end

  def speed(*slices, **place) = Mohs::Analysis::SpeedAdjustment.new([cohort(slices, **place)])

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

  test "its bias is what a variant may do to the pieces of work, by their slopes" do
    slices = [1.0, 1.21, 1.1].map { |slow| slice((1000 / slow).round, 300 * slow) }

    assert_in_delta Mohs::Stats::CoreSpeed::BOUNDS[:pace_ns], speed(*slices).bias(RATE), 1e-4
    assert_in_delta 0.0, speed(*slices).bias(:memory_bytes)
    assert_in_delta 0.0, Mohs::Analysis::SpeedAdjustment.none.bias(RATE)
  end

  # Times of the piece of work that vary by a tenth, and by less than a variant may change them.
  test "it is worth it where core speed moves slices by more than the bias, else there is none" do
    explained = [0.1, 0.004].map do |share|
      slices = [1, 1 + (2 * share), 1 + share].map { |slow| slice((1e6 / slow).round, 300 * slow) }
      found = [2.0, 0.1].map { |bound| where_worth([cohort(slices)], bound).explained(RATE) }
      found.map { |one| !one.nil? }
    end

    assert_equal [[true, false], [false, false]], explained
    assert_nil where_worth([], 2.0).explained(RATE)
  end

  def where_worth(cohorts, bound)
    Mohs::Analysis::SpeedAdjustment.where_worth(cohorts, RATE, bound:)
  end

  test "without a speed everything stays as it was" do
    slices = [slice(1000, nil), slice(900, nil)]

    assert_equal Mohs::Stored.slices(slices), speed(*slices).even.first.trials.first.slices
    assert_nil speed(*slices).explained(RATE)
    assert_empty Mohs::Analysis::SpeedAdjustment.new([]).even
  end

  test "where the driver shares no core with the server its speed is another core's" do
    slices = [1.0, 1.21, 1.1].map { |slow| slice((1000 / slow).round, 300 * slow) }
    plain = Mohs::Stored.slices(slices)

    [{ apart: true }, { cores: 2 }, { apart: nil }, { cores: nil }].each do |place|
      found = speed(*slices, **place)
      assert_equal plain, found.even.first.trials.first.slices, place
      assert_nil found.explained(RATE), place
    end
  end

  test "cohorts that it is not fitted on change nothing in it" do
    slices = [1.0, 1.21, 1.1].map { |slow| slice((1000 / slow).round, 300 * slow) }
    other = cohort([1.0, 1.5, 2.0].map { |slow| slice(1000, 300 * slow) })
    alone, both = [speed(*slices).even, speed(*slices).even([cohort(slices), other])]

    assert_equal alone.first.trials.first.slices.map(&:at_pace),
                 both.first.trials.first.slices.map(&:at_pace)
    assert(both.last.trials.first.slices.all?(&:at_pace))
  end
end

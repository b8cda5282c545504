# frozen_string_literal: true

require "test_helper"

# How small a difference a host shows, and in which time.
class ResolutionTest < Mohs::TestCase
  Resolution = Mohs::Analysis::Resolution

  def cohorts(ratio) = Resolution.cohorts(sd: ratio / 100.0, difference: 0.01)

  # sd over difference => cohorts to a verdict, halfway between the ratios that were simulated.
  SIMULATED = { 0.01 => 3.0, 0.06 => 3.0, 0.08 => 3.05, 0.125 => 3.225, 0.175 => 3.475,
                0.225 => 3.75, 0.275 => 4.05, 0.3375 => 4.45, 0.3875 => 4.8, 0.45 => 5.3,
                0.625 => 6.95, 0.825 => 9.1, 0.95 => 11.0, 1.0 => 12.0 }.freeze

  test "cohorts to a verdict, as simulated" do
    SIMULATED.each { |ratio, count| assert_in_delta count, cohorts(ratio), 1e-9, ratio.to_s }
  end

  test "a quarter of the way between two simulated ratios is a quarter of the way in cohorts" do
    assert_in_delta 10.5, cohorts(0.925), 1e-9
  end

  test "beyond the simulation cohorts grow with the square of the noise" do
    assert_in_delta 4, cohorts(4) / cohorts(2), 1e-9
    assert_in_delta 12, cohorts(1.001), 0.3
  end

  test "more noise never needs fewer cohorts" do
    counts = (1..300).map { |percent| cohorts(percent / 100.0) }

    assert_equal counts.sort, counts
  end

  def resolution(differences, seconds = [10.0] * differences.size)
    pairs = differences.zip(seconds)
    Resolution.of(pairs.map { |log_difference, wall_s| { log_difference:, seconds: wall_s } })
  end

  test "a host's resolution is its noise in cohorts and in seconds, the largest difference first" do
    found = resolution([0.01, -0.01, 0.01, -0.01], [8.0, 12.0, 9.0, 11.0])
    sd = 0.01 * Math.sqrt(4 / 3.0)

    assert_equal [4, 10.0, "warn"], found.to_h.values_at(:cohorts, :cohort_s, :level)
    assert_in_delta sd, found.sd, 1e-12
    assert_equal [0.05, 0.02, 0.01], found.resolves.map { |one| one[:difference] }
    # 0.231, 0.577 and 1.155 times the difference
    assert_equal [3.8, 6.5, 16.3], found.resolves.map { |one| one[:cohorts] }
    assert_equal [37.9, 64.7, 163.3], found.resolves.map { |one| one[:seconds] }
  end

  test "noise of 0.75 % is suspect, and beyond 2 % it is bad" do
    half = Math.sqrt(0.5) # times the distance of two: their sd
    levels = [0.0074, 0.0076, 0.0199, 0.0201].map { |sd| resolution([0.0, sd / half]).level }

    assert_equal %w[ok warn warn bad], levels
  end

  test "one cohort does not vary" do
    assert_raises(ArgumentError) { resolution([0.1]) }
    assert_equal 2, resolution([0.1, 0.2]).cohorts
  end
end

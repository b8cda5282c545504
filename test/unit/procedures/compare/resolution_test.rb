# frozen_string_literal: true

require "test_helper"

# How small a difference a host shows, and in which time.
class ResolutionTest < Mohs::TestCase
  Resolution = Mohs::Compare::Resolution
  SEQUENTIAL = Mohs::Stats::Sequential.new

  def resolution(differences, seconds = [10.0] * differences.size)
    pairs = differences.zip(seconds)
    Resolution.of(pairs.map { |log_difference, wall_s| { log_difference:, seconds: wall_s } })
  end

  def resolved(differences, difference = 0.01)
    resolution(differences).resolves.find { |one| one[:difference] == difference }
  end

  # Three cohorts show little of a spread: with it taken for the true one, it was every second time.
  test "what a host is said to find within a time, it finds in about eight of ten comparisons" do
    [0.003, 0.005].each { |sd| assert_operator share_found(sd), :>=, 0.72, sd }
  end

  test "it takes the looks of a comparison, the largest difference first" do
    found = resolution([0.004, -0.004, 0.004, -0.004], [8.0, 12.0, 9.0, 11.0])
    known = { sd: 0.004 * Math.sqrt(4 / 3.0), known: 4 }
    counts = [0.05, 0.02, 0.01].map do |one|
      SEQUENTIAL.deciding(0, delta: Math.log(1 + one), **known)
    end

    assert_equal [4, 10.0, "ok"], found.to_h.values_at(:cohorts, :cohort_s, :level)
    assert_in_delta known[:sd], found.sd, 1e-12
    assert_equal [[0.05, 0.02, 0.01], counts, counts.map { |count| 10.0 * count }],
                 found.resolves.map(&:values).transpose
    assert_equal counts.sort, counts
  end

  test "what no look would find has no time" do
    assert_equal({ difference: 0.01, cohorts: nil, seconds: nil },
                 resolved([0.05, -0.05, 0.05]))
  end

  test "noise of 0.75 % is suspect, and beyond 2 % it is bad" do
    half = Math.sqrt(0.5)
    levels = [0.0074, 0.0076, 0.0199, 0.0201].map { |sd| resolution([0.0, sd / half]).level }

    assert_equal %w[ok warn warn bad], levels
  end

  test "cohorts that don't vary at all need the first look" do
    assert_equal 3, resolved([0.1, 0.1, 0.1])[:cohorts]
  end

  test "one cohort does not vary" do
    assert_raises(ArgumentError) { resolution([0.1]) }
    assert_equal 2, resolution([0.1, 0.2]).cohorts
  end

  # Of those with a time.
  def share_found(sd)
    noise = Noise.new(7)
    said = Array.new(400) { resolved(Array.new(3) { sd * noise.normal }) }
    sure = said.select { |one| one[:cohorts] }
    sure.count { |one| decided_after(Math.log(1.01), sd, noise) <= one[:cohorts] }.fdiv(sure.size)
  end

  # Cohorts after which a true difference is found.
  def decided_after(difference, sd, noise)
    seen = []
    SEQUENTIAL.looks.find do |look|
      seen << (difference + (sd * noise.normal)) while seen.size < look
      SEQUENTIAL.differs?(seen)
    end || Float::INFINITY
  end
end

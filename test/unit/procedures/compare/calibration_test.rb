# frozen_string_literal: true

require "test_helper"

# The proof that verdicts are as sure as they say where cores slow down and slices are adjusted for
# it: the real runner walks made-up cohorts and reads them as it does real ones (method, section 7).
# Most of the tries are for bin/test --all.
class ComparisonCalibrationTest < Mohs::TestCase
  LOOKS = Mohs::Stats::Sequential::LOOKS
  VERDICTS = %i[differs equivalent].freeze

  # [cohorts, comparison] of so many, each on a host of its own.
  def walked(count, from:, **options)
    Array.new(count) do |index|
      bench = CoreSpeedNoise::Bench.new(CoreSpeedNoise.new(from + index, **options))
      comparison = bench.walk
      [bench.done, comparison]
    end
  end

  def three_errors(share, count) = 3 * Math.sqrt(share * (1 - share) / count)

  def states(walks) = walks.map { |_, comparison| comparison.state }

  slow_test "equal servers differ in 5 % of tries at most, and all is decided at a look" do
    count = times(30, 2000)
    walks = walked(count, from: 0)
    between = walks.reject { |done, _| LOOKS.include?(done) }
    covered = walks.count { |_, one| one.verdict.low <= 1 && one.verdict.high >= 1 }

    warned = walks.count { |_, one| own_speed?(one) }

    assert_empty between.map { |done, comparison| [done, comparison.state] }
    assert_operator warned.fdiv(count), :<=, 0.01 + three_errors(0.01, count)
    assert_operator states(walks).count(:differs).fdiv(count), :<=, 0.05 + three_errors(0.05, count)
    assert_operator covered.fdiv(count), :>=, 0.95 - three_errors(0.05, count)
    # Equal takes two intervals, so a few less than half have a verdict after 30 cohorts.
    assert_operator states(walks).count { |state| VERDICTS.include?(state) }, :>, 0.4 * count
  end

  test "a difference is found, and its interval holds the truth" do
    count = times(8, 200)
    walks = walked(count, from: 5000, effect: 0.06)
    covered = walks.count { |_, one| Math.exp(0.06).between?(one.verdict.low, one.verdict.high) }

    assert_operator states(walks).count(:differs).fdiv(count), :>=, 0.9
    assert_operator covered.fdiv(count), :>=, 0.95 - three_errors(0.05, count)
  end

  # Beside B the pieces of work take as much longer as may be.
  test "equal servers differ no more often where the pieces of work are biased, up to the bound" do
    count = times(16, 300)
    own = Mohs::Stats::CoreSpeed::BOUNDS
    walks = walked(count, from: 9000, own:, restless: 0.0)

    assert_operator states(walks).count(:differs).fdiv(count), :<=, 0.05 + three_errors(0.05, count)
  end

  # Boots that differ much, in what they serve and in what the pieces of work take: the choice
  # whether to adjust must not follow them.
  test "equal servers differ no more often where boots, and pieces of work beside them, vary" do
    [{ boot_sd: 0.03, piece_sd: 0.1 }, { piece_sd: 0.03 }].each do |noise|
      count = times(3, 600)
      found = states(walked(count, from: 30_000, **noise)).count(:differs)

      assert_operator found.fdiv(count), :<=, 0.05 + three_errors(0.05, count), noise
    end
  end

  # Three rounds have the fewest degrees of freedom, so a choice by the spread shows most.
  test "runs of three rounds call equal servers different in 5 % at most, whatever boots vary by" do
    count = times(60, 2000)
    empty = Mohs::Stored.run(SampleResult.new({ "a" => 1000.0, "b" => 1000.0 }).to_h)
    differing = Array.new(count) do |seed|
      host = CoreSpeedNoise.new(50_000 + seed, boot_sd: 0.03, piece_sd: 0.1)
      run = Mohs::Analysis::Run.new(empty.with(cohorts: Array.new(3) { |at| host.cohort(at) }))
      run.verdict(run.rows.find { |row| row.name == "b" }).differs?
    end

    assert_operator differing.count(true).fdiv(count), :<=, 0.05 + three_errors(0.05, count)
  end

  # What the variant does to the driver's own work is no speed of the core: the adjustment is biased
  # then, and more cohorts don't help.
  test "pieces of work that take longer beside one of the two are told where one adjusts by them" do
    walks = walked(times(10, 100), from: 7000, own: 0.8)
    adjusted = walks.map(&:last).select { |one| adjusted?(one) }

    assert_operator adjusted.size, :>, 2
    assert_operator adjusted.count { |one| own_speed?(one) }.fdiv(adjusted.size), :>=, 0.8
  end

  def adjusted?(comparison)
    comparison.pairs.flat_map(&:trials).flat_map(&:slices).any?(&:at_pace)
  end

  def own_speed?(comparison)
    comparison.warnings.any? { |finding| finding.code == "core_speed_differs" }
  end
end

# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/calibration"

class CalibrationSummaryTest < Mohs::TestCase
  Made = CalibrationLedger
  Dose = Mohs::Calibration::Dose

  def summary(*entries) = Mohs::Calibration::Summary.new(Made.of(*entries))

  test "rounds of the loop cost in proportion" do
    dose = Dose.new([Made.truth])
    assert_equal 100, dose.rounds(2)
    assert_in_delta(-Math.log(1.02), dose.effect(100, :throughput), 1e-9)
    assert_in_delta(-Math.log(1.025), dose.effect(100, :cpu), 1e-9)
  end

  test "measurements of the loop are combined, and so are their errors" do
    slower = Made.truth(rounds: 500)
    dose = Dose.new([Made.truth, slower])
    assert_in_delta 0.0003 * 100, Math.exp(-dose.effect(100, :throughput)) - 1, 1e-9
    assert_operator dose.error(100), :<, Dose.new([slower]).error(100)
  end

  test "a difference between an application and itself is a false verdict, in either direction" do
    found = summary(Made.live("aa", "faster"), Made.live("aa", "equivalent"),
                    Made.live("aa", "slower"), Made.live("aa", "undecided"))
    assert_equal [2, 4], found.false_verdicts
  end

  test "an interval covers the loop's cost if it contains it" do
    two = { rounds: 100 }
    found = summary(Made.truth, Made.live("2", "slower", interval: [0.97, 0.99], **two),
                    Made.live("2", "slower", interval: [0.97, 0.975], **two),
                    Made.live("2", "undecided", interval: nil, **two),
                    Made.live("aa", "equivalent", interval: [1.1, 1.2]))
    assert_equal [1, 2], found.coverage
    assert_equal({ "slower" => 2, "undecided" => 1 }, found.find("2").outcomes)
    assert_in_delta(-100 * (1 - (1 / 1.02)), found.find("2").truth[:throughput], 1e-6)
  end

  # Just outside of it, by less than two errors of the loop's own cost.
  test "an interval covers a cost that is itself uncertain if the two may agree" do
    error = Dose.new([Made.truth]).error(1000)
    cost = 1 / 1.2
    found = [0.5, 1.5, 3].map do |errors|
      interval = [cost * Math.exp(errors * error), cost * Math.exp((errors + 0.5) * error)]
      summary(Made.truth, Made.live("20", "slower", interval:, rounds: 1000)).coverage.first
    end

    assert_equal [1, 1, 0], found
  end

  test "what was undecided would have taken longer" do
    entries = [*Array.new(3) { |i| Made.live("aa", "equivalent", wall_s: 10.0 + i) },
               Made.live("aa", "undecided", wall_s: 60.5)]
    row = summary(*entries).find("aa")

    assert_equal [11.0, Float::INFINITY, 60.5, 60.5],
                 [row.median_s, row.p90_s, row.open_s, row.max_s]
  end

  # R: binom.test(2, 36, alternative = "less")$conf.int, and "greater".
  test "bounds of a share are Clopper's and Pearson's" do
    bounds = [Mohs::ClopperPearson.at_most(2, 36), Mohs::ClopperPearson.at_least(2, 36)]

    assert_in_delta 0.1647347330, bounds.first, 1e-9
    assert_in_delta 0.0099613479, bounds.last, 1e-9
    assert_in_delta 1 - (0.05**0.1), Mohs::ClopperPearson.at_most(0, 10), 1e-9
    assert_equal 1.0, Mohs::ClopperPearson.at_most(3, 3)
  end

  test "nine in ten were decided by then, in any order" do
    times = [9.0, 1.0, 5.0, 10.0, 2.0].map { |wall_s| Made.live("aa", "equivalent", wall_s:) }
    row = summary(*times).find("aa")
    assert_equal [5.0, 10.0, 10.0], [row.median_s, row.p90_s, row.max_s]
  end

  test "the cost of a flag is unknown" do
    row = summary(Made.truth, Made.live("yjit", "faster", interval: [1.2, 1.3])).find("yjit")
    assert_nil row.truth[:throughput]
    assert_equal 0, row.of
  end

  test "cases are in the order of their size, A/A first" do
    names = %w[yjit 20 5 aa 1].map { |name| Made.live(name, "slower", rounds: 1) }
    assert_equal %w[aa 1 5 20 yjit], summary(Made.truth, *names).rows.map(&:name)
  end

  test "the spread of cohorts is around the mean of their own comparison" do
    near = Made.live("aa", "equivalent", logs: [0.00, 0.02])
    far = Made.live("aa", "equivalent", logs: [0.50, 0.52])
    row = summary(near, far).find("aa")
    assert_in_delta 100 * 0.02 / Math.sqrt(2), row.spread[:throughput], 1e-9
    assert_in_delta 100 * 0.01 / Math.sqrt(2), row.spread[:cpu], 1e-9
    assert_nil row.spread[:p50]
  end

  # By hand: runs of variance .02^2 / 2 x 2 sides x 10 s a pair, cohorts of the same spread, and 4 s
  # for two of them, from the command to the verdict.
  test "efficiency is variance times seconds of a pair of runs, over that of a cohort" do
    rates = [1000.0, 1000 * Math.exp(0.02)]
    cohorts = Made.live("aa", "equivalent", wall_s: 4.0, logs: [0.0, 0.02])
    found = summary(Made.practice(*rates), cohorts)
    assert_in_delta 2 * 10 / 2.0, found.efficiency[:throughput], 1e-6
    assert_in_delta 4 * 10.0, found.efficiency[:cpu], 1e-6
    assert_in_delta 100 * 0.02 / Math.sqrt(2), found.practice_spread(:throughput), 1e-6
  end

  test "batches of long runs are not pooled, so that drift between them does not count" do
    apart = summary(Made.practice(1000.0, 1001.0), Made.practice(2000.0, 2002.0))
    assert_operator apart.practice_spread(:throughput), :<, 0.1
  end

  test "a smaller difference takes long runs longer" do
    found = summary(Made.practice(1000.0, 1020.0, 990.0))
    assert_operator found.practice_needs(2), :>, 3.5 * found.practice_needs(4)
    assert_nil summary(Made.live("aa", "equivalent")).practice_needs(2)
  end

  test "an answer is right, wrong, or none" do
    entries = [%w[aa equivalent], %w[aa slower], %w[aa undecided], %w[1 slower], %w[1 equivalent],
               %w[20 slower], %w[20 equivalent], %w[20 undecided], %w[20 invalid], %w[yjit faster],
               %w[yjit faster], %w[yjit equivalent]]
    rows = summary(Made.truth, *entries.map { |name, outcome|
      Made.live(name, outcome, rounds: (100 if name.match?(/\d/)))
    }).rows

    assert_equal({ "aa" => [1, 1, 1], "1" => [2, 0, 0], "20" => [1, 2, 1], "yjit" => [2, 0, 1] },
                 rows.to_h { |row| [row.name, row.answers.values_at(:right, :undecided, :wrong)] })
  end

  test "without long runs there is no efficiency" do
    assert_nil summary(Made.live("aa", "equivalent")).efficiency
  end
end

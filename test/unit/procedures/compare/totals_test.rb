# frozen_string_literal: true

require "test_helper"

# "Equal" is said of all requests: what a trimmed mean leaves out counts in the cohorts' totals.
class ComparisonTotalsTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-compare"

  EQUAL = [0.0005, -0.0005, 0.0, 0.0003, -0.0003].freeze

  def made_up(differences = EQUAL, **options)
    CompareResult.new(differences, planned: differences.size, **options).to_h
  end

  def comparison(...) = Mohs::Stored.comparison(made_up(...))

  # B serves a tenth in one of its 40 slices: 2 of 10 blocks are trimmed.
  def stop(cohorts = nil)
    lambda do |slice, name, index, cohort|
      next unless name == "b" && index == 8 && (cohorts.nil? || cohorts.include?(cohort))

      slice[:good] = slice[:sent] = 100
    end
  end

  def found(comparison) = comparison.verdict.findings.find { |one| one.code == "equal_but_total" }

  test "two are not equal if their totals aren't, and the verdict says what these are" do
    plain, stopped = comparison, comparison(slice: stop)
    finding = found(stopped)

    assert_equal [%i[equivalent equivalent], %i[undecided exhausted]],
                 ([plain, stopped].map { |one| [one.verdict.outcome, one.state] })
    assert_nil found(plain)
    assert_equal [:info, 0.955], [finding.severity, finding.values[:effect].round(3)]
    assert_operator finding.values[:interval].last, :<, 0.99
    assert_said(document(slice: stop)[:sentence])
    assert_equal "undecided", document(slice: stop)[:metrics].first[:mark]
  end

  def document(**options) = Mohs::Stored.document(made_up(**options))

  test "a note on pauses would say the same again" do
    assert_equal %w[equal_but_total], comparison(slice: stop).verdict.findings.map(&:code)
  end

  # Stops in some cohorts make the totals vary: they may be the margin apart.
  test "totals that are too wide hinder it as well, until they are narrow enough" do
    early = stop([0])

    assert_equal :undecided, comparison(slice: early).verdict.outcome
    assert_equal [%w[continue continue continue], nil],
                 [comparison(slice: early).looks.map { |look| look.to_h[:decision] },
                  comparison(slice: early).verdict.equal]
  end

  test "what has no total is equal by its own interval" do
    %w[p50 memory boot].each do |metric|
      one = comparison(comparison: { metric: }, slice: stop)

      assert_equal :equivalent, one.verdict.outcome, metric
      assert_equal [nil], one.looks.map { |look| look.to_h[:totals] }.uniq
    end
  end

  test "CPU time has a total too" do
    outcomes = %i[cpu_ns wall_ns].map do |key|
      more = ->(slice, name, index, _) { slice[key] *= 10 if name == "b" && index == 8 }
      comparison(comparison: { metric: "cpu" }, slice: more).verdict.outcome
    end

    assert_equal %i[undecided equivalent], outcomes
  end

  test "a metric beside the deciding one is equal by the same rule" do
    line = ->(**options) { comparison(comparison: { metric: "cpu" }, **options).lines.first }

    assert_equal [true, false], [line.call, line.call(slice: stop)].map(&:within)
  end

  test "a quick answer knows the same rule" do
    quick = { quick: true }
    answers = [{}, { slice: stop }].map do |more|
      comparison([0.0, 0.0001, 0.0], comparison: { **quick, margin: 0.03 }, **more).verdict
    end

    assert_equal %i[equivalent undecided], answers.map(&:outcome)
    assert_equal [nil, "equal_but_total"],
                 (answers.map { |one| one.findings.map(&:code).grep("equal_but_total").first })
  end

  test "what the store kept of a look stays, whatever its totals are now" do
    result = made_up(slice: stop)
    result[:cohorts][2][:look] = { cohorts: 3, differences: [0.0, 0.0, 0.0], totals: nil,
                                   bias: 0.0, taken: [0.0, 0.0], decision: "equivalent" }
    kept = Mohs::Stored.comparison(result)

    assert_equal [:equivalent, [nil]],
                 [kept.verdict.outcome, kept.looks.map { |look| look.to_h[:totals] }]
  end

  test "a step of a bisection has no totals" do
    step = { difference: 0.2, noise: { squares: 0.0, freedom: 0 }, alpha: 0.05 }
    one = comparison(comparison: { step: }, slice: stop)

    assert_equal [nil], one.looks.map { |look| look.to_h[:totals] }.uniq
    assert_nil found(one)
  end

  def run_of(stops:)
    rates = %w[a b c d].to_h { |name| [name, 1000.0] }
    result = SampleResult.new(rates, rounds: 6, boot_sd: 0.001, block_sd: 0.001).to_h
    result[:cohorts].each do |cohort|
      trial = cohort[:trials].find { |one| one[:variant] == "b" }
      slice = trial[:slices].select { |one| one[:block] }[3]
      slice[:good] = slice[:sent] = 100 if stops
    end
    result
  end

  test "a run knows the same rule, with the interval of its own model" do
    judge = lambda do |result|
      run = Mohs::Stored.analysis(result)
      run.verdict(run.rows.find { |row| row.name == "b" })
    end
    plain, stopped = [false, true].map { |stops| judge.call(run_of(stops:)) }

    assert_equal %i[equivalent undecided], [plain, stopped].map(&:outcome)
    assert_equal [[], %w[equal_but_total]],
                 ([plain, stopped].map { |one| one.findings.map(&:code) })
    assert_in_delta 0.955, stopped.findings.first.values[:effect], 0.003
    assert_said(Mohs::Stored.document(run_of(stops: true))[:sentence])
  end
end

# frozen_string_literal: true

require "test_helper"

# What a look decides, from which cohorts, and that it stays.
class ComparisonLookTest < Mohs::TestCase
  # The first cohorts of a comparison on a restless host.
  def cohorts(seed, count)
    host = CoreSpeedNoise.new(seed)
    Array.new(count) { |position| host.cohort(position) }
  end

  def comparison(cohorts, **study)
    run = Mohs::Stored.run(CompareResult.new([], planned: 0, state: "running", **study).to_h)
    queued = Mohs::Stored.cohort({ state: "queued", spec: { scheme: "duet" } })
    Mohs::Compare::Result.new(run.with(cohorts: [*cohorts, queued]))
  end

  def differences(comparison, count)
    comparison.looks.find { |look| look.count == count }.differences
  end

  test "later cohorts change nothing that a look was decided by" do
    all = cohorts(3, 9)
    six = differences(comparison(all.first(6)), 6)

    [7, 8, 9].each { |count| assert_equal six, differences(comparison(all.first(count)), 6), count }
  end

  # The same slices within each server; only boots differ, which is what a verdict divides by.
  test "whether cohorts are adjusted does not depend on how far boots differ" do
    host = CoreSpeedNoise.new(0, restless: 1)
    all = Array.new(3) { |position| host.cohort(position) }
    chosen = Array.new(40) do |seed|
      noise = Noise.new(seed)
      comparison(all.map { |cohort|
 CoreSpeedNoise.rebooted(cohort, noise) }).looks.last.bias.most.positive?
    end

    assert_equal [true], chosen.uniq
  end

  test "between looks nothing is decided" do
    all = cohorts(5, 12)
    (4..12).each do |count|
      found = comparison(all.first(count))
      last = Mohs::Stats::Sequential.new.last_look(count)

      assert_operator found.looks.last.count, :<=, last
      assert_equal comparison(all.first(last)).decided, found.decided
    end
  end

  test "the cohort in which each is alone has no part in the fit" do
    all = cohorts(7, 5)
    steep = all.last.with(spec: Mohs::Plan::CohortSpec.new(solo: true))
    alone = comparison([*all.first(4), steep])

    assert_equal comparison(all.first(4)).looks.map(&:to_h), alone.looks.map(&:to_h)
    assert_equal comparison(all.first(4)).verdict, alone.verdict
  end

  test "a cohort that does not count has no part in it either" do
    all = cohorts(9, 5)
    dead = all[1].with(trials: all[1].trials.map { |trial| trial.with(state: "failed") })

    assert_equal comparison(all.values_at(0, 2, 3, 4)).looks.map(&:differences),
                 comparison([all[0], dead, *all.drop(2)]).looks.map(&:differences)
  end

  test "what the store kept of a look counts, whatever is made of the slices now" do
    all = cohorts(11, 4)
    kept = { cohorts: 3, differences: [0.3, 0.31, 0.29], totals: nil, bias: 0.0,
             taken: [0.0, 0.0], unwarmed: [0.0, 0.0], decision: "differs" }
    found = comparison([*all.first(2), all[2].with(look: kept), all[3]])

    assert_equal [:differs, :differs, :faster], [found.decided, found.state, found.verdict.outcome]
    assert_equal [kept], found.looks.map(&:to_h)
    assert_in_delta Math.exp(0.3), found.verdict.effect, 1e-12
    assert_equal [true], found.looks.map(&:kept?)
  end

  # Decided at the third cohort; a gate that stays open takes more.
  test "once decided it stays so while a gate is waited for" do
    wide = lambda do |facts, name, _index, position|
      facts[:p50_ns] = name == "b" ? [900_000, 1_200_000][position % 2] : 1_000_000
    end
    later = [0.03, 0.031, 0.029, 0.5, -0.5, -0.4]
    found = (3..6).map do |count|
      made_up(later.first(count), comparison: { gates: ["p50 < +2%"] }, slice: wide)
    end

    assert_equal [:faster], found.map { |one| one.verdict.outcome }.uniq
    assert_equal 1, found.map { |one| one.verdict.low.round(9) }.uniq.size
    assert_equal 6, found.last.looks.last.count
    throughput = found.last.latest_lines.find { |line| line.metric.name == "throughput" }
    assert_operator throughput.low, :<, 0.9, "a gate on it asks what is known by now"
  end

  # Three cohorts decide; the later ones, which a gate asks for, differ in what is given.
  def decided(count, **later)
    wide = lambda do |facts, name, index, position|
      facts[:p50_ns] = name == "b" ? [900_000, 1_200_000][position % 2] : 1_000_000
      later[:slice]&.call(facts, name, index) if position > 2
    end
    trial = ->(facts, name, position) { later[:trial]&.call(facts, name) if position > 2 }
    made_up([0.03, 0.031, 0.029, 0.03, 0.03, 0.031, 0.03, 0.03].first(count),
            comparison: { gates: ["p50 < +2%"] }, slice: wide, trial:)
  end

  test "what speaks against later cohorts makes no decided verdict invalid" do
    grows = ->(slice, _, index) { slice[:cpu_ns] = (slice[:cpu_ns] * (1.02**index)).round }
    answers = SampleResult::ANSWERS.map { |answer| { **answer, length: 9000 } }
    others = ->(trial, *) { trial[:facts] = trial[:facts].merge(answers:) }
    plain, *found = [{}, { slice: grows }, { trial: others }].map { |later| decided(8, **later) }

    assert_equal [[:faster, :continue]] * 2, (found.map { |one| [one.verdict.outcome, one.state] })
    assert_equal [plain.verdict], found.map(&:verdict).uniq
  end

  # More cohorts tell nothing: a gate stays open.
  test "a side that falls silent after the verdict ends it, and leaves the gates open" do
    silent = ->(slice, name, _) { slice[:good] = 0 if name == "b" }
    found = decided(4, slice: silent)

    assert_equal [:differs, :faster], [found.state, found.verdict.outcome]
    assert_equal [["inconclusive", "side_silent"]],
                 (found.gates.map { |gate| [gate.outcome, gate.finding.code] })
    assert_equal [:continue, nil], decided(4).then { |one| [one.state, one.trouble_since] }
  end

  NOISY = [0.02, -0.03, 0.01, 0.0, 0.03, -0.02].freeze

  def made_up(differences, **options)
    Mohs::Stored.comparison(CompareResult.new(differences, **options).to_h)
  end

  test "what a budget left unused is looked at when it has run out" do
    differences = [0.05, -0.03, 0.04, 0.036, 0.035, 0.034, 0.036]
    going, ended = made_up(differences), made_up(differences, budget_s: 36)

    assert_equal [:continue, [3, 4, 5, 6]], [going.state, going.looks.map(&:count)]
    assert_equal [:budget, [3, 4, 5, 6, 7]], [ended.state, ended.looks.map(&:count)]
    assert_equal "exhausted", ended.looks.last.to_h[:decision]
    assert_equal 7, ended.looks.last.differences.size
    expected = Mohs::Stats::Sequential.new(ended: 7).interval(ended.looks.last.differences).exp
    assert_in_delta expected.low, ended.verdict.low, 1e-12
    assert_equal :budget, made_up(differences.first(2), budget_s: 11).state
  end

  test "that look may decide, and is the last" do
    differences = [*NOISY, *Array.new(3) { 0.0 }]
    seven = [0.03, 0.07, 0.01, 0.045, 0.012, 0.05, 0.04]
    ended = made_up(seven, budget_s: 36)

    assert_equal [:continue, :differs], [made_up(seven).state, ended.state]
    assert_equal :faster, ended.verdict.outcome
    assert_equal :budget, made_up(differences, budget_s: 46).state
  end

  test "a step of a bisection has the looks of its own test only" do
    step = { difference: 0.2, noise: { squares: 0.0, freedom: 0 }, alpha: 0.05 }
    found = made_up([0.1, 0.11, 0.09, 0.1, 0.11, 0.09, 0.1], comparison: { step: }, budget_s: 36)

    assert_equal 6, found.looks.last.count
  end

  test "a cohort that waits for the run to be resumed is in the look that comes after it" do
    logs = [0.02, 0.0201, -0.05, 0.0199]
    looks = %w[running interrupted].map do |state|
      result = CompareResult.new(logs, state:).to_h
      result[:cohorts][2].update(state: "queued", trials: [])
      Mohs::Stored.comparison(result).looks
    end

    assert_equal [[], []], looks
    assert_equal :continue, Mohs::Stored.comparison(CompareResult.new(logs).to_h).decided
  end

  test "the store keeps each look of a run that was walked" do
    bench = CoreSpeedNoise::Bench.new(CoreSpeedNoise.new(21), planned: 6)
    looks = bench.walk.looks

    assert_equal looks.map(&:to_h), bench.cohorts(1).filter_map(&:look)
    assert_equal [3, 4, 5, 6].first(looks.size), looks.map(&:count)
  end
end

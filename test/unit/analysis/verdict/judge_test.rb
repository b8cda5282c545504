# frozen_string_literal: true

require "test_helper"

class VerdictJudgeTest < Mohs::TestCase
  Judge = Mohs::Analysis::Verdict::Judge

  def judge(*differences, **options)
    effect = Mohs::Stats::Effect.of(differences)
    Judge.call(effect, against: "base", **options)
  end

  test "an interval above 1 is faster, below it slower" do
    faster = judge(0.30, 0.31, 0.32)
    assert_equal :faster, faster.outcome
    assert_operator faster.low, :>, 1
    assert_empty faster.findings
    assert_equal :slower, judge(-0.30, -0.31, -0.32).outcome
  end

  test "a difference within the margin that is beyond chance is still a difference" do
    assert_equal :faster, judge(0.0030, 0.0031, 0.0032).outcome
  end

  test "an interval around 1 within the margin is equivalent, a wider one undecided" do
    assert_equal :equivalent, judge(0.001, -0.001, 0.0005).outcome
    assert_equal :undecided, judge(0.001, -0.001, 0.0005, margin: 0.001).outcome
    assert_equal :undecided, judge(0.02, -0.02, 0.01).outcome
  end

  test "both ends of an interval have to be within the margin, to either side as a ratio" do
    within = [[0.9910, 1.009], [0.9900, 1.009], [0.9902, 1.0101], [0.5, 1.0]].map do |low, high|
      Judge.within?(Mohs::Stats::Interval.new(value: 1.0, low:, high:, count: 3), 0.01)
    end

    assert_equal [true, false, false, false], within
  end

  test "a stricter alpha needs more to decide" do
    differences = [0.010, 0.013, 0.016]
    assert_equal :faster, judge(*differences).outcome
    assert_equal :undecided, judge(*differences, alpha: 0.001).outcome
  end

  test "undecided says how many rounds would decide, 80 times of 100, at the level that is used" do
    # R: power.t.test(delta = .0149, sd = .0203, power = .8, type = "one.sample") has n = 16.6,
    # with sig.level = .0125 n = 23.5.
    differences = [-0.0053, 0.0147, 0.0353]
    codes = [judge(*differences), judge(*differences, alpha: 0.0125)].map do |verdict|
      verdict.findings.map { |finding| [finding.code, finding.values] }
    end
    assert_equal [[["rounds_needed", { rounds: 17 }]], [["rounds_needed", { rounds: 24 }]]], codes
    assert_equal %w[too_noisy], judge(-1.0, 1.0, 0.1).findings.map(&:code)
    assert_equal %w[rounds_needed], judge(0.02, -0.02).findings.map(&:code)
  end

  test "rounds are for the difference seen, or a larger margin, and one more at least" do
    rounds = [[0.03, -0.03, 0.0], [0.01, 0.02, 0.03], [0.013, 0.023, 0.033]].map do |differences|
      judge(*differences).findings.first.values[:rounds]
    end
    # R: power.t.test(delta = log(1.01), sd = .03, power = .8, type = "one.sample") has n = 73.3.
    assert_equal [74, 5, 4], rounds
  end

  test "up to a thousand rounds are named, more are too many" do
    found = (11_100..11_300).step(4).flat_map do |sd|
      judge(*[1e-5, -1e-5, 0.0].map { |one| one * sd }).findings
    end

    assert_equal %w[rounds_needed too_noisy], found.map(&:code).uniq
    assert_equal [1000], found.filter_map { |one| one.values[:rounds] }.max(1)
  end

  test "a spread that many variants share needs fewer rounds" do
    own, pooled = [2, 8].map do |df|
      effect = Mohs::Stats::Effect.new(value: 0.015, error: 0.0117, df:, count: 3)
      Judge.call(effect, against: "base", alpha: 0.0125).findings.first.values[:rounds]
    end
    assert_operator pooled, :<, own
  end

  test "one round gives no interval, none no verdict" do
    once = judge(0.3)
    assert_equal :undecided, once.outcome
    assert_nil once.low
    assert_equal %w[one_round], once.findings.map(&:code)
    never = judge
    assert_equal :invalid, never.outcome
    assert_equal [{ against: "base" }], never.findings.map(&:values)
    assert_equal "never_beside", never.findings.first.code
  end

  test "swapping the two turns the verdict round" do
    effect = Mohs::Stats::Effect.of([0.05, 0.06, 0.055])
    there, back = [effect, effect.reverse].map { |one| Judge.call(one, against: "x") }
    assert_equal %i[faster slower], [there.outcome, back.outcome]
    assert_in_delta there.low, 1 / back.high, 1e-12
  end

  test "two things that are one are called different in 5 % of runs at most" do
    random = Noise.new(31)
    found = 2000.times.count do
      verdict = judge(*Array.new(3) { 0.008 * random.normal })
      %i[faster slower].include?(verdict.outcome)
    end
    assert_operator found, :<=, 139 # 5 % of 2000 and four standard errors
    assert_operator found, :>=, 61
  end
end

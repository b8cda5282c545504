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

  def rounds(...) = judge(...).findings.first.values[:rounds]

  test "undecided says how many rounds would find a difference, at the level that is used" do
    differences = [-0.0053, 0.0147, 0.0353]

    assert_equal [["rounds_needed", %i[rounds difference]]],
                 (judge(*differences).findings.map { |one| [one.code, one.values.keys] })
    assert_operator rounds(*differences, alpha: 0.0125), :>, rounds(*differences)
    assert_equal %w[too_noisy], judge(-1.0, 1.0, 0.1).findings.map(&:code)
    assert_equal %w[rounds_needed], judge(0.02, -0.02).findings.map(&:code)
  end

  # More rounds make no bias smaller.
  test "what a bias prevents is told as that, and not as noise" do
    [0.06, Mohs::Stats::Bias.new(below: 0.0, above: 0.06)].each do |bias|
      effect = Mohs::Stats::Effect.of([0.001, -0.001, 0.0003]).biased(bias)
      found = Mohs::Analysis::Verdict::Judge.call(effect, against: "base").findings.first

      assert_equal "biased", found.code
      assert_in_delta Math.exp(0.06) - 1, found.values[:bias], 1e-12
    end
  end

  # What is undecided looks larger than it is: 1.06 standard errors are the upper fifth of t with 2
  # degrees of freedom.
  test "rounds are for the margin, or for what was seen at least if that is more" do
    found = [[0.03, -0.03, 0.0], [0.013, 0.023, 0.033]].map do |differences|
      judge(*differences).findings.first.values[:difference]
    end

    assert_equal 0.01, found.first
    assert_in_delta Math.exp(0.023 - (1.0607 * 0.01 / Math.sqrt(3))) - 1, found.last, 1e-6
    assert_operator rounds(0.013, 0.023, 0.033), :>, 3
  end

  # A hundred undecided runs of three rounds, each on a host of its own: is the difference that they
  # name found by as many rounds as they ask for?
  test "the rounds named find the difference named in 80 of 100 runs" do
    noise, random = Noise.new(17), Random.new(17)
    chances = Array.new(400) do
      sd = 0.004 * ((0.03 / 0.004)**random.rand)
      verdict = judge(*Array.new(3) { sd * noise.normal })
      found = verdict.findings.find { |one| one.code == "rounds_needed" } or next
      finds?(found.values, sd, noise)
    end.compact

    assert_operator chances.size, :>, 200
    assert_includes 0.75..0.9, chances.count(true).fdiv(chances.size)
  end

  def finds?(values, sd, noise)
    mean = Math.log(1 + values[:difference])
    judge(*Array.new(values[:rounds]) { mean + (sd * noise.normal) }).differs?
  end

  test "up to a thousand rounds are named, more are too many" do
    found = (7650..7700).flat_map do |sd|
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
    count = times(600, 2000)
    found = count.times.count do
      verdict = judge(*Array.new(3) { 0.008 * random.normal })
      %i[faster slower].include?(verdict.outcome)
    end
    errors = 4 * Math.sqrt(count * 0.05 * 0.95)
    assert_operator found, :<=, (0.05 * count) + errors
    assert_operator found, :>=, (0.05 * count) - errors
  end
end

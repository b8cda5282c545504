# frozen_string_literal: true

require "test_helper"

class BisectBisectionTest < Mohs::TestCase
  SD = 0.0075

  def line(culprit, effect: 0.05, last: 20)
    (0..last).map { |index| index >= culprit ? -effect : 0.0 }
  end

  def bisect(effects, sd: SD, seed: 1, broken: [], **options)
    @host = BisectHost.new(effects, sd:, seed:, broken:)
    Mohs::Bisect::Bisection.new(points: @host.points, measure: @host, **options).call
  end

  def found(result) = (result.suspects.first.name.to_i if result.outcome == "found")

  def tries(count, effect:, sd: SD)
    Array.new(count) do |i|
      culprit = 1 + ((i * 7) % 20)
      [culprit, bisect(line(culprit, effect:), sd:, seed: 100 + i)]
    end
  end

  test "5 % in one of 20 is found in 9 of 10 tries and more, with few cohorts" do
    tries = tries(100, effect: 0.05)

    assert_operator tries.count { |culprit, result| found(result) == culprit }, :>=, 98
    mean = tries.sum { |_, result| result.steps.sum(&:cohorts) }.fdiv(100)
    assert_operator mean, :<, 24
    steps = tries.flat_map { |_, result| result.steps.select { |step| step.kind == :search } }
    assert_operator steps.count { |step| step.cohorts <= 2 }, :>, steps.size / 3
  end

  # Share of 300 lines without a culprit in which the ends are taken to differ, and outcomes.
  def without_culprit(sd: SD, **options)
    results = Array.new(300) do |i|
      host = BisectHost.new(line(99), sd:, seed: 100 + i, **options)
      Mohs::Bisect::Bisection.new(points: host.points, measure: host).call
    end
    searched = results.count { |result| result.steps.first.verdict == "slower" }
    [searched, results.map(&:outcome).tally]
  end

  test "where the ends are the same none is named in 95 of 100 and more" do
    searched, outcomes = without_culprit

    assert_operator searched, :<=, 15
    assert_operator outcomes.fetch("found", 0), :<=, 3
    assert_operator outcomes.fetch("none", 0), :>=, 270
  end

  test "looked at with intervals of one look, the same ends would differ too often" do
    careless = Mohs::Stats::Sequential.new(alpha: 0.25, levels: ComputedLevels) # .05 a look

    assert_operator careless.nominal, :<, 0.06
    assert_operator without_culprit(sd: 0.02, sequential: careless).first, :>, 15
  end

  test "each comparison is told whose step it is" do
    host = BisectHost.new(line(3, last: 4), sd: 0.001)
    steps = []
    measure = lambda do |*points, asked, budget_s|
      steps << asked[:question].facts[:bisection]
      host.call(*points, asked, budget_s)
    end
    Mohs::Bisect::Bisection.new(points: host.points, measure:).call

    assert_equal (1..steps.size).to_a, steps.map { |one| one[:number] }
    assert_equal %w[ends search search confirm], steps.map { |one| one[:kind] }
    assert_equal [%w[0 4]], steps.map { |one| one.values_at(:good, :bad) }.uniq
  end

  test "noise from before makes later steps shorter" do
    first, last = tries(60, effect: 0.03).map { |_, result|
      result.steps.select { |step| step.kind == :search }.values_at(0, -1).map(&:cohorts)
    }.transpose.map(&:sum)

    assert_operator last, :<, first
  end

  test "on a noisy host it is right or undecided, never wrong in more than 5 of 100" do
    tries = tries(60, effect: 0.03, sd: 0.02)
    wrong = tries.count { |culprit, result| found(result) && found(result) != culprit }

    assert_operator wrong, :<=, 3
    assert_operator tries.count { |culprit, result| found(result) == culprit }, :>=, 30
  end

  test "broken points are gone round; where they hide the culprit the range is named" do
    result = bisect(line(13), broken: [9, 10, 11])
    assert_equal [13, 13], [found(result), result.suspects.first.name.to_i]
    assert_includes result.steps.map(&:verdict), "skipped"

    result = bisect(line(10), broken: [9, 10, 11])
    assert_equal ["range", %w[9 10 11 12]], [result.outcome, result.suspects.map(&:name)]
    assert_equal %w[8 12], [result.reported.a, result.reported.b]
  end

  test "the figures are those of the point against the one before it" do
    result = bisect(line(13))
    step = result.reported

    assert_equal [:confirm, "12", "13"], [step.kind, step.a, step.b]
    assert_operator step.interval.first, :<, Math.exp(-0.05)
    assert_operator step.interval.last, :>, Math.exp(-0.05)
  end

  test "two neighbours are told by the ends alone" do
    result = bisect(line(1, last: 1))

    assert_equal ["found", 1, :ends], [result.outcome, result.steps.size, result.reported.kind]
  end

  test "what gets slower bit by bit is not blamed on one" do
    slope = (0..20).map { |index| -0.004 * index }
    outcomes = Array.new(20) { |i| bisect(slope, seed: i).outcome }.tally

    assert_operator outcomes.fetch("found", 0), :<=, 6
  end

  test "an end that is faster, or can't be measured, ends it" do
    assert_equal "none", bisect(line(5, effect: -0.05)).outcome
    result = bisect(line(5), broken: [20])
    assert_equal ["invalid", BisectHost.invalid], [result.outcome, result.finding]
  end

  test "without time left it is undecided, and says among which" do
    result = bisect(line(13, effect: 0.02), sd: 0.01, budget_s: 60)

    assert_equal "undecided", result.outcome
    assert_operator result.suspects.size, :>, 1
    assert_includes result.suspects.map(&:name), "13"
    assert_operator result.steps.sum(&:measured_s), :<=, 60
  end

  test "the level of all steps together stays within 5 %, also with many broken points" do
    [[], [10], (5..15).to_a].each do |broken|
      levels = []
      host = BisectHost.new(line(4), sd: SD, broken:)
      measure = lambda do |a, b, asked, left|
        levels << asked[:question].to_h.dig(:step, :alpha)
        host.call(a, b, asked, left)
      end
      result = Mohs::Bisect::Bisection.new(points: host.points, measure:).call
      steps = result.steps.select { |step| step.kind == :search }
      used = levels.compact.zip(steps).sum { |level, step| step.verdict == "skipped" ? 0 : level }

      assert_operator used, :<, Mohs::Bisect::Search::ALPHA
      assert_operator used, :>, Mohs::Bisect::Search::ALPHA / 3
    end
  end

  test "Ctrl-C between or within comparisons leaves what is known so far" do
    calls = 0
    host = BisectHost.new(line(13), sd: SD)
    measure = lambda do |a, b, asked, left|
      calls += 1
      raise Interrupt if calls == 4

      host.call(a, b, asked, left)
    end
    result = Mohs::Bisect::Bisection.new(points: host.points, measure:).call
    assert_equal ["interrupted", 3], [result.outcome, result.steps.size]
    assert_includes result.suspects.map(&:name), "13"
    assert_operator result.suspects.size, :<, 20

    stopped = ->(*args) { host.call(*args).with(state: "interrupted") }
    result = Mohs::Bisect::Bisection.new(points: host.points, measure: stopped).call
    assert_equal ["interrupted", 20], [result.outcome, result.suspects.size]
  end

  test "each step is told before and after" do
    events = []
    on_event = ->(name, facts) { events << [name, facts] }
    result = bisect(line(2, last: 4), on_event:)

    assert_equal %i[step step_done] * result.steps.size, events.map(&:first)
    first, second = events.select { |name, _| name == :step }.map(&:last)
    assert_equal [:ends, 2, 4], first.values_at(:kind, :left, :suspects)
    assert_equal %w[0 2], second.values_at(:a, :b).map(&:name)
  end
end

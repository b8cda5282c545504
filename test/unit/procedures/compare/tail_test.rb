# frozen_string_literal: true

require "test_helper"

class TailTest < Mohs::TestCase
  def tail(differences, **options)
    Mohs::Stored.comparison(CompareResult.new(differences, **options).to_h).tail
  end

  def counted(count)
    lambda do |trial, name, _|
      asked = name == "b" ? count : 5000
      latency = { **trial[:facts][:latency], count: asked }
      trial[:facts] = { **trial[:facts], latency: }
    end
  end

  test "it is compared cohort by cohort, better is bigger" do
    line = tail([0.301, 0.3, 0.299])

    assert_in_delta 8.0, line.a, 1e-3
    assert_in_delta 8.0 / Math.exp(0.3), line.b, 1e-3
    assert_in_delta Math.exp(0.3), line.effect, 1e-3
    assert_equal ["better", false], [line.outcome, line.within]
    assert_operator line.low, :<, line.effect
    assert_operator line.high, :>, line.effect
  end

  test "an interval within the margin is said to be" do
    judged = ->(*differences) { tail(differences).to_h.values_at(:outcome, :within) }

    assert_equal ["alike", true], judged.call(0.0003, 0.0006, -0.0003)
    assert_equal ["alike", false], judged.call(0.02, -0.03, 0.01, 0.0)
    assert_equal ["worse", false], judged.call(-0.3, -0.31, -0.29)
  end

  test "before the first look there is no interval" do
    assert_equal [nil, nil, nil], tail([0.1]).to_h.values_at(:low, :outcome, :within)
  end

  test "with too few requests it has no figures, but says how many it takes" do
    few = tail([0.3, 0.3, 0.3], trial: counted(380))

    assert_equal ["too_few_requests", { had: 380, needed: 381, cohorts: 3, of: 3 }],
                 [few.missing.code, few.missing.values.slice(:had, :needed, :cohorts, :of)]
    assert_nil few.effect
    assert tail([0.3, 0.3, 0.3], trial: counted(381)).effect
  end

  test "how long a load would have to be follows from the server that answered the fewest" do
    measured = nil
    line = tail([0.3, 0.3, 0.3], trial: lambda { |trial, name, at|
      counted(at == 1 ? 127 : 254).call(trial, name, at)
      next unless name == "b" && at == 1

      measured = trial[:slices].select { |one| one[:block] }.sum { |one| one[:wall_ns] } / 1e9
    })

    assert_in_delta 3 * measured, line.missing.values[:needed_s], 1e-6
  end

  # Whoever is slow answers fewer: the cohorts that are left would be the fast ones.
  test "without it in any cohort there is no interval, and it says in how many" do
    few = ->(trial, name, at) { counted(380).call(trial, name, at) if [1, 4].include?(at) }
    line = tail([0.0, -0.1, 0.001, -0.001, -0.1, 0.0], trial: few)

    assert_equal ["too_few_requests", { had: 380, needed: 381, cohorts: 2, of: 6 }],
                 [line.missing.code, line.missing.values.slice(:had, :needed, :cohorts, :of)]
    assert_equal [nil] * 4, line.to_h.values_at(:outcome, :effect, :low, :within)
    assert_in_delta 8.0, line.a, 1e-3
  end

  test "a p99 that a request without a response holds is missing in that cohort, too" do
    lost = lambda do |trial, name, at|
      next unless at.zero? && name == "b"

      latency = { **trial[:facts][:latency], unanswered: ["p99_ns"] }
      trial[:facts] = { **trial[:facts], latency: }
    end
    line = tail([0.3, 0.31, 0.3], trial: lost)

    assert_equal [["unanswered_requests", { cohorts: 1, of: 3 }], nil],
                 [[line.missing.code, line.missing.values], line.low]
  end

  # Slices of about a thousand requests, one process of five threads.
  def on(connections, kind: "service")
    tail([0.3, 0.3, 0.3], trial: lambda { |trial, *|
      latency = { **trial[:facts][:latency], kind: }
      asked = { **trial[:facts][:connections], asked: connections }
      trial[:facts] = { **trial[:facts], latency:, connections: asked }
    })
  end

  test "where a slice ends before connections that wait had their turn twice, there is none" do
    line = on(64)

    assert_equal ["waits_cut_off", { connections: 64 }], [line.missing.code, line.missing.values]
    assert_equal [nil] * 4, line.to_h.values_at(:a, :b, :effect, :low)
    assert on(16).effect
    assert on(64, kind: "response").effect, "requests of a given rate wait for no turn"
  end

  test "without any latency it was not recorded" do
    without = ->(trial, *) { trial[:facts] = trial[:facts].except(:latency) }

    assert_equal "not_recorded", tail([0.3, 0.3, 0.3], trial: without).missing.code
    assert_equal "not_recorded", tail([]).missing.code
  end

  test "it belongs to no family: the others' intervals stay as they are" do
    refute_includes Mohs::Analysis::Metric::ALL, Mohs::Analysis::Metric::TAIL
    assert_raises(Mohs::UsageError) { Mohs::Analysis::Metric.fetch("p99") }
  end

  def comparison(differences, rules, **options)
    Mohs::Stored.comparison(CompareResult.new(differences, comparison: rules, **options).to_h)
  end

  test "where it is asked for it decides, by the test that the deciding metric has" do
    usual = comparison([0.301, 0.3, 0.299], {})
    asked = comparison([0.301, 0.3, 0.299], { metric: "p99" })

    assert_equal [:latency_p99_ms, :faster], [asked.verdict.metric, asked.verdict.outcome]
    assert_equal [:differs, 3, [3]], [asked.state, asked.looks.last.count, asked.looks.map(&:count)]
    assert_in_delta Math.exp(0.3), asked.verdict.effect, 1e-3
    assert_equal %w[throughput cpu p50 memory boot p99], (asked.lines.map { |one| one.metric.name })
    assert_same asked.lines.last.metric, asked.tail.metric
    assert_equal usual.lines.size + 1, asked.lines.size
    assert_equal asked.verdict.low, asked.tail.low
  end

  test "a cohort with too few requests for it ends the comparison without a verdict" do
    few = ->(trial, name, at) { counted(380).call(trial, name, at) if at == 1 }
    ended = comparison([0.3, 0.3, 0.3], { metric: "p99" }, trial: few)

    assert_equal [:invalid, :invalid], [ended.state, ended.verdict.outcome]
    assert_equal [["too_few_requests", 380, :bad]], (ended.verdict.findings.map do |one|
      [one.code, one.values[:had], one.severity]
    end)
    assert_equal :differs, comparison([0.3, 0.301, 0.3], {}, trial: few).state
  end

  test "a comparison that asks for it has them, unless the page is too slow or it did" do
    cases = [[380, {}], [120, {}], [380, { metric: "p99" }]]
    advised = cases.map do |count, rules|
      comparison([0.3, 0.3, 0.3], rules, trial: counted(count)).tail.missing.values[:comparison]
    end

    assert_equal [false, true, true], advised.map(&:nil?)
  end

  # There nothing was measured yet.
  test "before the first cohort it does not end the comparison" do
    begun = comparison([], { metric: "p99" }, state: "running")

    assert_equal [:continue, nil], [begun.state, begun.fault]
  end

  # After three cohorts p99 differs; a gate on CPU time is still open, and the fourth has too few
  # requests.
  test "a cohort that lacks it after the verdict takes nothing back" do
    few = ->(trial, name, at) { counted(380).call(trial, name, at) if at == 3 }
    rules = { metric: "p99", gates: ["cpu < +0.001%"] }
    found = comparison([0.3, 0.301, 0.299, 0.3], rules, trial: few)

    assert_equal [:faster, nil], [found.verdict.outcome, found.fault]
    assert_operator found.tail.low, :>, 1
  end

  # The third of four cohorts of a fleet is still under way.
  test "while a cohort is under way, those behind it give no look" do
    hash = CompareResult.new([0.3, 0.301, 0.299, 0.3], state: "running").to_h
    hash[:cohorts][2].update(state: "running", trials: [])
    open = Mohs::Stored.comparison(hash)
    hash[:run][:state] = "finished"
    ended = Mohs::Stored.comparison(hash)

    assert_equal [[], 2, :continue], [open.looks, open.pairs.size, open.state]
    assert_equal [3], ended.looks.map(&:count), "nobody will finish it"
  end

  test "a gate may name it: its line is judged with the others" do
    gates = ["p99 < -10%"]
    held, open = [[-0.3, -0.301, -0.3], [0.3, 0.301, 0.3]].map do |differences|
      comparison(differences, { gates: }).gates.first.outcome
    end
    few = comparison([0.3, 0.3, 0.301], { gates: }, trial: counted(380)).gates.first

    assert_equal %w[fails holds inconclusive], [held, open, few.outcome]
    assert_equal "too_few_requests", few.finding.code
  end

  # Each look asks whether gates are open, the last one, too.
  test "a gate on it is judged at every look, by the cohorts up to that" do
    few = ->(trial, name, at) { counted(380).call(trial, name, at) if at == 4 }
    levels = { fails: 0.001, holds: 0.05 }
    looks = [{}, { levels: }].map do |question|
      rules = { gates: ["p99 < +0.001%"], **question }
      comparison([0.001, -0.001, 0.002, 0.0, 0.0], rules, trial: few).looks.map(&:count)
    end
    held = comparison([0.3, 0.301, 0.3, 0.3, 0.3], { gates: ["p99 < +5%"], levels: }, trial: few)

    assert_equal [[3, 4, 5], [3, 4, 5]], looks
    assert_equal [[3], "holds"], [held.looks.map(&:count), held.gates.first.outcome]
  end

  test "only then its servers need the requests for it" do
    gated = [["cpu < +2%", " P99 < +2%"], [], ["p50 < 9%"]].map do |texts|
      { gates: texts.map { |text| Mohs::Compare::Condition.parse(text) } }
    end

    rules = [{ metric: "p99" }, *gated].map do |one|
      Mohs::Compare::Rules.new(candidate: "b", **one)
    end

    assert_equal [true, true, false, false], rules.map(&:tail?)
  end
end

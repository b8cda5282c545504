# frozen_string_literal: true

require "test_helper"

# When a comparison goes on, what ends it, and what it says then.
class CompareResultTest < Mohs::TestCase
  def comparison(differences, **options)
    Mohs::Stored.comparison(CompareResult.new(differences, **options).to_h)
  end

  def failing(*positions, state: "failed")
    lambda do |trial, name, position|
      next unless name == "b" && positions.include?(position)

      trial.merge!(state:, reason: "the server died (exit 3)\nmore", slices: [])
    end
  end

  NOISY = [0.02, -0.03, 0.01, 0.0, 0.03, -0.02].freeze

  test "at a rate that both have, what is served is no metric, and hides no difference" do
    rated = CompareResult.new([0.3, 0.301, 0.3], comparison: { metric: "p99" },
                                                 variants: [{ rate: 60 }, { rate: 60 }])
    found = Mohs::Stored.comparison(rated.to_h)

    assert_equal %w[cpu p50 memory boot p99], (found.lines.map { |one| one.metric.name })
    assert_equal [:faster, true], [found.verdict.outcome, found.rated?]
  end

  test "it goes on until a look decides, and no further" do
    assert_equal :continue, comparison([]).state
    assert_equal :continue, comparison([0.3, 0.31]).state
    assert_equal :differs, comparison([0.3, 0.31, 0.29]).state
    assert_equal :equivalent, comparison([0.001, 0.002, -0.001, 0.0]).state
    assert_equal :continue, comparison(NOISY).state
  end

  test "one cohort has the figures of both sides and no effect" do
    one, two = [[0.3], [0.3, 0.3]].map { |differences| comparison(differences) }

    assert_equal [nil] * (one.lines.size + 2),
                 [*one.lines, one.tail, one.verdict].map(&:effect)
    assert_in_delta 1000, one.lines.first.a
    assert_in_delta Math.exp(0.3), two.verdict.effect
  end

  test "a margin and a precision end it where they suffice" do
    assert_equal :equivalent, comparison(NOISY.first(4), comparison: { margin: 0.2 }).state
    assert_equal :precise, comparison(NOISY.first(4), comparison: { precision: 0.1 }).state
  end

  # Around 20 %, with a standard deviation of 0.8 %.
  FAR = NOISY.cycle.first(12).map { |difference| 0.2 + (difference / 3) }.freeze
  TRACK = { name: "shop", reference: "@v1", reference_id: "@0f3a" }.freeze

  def point(count, **options)
    comparison(FAR.first(count), comparison: { precision: 0.01 }, track: TRACK, **options)
  end

  test "a point of a history ends when it is as sure as the others, not when it differs" do
    decided = (3..12).find { |count| point(count).over? }
    effect = point(decided).verdict

    assert_equal [:differs, :faster], [point(decided).state, effect.outcome]
    assert_operator Math.log(effect.high / effect.low) / 2, :<=, Math.log(1.01)
    assert_operator comparison(FAR.first(decided)).looks.last.count, :<, decided
  end

  test "a point that the budget ends has the verdict of what is there" do
    assert_equal :continue, point(5).state
    ended = point(5, budget_s: 26)

    assert_equal %i[differs faster], [ended.state, ended.verdict.outcome]
  end

  test "a budget ends it as soon as the next cohort has no room" do
    assert_equal :continue, comparison(NOISY, budget_s: 35).state
    assert_equal :budget, comparison(NOISY, budget_s: 34).state
    assert_equal :budget, comparison([0.1], budget_s: 6).state
  end

  test "as many cohorts as asked for at most end it" do
    states = [7, 6].map { |most| comparison(NOISY, comparison: { most: }).state }

    assert_equal %i[continue exhausted], states
  end

  test "a verdict has the warnings, a fatal one first and once" do
    pauses = ->(slice, name, index, _) { slice[:wall_ns] *= 5 if name == "b" && index == 8 }
    grows = ->(slice, _, index, _) { slice[:cpu_ns] = (slice[:cpu_ns] * (1.01**index)).round }
    found = [pauses, grows].map do |slice|
      verdict = comparison([0.051, 0.052, 0.049, 0.05, 0.051], slice:).verdict
      [verdict.outcome, verdict.findings.map(&:code) & %w[pauses growth]]
    end

    assert_equal [[:faster, %w[pauses]], [:invalid, %w[growth]]], found
  end

  test "no cohort left to run ends it, whatever became of those that ran" do
    assert_equal :exhausted, comparison(NOISY * 5).state
    ended = comparison(NOISY, planned: 6, trial: failing(1))
    assert_equal [:exhausted, true, 5], [ended.state, ended.over?, ended.pairs.size]
  end

  # p50 of B is so many times that of A, cohort by cohort; B serves 30 % more.
  def gated(gate, times, **rules)
    slice = lambda do |facts, name, _index, position|
      facts[:p50_ns] = 1_000_000 * (name == "b" ? times[position] : 1)
    end
    differences = times.each_index.map { |index| 0.26 + (index % 2 * 0.01) }
    comparison(differences, comparison: { gates: [gate], **rules.slice(:quick, :most, :precision) },
                            slice:, **rules.except(:quick, :most, :precision))
  end

  WIDE = [1.00, 1.05, 0.98, 1.04, 1.0, 1.05].freeze
  EXACT = [1.00, 1.001, 0.999, 1.001, 1.0].freeze

  test "what is decided goes on while a gate neither holds nor fails" do
    open = gated("p50 < +2%", WIDE.first(3))

    assert_equal [:continue, :differs, false, false],
                 [open.state, open.decided, open.over?, open.wants_solo?]
    assert_equal :faster, open.verdict.outcome
    assert_equal :continue, gated("p50 < +2%", WIDE.first(4)).state
  end

  test "a gate that holds, or fails, lets it end" do
    assert_equal :differs, gated("p50 < +2%", EXACT.first(3)).state
    assert_equal :differs, gated("p50 < -2%", EXACT.first(3)).state
    assert_equal :differs, gated("throughput > -2%", WIDE.first(3)).state
    assert_equal :continue, gated("p50 < +2%", EXACT.first(2)).state
  end

  test "between looks and at the end of the budget it is what the last look said" do
    six = gated("p50 < +2%", WIDE)
    assert_equal :continue, six.state
    seven = [gated("p50 < +2%", [*WIDE, 1.0]), gated("p50 < +2%", [*WIDE, 1.0], budget_s: 36)]

    assert_equal %i[continue differs], seven.map(&:state)
    assert_predicate seven.last, :over?
    assert_equal :differs, gated("p50 < +2%", WIDE, planned: 6).state
    assert_equal :differs, gated("p50 < +2%", WIDE.first(4), most: 4).state
  end

  test "neither a quick answer nor what can't be told waits for a gate" do
    assert_equal :differs, gated("p50 < +2%", WIDE.first(3), quick: true).state
    missing = comparison([0.3, 0.31, 0.29], comparison: { gates: ["p50 < +2%"] },
                                            slice: ->(facts, *) { facts[:p50_ns] = nil })

    assert_equal :differs, missing.state
  end

  test "what is equal stays so while a gate is waited for" do
    wide = lambda do |facts, name, _index, position|
      facts[:p50_ns] = 1_000_000 * (name == "b" ? WIDE[position] : 1)
    end
    equal = comparison([0.001, 0.002, -0.001, 0.0], comparison: { gates: ["p50 < +2%"] },
                                                    slice: wide)

    assert_equal %i[continue equivalent], [equal.state, equal.verdict.outcome]
  end

  test "quick answers at the first look, unless that decides" do
    quick = { comparison: { quick: true } }
    assert_equal :continue, comparison(NOISY.first(2), **quick).state
    assert_equal :quick, comparison(NOISY.first(3), **quick).state
    assert_equal :differs, comparison([0.3, 0.31, 0.29], **quick).state
    assert_equal :undecided, comparison(NOISY.first(3), **quick).verdict.outcome
  end

  test "a quick answer that a look decided has the look's own interval" do
    expected = Mohs::Stats::Sequential.new.interval([0.3, 0.31, 0.29]).exp
    verdict = comparison([0.3, 0.31, 0.29], comparison: { quick: true }).verdict

    assert_in_delta expected.low, verdict.low, 1e-5
  end

  test "a quick interval is narrower on a quiet host, and no narrower than its own noise allows" do
    quiet, noisy = [[0.004, 0.001, 0.002], [0.1, -0.2, 0.05]].map do |differences|
      [true, false].map do |quick|
        verdict = comparison(differences, comparison: { quick: }).verdict
        Math.log(verdict.high / verdict.low)
      end
    end

    assert_operator noisy.first, :<, noisy.last
    sd = Mohs::Stats::Spread.sd([0.1, -0.2, 0.05])
    assert_operator noisy.first / 2, :>, 1.96 * sd / Math.sqrt(3)
    assert_operator quiet.first, :>, 0.01, "three cohorts that happen to agree prove nothing"
  end

  test "a cohort in which a server crashed is left out, three of them are a result" do
    one = comparison([0.3, 9.0, 0.31, 0.29], trial: failing(1))
    assert_equal [:differs, [0, 2, 3]], [one.state, one.pairs.map(&:position)]
    assert_in_delta 0.3, Math.log(one.verdict.effect), 1e-6
    trouble = { side: "B", variant: "b",
                reason: Mohs::Reason.parse("the server died (exit 3)\nmore"),
                spoiled: nil }
    assert_equal ["side_failed", trouble],
                 [one.void.first.trouble.code, one.void.first.trouble.values]

    three = comparison(NOISY, trial: failing(0, 2, 4))
    assert_equal :invalid, three.state
    assert_equal ["side_failed", "B", { **trouble, cohorts: 3 }],
                 [three.fault.code, three.fault.subject, three.fault.values]
    assert_equal 4, three.spoiler.position
  end

  # The hostile case: the faster side hangs in one cohort of several. Without that cohort it wins.
  test "a side that falls silent under load in one cohort is not faster, and that is the end" do
    hangs = ->(slice, name, _, position) { slice[:good] = 0 if name == "b" && position == 1 }
    found = [2, 4].map { |count| comparison([0.3, 0.31, 0.29, 0.3].first(count), slice: hangs) }

    assert_equal [[:invalid, "side_silent", "B"]] * 2,
                 found.map { |one| [one.state, one.fault.code, one.fault.subject] }
    assert_equal [:invalid] * 2, found.map { |one| one.verdict.outcome }
  end

  test "a server that died under load is a result at once, one that did not come so far is not" do
    died = lambda do |trial, name, position|
      next unless name == "b" && position == 1

      trial.merge!(state: "failed", reason: "died (exit 3)", slices: trial[:slices].first(4))
    end
    left_out = lambda do |trial, name, position|
      died.call(trial, name, position)
      trial.merge!(state: "lost", slices: []) if name == "a" && position == 1
    end
    found = [died, left_out].map { |trial| comparison([0.3, 0.3, 0.31, 0.29], trial:) }

    assert_equal [[:invalid, "side_failed", "B", nil]] * 2, (found.map do |one|
      [one.state, one.fault.code, one.fault.subject, one.fault.values[:cohorts]]
    end)
    assert_equal :differs, comparison([0.3, 0.3, 0.31, 0.29], trial: failing(1)).state
  end

  %w[refused invalid].each do |state|
    test "one server that is #{state} ends it at once" do
      ended = comparison([0.3], trial: failing(0, state:))

      assert_equal [:invalid, :invalid], [ended.state, ended.verdict.outcome]
      assert_equal [ended.fault], ended.verdict.findings
      assert_equal "side_#{state}", ended.fault.code
    end
  end

  test "a server that its own checks made invalid is told with the check" do
    checks = [{ name: "jit", ok: false, level: "invalid", code: "jit.other",
                values: { declared: "yjit", boot: "off" } }]
    spoiled = lambda do |trial, name, _|
      trial.merge!(state: "invalid", reason: nil, facts: { checks: }) if name == "b"
    end
    fault = comparison([0.3], trial: spoiled).fault

    assert_equal ["side_invalid", "b"], [fault.code, fault.values[:variant]]
    assert_equal checks.first.slice(:code, :values), fault.values[:spoiled]
  end

  test "trials of a mohs that was killed don't count against a server" do
    lost = ->(trial, _, position) { trial.merge!(state: "lost", slices: []) if position.zero? }
    found = comparison([0.1, 0.3, 0.31, 0.29], trial: lost)

    assert_equal [nil, 3], [found.fault, found.pairs.size]
  end

  # As `mohs gate` asks it, of requests/s.
  def leveled(differences, gates: ["throughput > -2%"], fails: 0.001, **options)
    levels = { fails:, holds: 0.05 }
    comparison(differences, comparison: { gates:, levels:, **options.slice(:metric) },
                            **options.except(:metric))
  end

  SLOWER = [-0.05, -0.052, -0.048, -0.051, -0.049, -0.05, -0.05, -0.051].freeze

  test "under the levels of mohs gate the gates alone end it" do
    assert_equal :continue, leveled(SLOWER.first(3)).state
    assert_equal :differs, leveled(SLOWER.first(5)).state
    assert_equal :continue, leveled([0.003, 0.005]).state
    assert_equal :gated, leveled([-0.003, 0.005, -0.004, 0.002]).state
    assert_predicate leveled([-0.003, 0.005, -0.004, 0.002]), :over?
    refute leveled([-0.3, -0.31, -0.29, -0.3, -0.3, -0.31]).wants_solo?
  end

  test "a gate of mohs gate fails at a stricter level than that of a comparison" do
    outcomes = [leveled(SLOWER.first(3)), leveled(SLOWER.first(6)),
                leveled(SLOWER.first(4), fails: 0.05)].map { |one| one.gates.first.outcome }

    assert_equal %w[inconclusive fails fails], outcomes
  end

  test "a budget ends the gates of mohs gate, which are judged then by all cohorts" do
    wide = SLOWER.first(7).each_with_index.map { |one, index| one * (index.even? ? 0.92 : 1.22) }
    judged = [40, 36].map do |budget_s|
      one = leveled(wide, budget_s:)
      [one.state, one.looks.last.count, one.gates.first.outcome]
    end

    assert_equal [[:continue, 6, "inconclusive"], [:differs, 7, "fails"]], judged
    noisy = leveled(NOISY.first(4), budget_s: 21)
    assert_equal [:budget, "inconclusive"], [noisy.state, noisy.gates.first.outcome]
  end

  test "a candidate that breaks fails the gates of mohs gate, unless the baseline does too" do
    outcome = ->(one) { one.gates.map { |gate| [gate.outcome, gate.finding.code] }.first }
    three = SLOWER.first(3)
    assert_equal %w[fails side_failed], outcome.call(leveled(three, trial: failing(0, 1, 2)))
    refused = leveled(three, trial: failing(0, state: "refused"))
    assert_equal %w[fails side_refused], outcome.call(refused)
    invalid = leveled(three, trial: failing(0, 1, 2, state: "invalid"))
    assert_equal %w[inconclusive gate_no_verdict], outcome.call(invalid)
    both = lambda do |trial, _, position|
      trial.merge!(state: "failed", reason: "died", slices: []) if position < 3
    end
    assert_equal %w[inconclusive gate_no_verdict], outcome.call(leveled(three, trial: both))
    compared = comparison(three, comparison: { gates: ["rps > -2%"] }, trial: failing(0, 1, 2))
    assert_equal %w[inconclusive gate_no_verdict], outcome.call(compared)
  end

  test "a gate of mohs gate holds only if the totals are within its limit, pauses included" do
    pauses = ->(slice, name, index, _) { slice[:wall_ns] *= 2 if name == "b" && index == 8 }
    even = [0.001, -0.001, 0.0, 0.001]
    found = [nil, pauses].map { |slice| leveled(even, slice:).gates.first.outcome }

    assert_equal %w[holds inconclusive], found
    assert_equal "holds", leveled(even, slice: pauses, gates: ["cpu < +2%"]).gates.first.outcome
  end

  test "all gates of mohs gate are waited for" do
    two = ->(count) { leveled(SLOWER.first(count), gates: ["memory < +5%", "rps > -2%"]) }

    assert_equal %w[holds inconclusive], two.call(3).gates.map(&:outcome)
    assert_equal :continue, two.call(3).state
    assert_equal %w[holds fails], two.call(5).gates.map(&:outcome)
  end

  test "the verdict is negated where A and B are exchanged" do
    differences = [0.045, 0.05, 0.047, 0.048]
    one, other = [differences, differences.map(&:-@)].map { |each| comparison(each).verdict }

    assert_in_delta 1, one.effect * other.effect, 1e-6
    assert_in_delta 1, one.low * other.high, 1e-6
    assert_equal %i[faster slower], [one, other].map(&:outcome)
  end

  test "the interval is the sequential one, as of the last look" do
    sequential = Mohs::Stats::Sequential.new
    verdict = comparison([*NOISY, 0.5]).verdict
    expected = sequential.interval(NOISY).exp

    assert_in_delta expected.low, verdict.low, 1e-6
    assert_in_delta expected.high, verdict.high, 1e-6
  end

  test "the deciding metric has the verdict's interval in the table, the others a wider one" do
    found = comparison(NOISY)
    lines = found.lines
    widths = lines.to_h { |line| [line.metric.name, Math.log(line.high / line.low)] }

    assert_equal [found.verdict.low, found.verdict.high],
                 [lines.first.low, lines.first.high]
    assert_operator widths["cpu"], :>, widths["throughput"]
    assert_equal "alike", lines.first.outcome
  end

  test "which of the two is better depends on what the metric counts" do
    slower = comparison([0.3, 0.31, 0.29], trial: lambda do |trial, name, _|
      memory = { at_end: { pss_bytes: name == "b" ? 50_000_000 : 40_000_000 } }
      trial[:facts] = trial[:facts].merge(memory:)
    end)
    outcomes = slower.lines.to_h do |line|
      [line.metric.name, [line.outcome, line.effect > 1]]
    end

    assert_equal({ "throughput" => ["better", true], "cpu" => ["better", true],
                   "p50" => ["better", true], "memory" => ["worse", false],
                   "boot" => ["alike", false] }, outcomes)
  end

  test "what was declared to differ is told" do
    found = comparison([], variants: [{ flags: [], ruby: "3" }, { flags: ["--yjit"], ruby: "3" }])

    assert_equal [:flags], found.declared
  end
end

# frozen_string_literal: true

require "test_helper"

class FailedCheckTest < Mohs::TestCase
  # checks: for each variant those of each of its trials.
  def failed(checks)
    sample = SampleResult.new(checks.transform_values { 1000 })
    cohorts = Array.new(checks.values.first.size) do |index|
      trials = checks.map do |name, all|
        trial = sample.trial(name)
        trial.merge(facts: trial[:facts].merge(checks: all[index]))
      end
      { round: index + 1, trials: }
    end
    rows = checks.keys.map do |name|
      Mohs::Analysis::Row.new(Mohs::Stored.variant({ name:, refusal: nil }),
                              Mohs::Stored.cohorts(cohorts))
    end
    Mohs::Analysis::FailedCheck.of(rows).map do |one|
      [one.name, one.worst.finding.code, one.worst.finding.values, one.others]
    end
  end

  def check(code, values, level: "warn")
    { name: code[/\w+/], ok: level == "ok", level:, code:, values: }
  end

  def waits(share, **level) = check("driver_waits.often", { share:, preempted: 2 }, **level)

  test "what passed everywhere is not there" do
    assert_empty failed("a" => [[waits(0.1, level: "ok")]], "b" => [[]])
  end

  test "what failed in several variants is there once, with the largest value" do
    found = failed("a" => [[waits(0.12)]], "b" => [[waits(0.24)]], "c" => [[waits(0.2)]])

    assert_equal [["b", "driver_waits.often", { share: 0.24, preempted: 2 }, %w[a c]]], found
  end

  test "each check has the value that makes it worse" do
    sizes = {
      "headroom.little" => [{ times: 2.9 }, { times: 2.3 }],
      "little_law.below" => [{ gap: 0.02, connections: 4 }, { gap: 0.15, connections: 4 }],
      "trend.slower" => [{ growth: 0.1 }, { growth: 0.3 }],
      "send_lag.late" => [{ p99_ns: 5 }, { p99_ns: 9 }],
    }
    sizes.each do |code, (less, more)|
      worst = failed("a" => [[check(code, more)]], "b" => [[check(code, less)]]) +
              failed("a" => [[check(code, less)]], "b" => [[check(code, more)]])
      assert_equal [["a", code, more, ["b"]], ["b", code, more, ["a"]]], worst
    end
  end

  test "what makes figures invalid is worse than any value, then what more of the trials have" do
    bad = { share: 0.01 }
    found = failed("a" => [[waits(0.9)], [waits(0.1)]],
                   "b" => [[check("driver_waits.often", bad, level: "invalid")], []])
    assert_equal [["b", "driver_waits.often", bad, ["a"]]], found

    passed = waits(0, level: "ok")
    found = failed("a" => [[waits(0.9)], [passed]], "b" => [[waits(0.2)], [waits(0.1)]])
    assert_equal [["b", "driver_waits.often", { share: 0.2, preempted: 2 }, ["a"]]], found
  end

  test "different checks stay apart, in the order of the rows" do
    found = failed("a" => [[waits(0.1)]],
                   "b" => [[check("headroom.little", { times: 2 }), waits(0.1)]])

    assert_equal %w[driver_waits.often headroom.little], found.map { |one| one[1] }
  end

  test "a check without a value, or without a code of its own, is kept too" do
    recorded = { name: "steady", ok: false, level: "warn", detail: "not steady" }
    found = failed("a" => [[recorded]], "b" => [[recorded]])

    assert_equal [["a", "steady.recorded", { detail: "not steady" }, ["b"]]], found
  end
end

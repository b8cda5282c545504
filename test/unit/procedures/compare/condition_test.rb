# frozen_string_literal: true

require "test_helper"

class CompareConditionTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-compare"

  Comparison = Struct.new(:verdict, :line, :trouble_since, :broken) do
    def gated(_gate) = line
  end
  Line = Mohs::Compare::Ruling::Line

  # low, high: of B / A. More of p50 is worse: its interval is that of A / B.
  def comparison(low, high, name: "p50", missing: nil, outcome: :undecided)
    metric = Mohs::Analysis::Metric.fetch(name)
    low, high = 1 / high, 1 / low if low && !metric.more
    line = Line.new(metric:, low:, high:, missing:)
    Comparison.new(Mohs::Analysis::Verdict.new(outcome:), line)
  end

  def outcome(text, ...) = gate(text, ...).outcome

  def gate(text, ...) = Mohs::Compare::Condition.parse(text).call(comparison(...))

  test "it holds where the whole interval does, fails where none of it does" do
    assert_equal "holds", outcome("p50 < +2%", 0.99, 1.019)
    assert_equal "fails", outcome("p50 < +2%", 1.021, 1.10)
    assert_equal "inconclusive", outcome("p50 < +2%", 1.01, 1.03)
  end

  test "an end that lies on the bound is not beyond it" do
    assert_equal %w[inconclusive fails],
                 [[1.0, 2.0], [2.0, 4.0]].map { |ends| outcome("p50 < +100%", *ends) }
    more = [[0.5, 1.0], [0.25, 0.5]].map { |e| outcome("rps > -50%", *e, name: "throughput") }
    assert_equal %w[inconclusive fails], more
  end

  test "a bound below 0, and the other side" do
    options = { name: "throughput" }
    assert_equal "holds", outcome("throughput > -2%", 0.99, 1.2, **options)
    assert_equal "fails", outcome("rps > -2 %", 0.90, 0.97, **options)
    assert_equal "inconclusive", outcome("requests/s>-2%", 0.90, 0.99, **options)
    assert_equal "holds", outcome("p50 < -5%", 0.7, 0.94)
  end

  test "the finding has the interval in the metric's own direction" do
    finding = gate("p50 < +2%", 1.03, 1.12).finding
    assert_equal %w[gate_interval p50], [finding.code, finding.values[:metric]]
    assert_in_delta 1.03, finding.values[:low]
    assert_in_delta 1.12, finding.values[:high]
  end

  test "what has no interval, or no verdict, is inconclusive and says why" do
    none = gate("p50 < 2%", nil, nil)
    assert_equal %w[inconclusive gate_no_interval], [none.outcome, none.finding.code]
    bunching = Mohs::Analysis::Finding.new(code: "bunching", severity: :info)
    assert_equal bunching, gate("p50 < 2%", nil, nil, missing: bunching).finding
    invalid = gate("p50 < 2%", 0.9, 0.95, outcome: :invalid)
    assert_equal %w[inconclusive gate_no_verdict], [invalid.outcome, invalid.finding.code]
  end

  test "it survives the store, and is shown with all of its digits" do
    { "p50 < +2%" => "p50 < +2%", "rps>-0.5 %" => "throughput > -0.5%", "P99 < 3%" => "p99 < +3%",
      "memory < +1.234%" => "memory < +1.234%", "cpu < 1000%" => "cpu < +1000%",
      "boot < -0%" => "boot < +0%" }.each do |typed, shown|
      gate = Mohs::Compare::Condition.parse(typed)
      stored = JSON.parse(JSON.generate(gate.to_h), symbolize_names: true)

      again = Mohs::Compare::Condition.from_h(stored)

      assert_equal [gate, shown], [again, again.to_s]
    end
  end

  test "what is no gate is told, with how one is written" do
    ["p50", "p50 < 2", "p50 = 2%", "< 2%", "p50 <", "p50 < 2% or more", ""].each do |text|
      error = assert_raises(Mohs::UsageError) { Mohs::Compare::Condition.parse(text) }
      assert_said(error.message)
    end
  end

  test "a metric that isn't there is told, with the nearest" do
    error = assert_raises(Mohs::UsageError) { Mohs::Compare::Condition.parse("memroy < 2%") }
    assert_equal 'unknown metric "memroy". Did you mean memory?', error.message
  end
end

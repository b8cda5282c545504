# frozen_string_literal: true

require "test_helper"

class GateTest < Mohs::TestCase
  # metric p50 better less: effect is A / B.
  def document(low, high, name: "p50", better: "less", missing: nil, outcome: "undecided")
    interval = low && (better == "less" ? [1 / high, 1 / low] : [low, high])
    { verdict: { outcome: }, metrics: [{ name:, better:, interval:, missing: }] }
  end

  def outcome(text, ...) = gate(text, ...).outcome

  def gate(text, ...) = Mohs::Comparison::Gate.parse(text).call(document(...))

  test "it holds where the whole interval does, fails where none of it does" do
    assert_equal "holds", outcome("p50 < +2%", 0.99, 1.019)
    assert_equal "fails", outcome("p50 < +2%", 1.021, 1.10)
    assert_equal "inconclusive", outcome("p50 < +2%", 1.01, 1.03)
  end

  test "a bound below 0, and the other side" do
    options = { name: "throughput", better: "more" }
    assert_equal "holds", outcome("throughput > -2%", 0.99, 1.2, **options)
    assert_equal "fails", outcome("rps > -2 %", 0.90, 0.97, **options)
    assert_equal "inconclusive", outcome("requests/s>-2%", 0.90, 0.99, **options)
    assert_equal "holds", outcome("p50 < -5%", 0.7, 0.94)
  end

  test "the reason has the interval in the metric's own direction" do
    assert_equal "p50 +3 % to +12 %", gate("p50 < +2%", 1.03, 1.12).reason.gsub(".0", "")
  end

  test "what has no interval, or no verdict, is inconclusive and says why" do
    assert_equal ["inconclusive", "no interval yet"], gate("p50 < 2%", nil, nil).to_h.values.last(2)
    assert_equal "bunches", gate("p50 < 2%", nil, nil, missing: "bunches").reason
    assert_equal ["inconclusive", "no verdict"],
                 gate("p50 < 2%", 0.9, 0.95, outcome: "invalid").to_h.values.last(2)
  end

  test "what is no gate is told, with how one is written" do
    ["p50", "p50 < 2", "p50 = 2%", "< 2%", "p50 <", "p50 < 2% or more", ""].each do |text|
      error = assert_raises(Mohs::UsageError) { Mohs::Comparison::Gate.parse(text) }
      assert_includes error.message, "#{text.inspect}: write it as \"p50 < +2%\""
    end
  end

  test "a metric that isn't there is told, with the nearest" do
    error = assert_raises(Mohs::UsageError) { Mohs::Comparison::Gate.parse("memroy < 2%") }
    assert_equal 'there is no metric "memroy". Did you mean memory?', error.message
  end
end

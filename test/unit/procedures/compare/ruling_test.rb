# frozen_string_literal: true

require "test_helper"

class RulingLineTest < Mohs::TestCase
  Line = Mohs::Compare::Ruling::Line
  Metric = Mohs::Analysis::Metric

  test "what is beyond chance is better or worse, whatever the verdict" do
    assert_equal(%w[better worse], [[1.01, 1.02], [0.98, 0.99]].map { |ends| mark(*ends) })
    assert_equal "better", mark(1.001, 1.002, metric: deciding)
  end

  test "alike is equal only within the margin" do
    assert_equal(%w[equal undecided], [[0.995, 1.005], [0.9, 1.1]].map { |ends| mark(*ends) })
  end

  test "of the metric that decides, the verdict says whether it is equal" do
    assert_equal "undecided", mark(0.995, 1.005, metric: deciding)
    assert_equal "equal", mark(0.9, 1.1, metric: deciding, outcome: :equivalent)
    assert_equal "undecided", mark(0.995, 1.005, metric: deciding, outcome: :invalid)
  end

  test "without an interval there is nothing to say" do
    assert_nil mark(nil, nil)
  end

  private

  def deciding = Metric::ALL.first

  def mark(low, high, metric: Metric::ALL.last, outcome: :undecided)
    interval = Mohs::Stats::Interval.new(value: 1.0, low:, high:)
    verdict = Mohs::Analysis::Verdict.new(outcome:, metric: deciding.key)
    Line.of(interval, margin: 0.01, metric:).mark(verdict)
  end
end

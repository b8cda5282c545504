# frozen_string_literal: true

require "test_helper"

# By which ends of its two tests' intervals a limit is judged.
class GateQuestionTest < Mohs::TestCase
  LEVELS = { fails: 0.001, holds: 0.05 }.freeze

  Look = Struct.new(:differences) do
    def of(_metric) = differences

    def bias(_metric) = 0.0

    def totals(_metric) = nil
  end

  # intervals: { level => log interval, better is bigger }.
  Comparison = Struct.new(:metric, :intervals) do
    def sequential(look:, alpha:) = Test.new(intervals.fetch(alpha), look)
  end

  Test = Struct.new(:found, :look) do
    def equivalence_interval(_logs, bias:) = found.widen(bias)
  end

  # fails, holds: intervals of B / A as the metric counts. The outcome of the gate and the ends by
  # which it is judged.
  def judged(text, fails, holds, name: "p50")
    metric = Mohs::Analysis::Metric.fetch(name)
    found = { LEVELS[:fails] => fails, LEVELS[:holds] => holds }.transform_values do |ends|
      logs = ends.map { |one| Math.log(metric.more ? one : 1 / one) }.sort
      Mohs::Stats::Interval.new(value: logs.sum / 2, low: logs.first, high: logs.last)
    end
    gate = Mohs::Compare::Condition.parse(text)
    line = Mohs::Compare::Ruling::Line.new(metric:, effect: 1.0, low: 0.1, high: 10.0)
    line = Mohs::Gate::Question.new(**LEVELS)
                               .gated(line, gate, Look.new([0.0]), Comparison.new(metric, found))
    [gate.open?(line), *(metric.more ? [line.low, line.high] : [1 / line.high, 1 / line.low])]
  end

  test "a limit fails by the strict end alone, and holds by the other alone" do
    open = lambda do |text, cases, **options|
      cases.map { |fails, holds| judged(text, fails, holds, **options).first }
    end
    worse = [[[1.021, 1.3], [1.05, 1.2]], [[1.01, 1.3], [1.05, 1.2]], [[0.9, 1.2], [0.95, 1.019]]]
    less = [[[0.7, 0.979], [0.8, 0.9]], [[0.7, 0.99], [0.8, 0.9]], [[0.8, 1.1], [0.981, 1.0]]]

    assert_equal [false, true, false], open.call("p50 < +2%", worse)
    assert_equal [false, true, false], open.call("throughput > -2%", less, name: "throughput")
  end

  test "its interval has the two ends that it is judged by" do
    strict, loose = [0.7, 1.3], [0.8, 1.2]
    ends = { "p50 < +2%" => [0.7, 1.2], "p50 > -2%" => [0.8, 1.3], "rps > -2%" => [0.8, 1.3],
             "rps < +2%" => [0.7, 1.2] }
    ends.each do |text, expected|
      _, *found = judged(text, strict, loose, name: text[/\w+/])
      expected.zip(found) { |one, other| assert_in_delta one, other, 1e-9, text }
    end
  end
end

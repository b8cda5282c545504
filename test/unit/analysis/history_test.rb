# frozen_string_literal: true

require "test_helper"
require "support/sample_history"

class AnalysisHistoryTest < Mohs::TestCase
  THROUGHPUT = Mohs::Analysis::Metric.fetch("throughput")

  def history(logs, metric: THROUGHPUT)
    Mohs::Analysis::History.new(SampleHistory.points(logs), metric:)
  end

  test "a step is found between its two points, with its size" do
    change, *others = history(SampleHistory.steps([30, 0.1], [10, 0.07])).changes

    assert_empty others
    assert_equal [29, 30, [30, 10]], [change.before.id, change.first.id, change.points]
    assert_in_delta Math.exp(-0.03), change.effect.value, 0.005
    assert_operator change.effect.low, :<, change.effect.value
    assert_operator change.effect.high, :<, 1
  end

  test "no change without one, nor one that is too small to matter" do
    assert_empty history(SampleHistory.steps([60, 0.1])).changes
    assert_empty history(SampleHistory.steps([30, 0.1], [30, 0.094], sd: 0.0005)).changes
  end

  test "a change is fresh with the point that brings it to light, and not with later ones" do
    logs = SampleHistory.steps([30, 0.1], [12, 0.05])
    fresh = (30..42).map { |count| history(logs.first(count)).changes.map(&:fresh) }

    assert_equal 1, fresh.count([true])
    assert_equal [[false]], fresh.last(5).uniq
  end

  test "points without the figure are left out" do
    found = history([0.1, nil, 0.1])

    assert_equal [2, 1], [found.kept.size, found.left_out.size]
    assert_empty history([0.1], metric: Mohs::Analysis::Metric.fetch("p50")).kept
  end

  test "now is the ratio since the last change" do
    assert_in_delta Math.exp(0.07),
                    history(SampleHistory.steps([30, 0.1], [10, 0.07])).now.value, 0.005
    assert_nil history([]).now
    assert_nil history([0.1]).now.low
  end
end

# frozen_string_literal: true

require "test_helper"

class BunchingTest < Mohs::TestCase
  def missing(result)
    lines = Mohs::Stored.comparison(result.to_h).lines
    lines.find { |line| line.metric.key == :latency_p50_ms }.missing
  end

  def finding(p50_ms:, connections:, workers: { "a" => 1, "b" => 1 }, engines: {})
    slice = ->(one, *) { one[:p50_ns] = (p50_ms * 1e6).round }
    trial = lambda do |one, name, *|
      attested = { **one[:facts][:attested], workers: workers[name],
                   engine: engines[name] }.compact
      one[:facts] = one[:facts].merge(connections: { asked: connections }, attested:)
    end
    missing(CompareResult.new([0.1], slice:, trial:))
  end

  test "the median of slow requests on several connections is left out" do
    found = finding(p50_ms: 100, connections: 4)
    assert_equal ["bunching", { connections: 4, locks: [1] }], [found.code, found.values]
  end

  test "each process has a lock of its own" do
    locks = [[2, 2], [2, 1], [1, nil], [nil, nil]].map do |counts|
      finding(p50_ms: 100, connections: 4, workers: %w[a b].zip(counts).to_h).values[:locks]
    end

    assert_equal [[2], [1, 2], [1], [1]], locks
  end

  test "an engine without a lock has a median" do
    of_both = { "a" => "jruby", "b" => "truffleruby" }
    assert_nil finding(p50_ms: 100, connections: 4, engines: of_both)
    found = finding(p50_ms: 100, connections: 4, workers: { "a" => 1, "b" => 3 },
                    engines: { "a" => "ruby", "b" => "jruby" })
    assert_equal [1], found.values[:locks]
  end

  test "fast requests, and one connection, have a median" do
    assert_nil finding(p50_ms: 4, connections: 4)
    assert_nil finding(p50_ms: 19.9, connections: 4)
    assert finding(p50_ms: 20.1, connections: 4)
    assert_nil finding(p50_ms: 100, connections: 1)
  end

  def by_p50(p50_ms:, count: 3)
    slower = { "a" => 1, "b" => Math.exp(-0.05) }
    slice = ->(one, name, *) { one[:p50_ns] = (p50_ms * 1e6 * slower.fetch(name)).round }
    result = CompareResult.new([0.05, 0.051, 0.049].first(count), slice:,
                                                                  comparison: { metric: "p50" })
    Mohs::Stored.comparison(result.to_h)
  end

  test "a median that its row leaves out gives no verdict either" do
    found = by_p50(p50_ms: 60)

    assert_equal [:invalid, :invalid, "metric_bunching", { connections: 4, locks: [1] }],
                 [found.verdict.outcome, found.state, found.fault.code, found.fault.values]
    assert_equal :invalid, by_p50(p50_ms: 60, count: 1).state
    assert_equal [:faster, :continue], [by_p50(p50_ms: 4).verdict.outcome,
                                        by_p50(p50_ms: 4, count: 1).state]
  end

  test "a deciding metric that no cohort has gives no verdict from the first look on" do
    without = ->(trial, *) { trial[:facts] = trial[:facts].except(:memory) }
    found = [2, 3].map do |count|
      Mohs::Stored.comparison(CompareResult.new([0.0] * count, trial: without,
                                                comparison: { metric: "memory" }).to_h)
    end

    assert_equal [[:continue, nil], [:invalid, "metric_not_recorded"]],
                 (found.map { |one| [one.state, one.fault&.code] })
  end

  test "before the first cohort nothing is known" do
    assert_equal "not_recorded", missing(CompareResult.new([])).code
  end
end

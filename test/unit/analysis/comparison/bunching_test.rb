# frozen_string_literal: true

require "test_helper"

class BunchingTest < Mohs::TestCase
  def missing(result)
    lines = Mohs::Stored.comparison(result.to_h).lines
    lines.find { |line| line.metric.key == :latency_p50_ms }.missing
  end

  def finding(p50_ms:, connections:)
    slice = ->(one, *) { one[:p50_ns] = (p50_ms * 1e6).round }
    trial = lambda do |one, *|
      one[:facts] = one[:facts].merge(connections: { asked: connections })
    end
    missing(CompareResult.new([0.1], slice:, trial:))
  end

  test "the median of slow requests on several connections is left out" do
    found = finding(p50_ms: 100, connections: 4)
    assert_equal ["bunching", { connections: 4 }], [found.code, found.values]
  end

  test "fast requests, and one connection, have a median" do
    assert_nil finding(p50_ms: 4, connections: 4)
    assert_nil finding(p50_ms: 19.9, connections: 4)
    assert finding(p50_ms: 20.1, connections: 4)
    assert_nil finding(p50_ms: 100, connections: 1)
  end

  test "before the first cohort nothing is known" do
    assert_equal "not_recorded", missing(CompareResult.new([])).code
  end
end

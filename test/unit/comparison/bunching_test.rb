# frozen_string_literal: true

require "test_helper"

class BunchingTest < Mohs::TestCase
  def reason(p50_ms:, connections:)
    slice = ->(one, *) { one[:p50_ns] = (p50_ms * 1e6).round }
    trial = lambda do |one, *|
      one[:facts] = one[:facts].merge(connections: { asked: connections })
    end
    result = CompareResult.new([0.1], slice:, trial:).to_h
    Mohs::Comparison::Bunching.reason(Mohs::Stored.comparison(result))
  end

  test "the median of slow requests on several connections is left out, and what to type is said" do
    assert_equal "with 4 connections slow requests finish in bunches (--connections 1 measures it)",
                 reason(p50_ms: 100, connections: 4)
  end

  test "fast requests, and one connection, have a median" do
    assert_nil reason(p50_ms: 4, connections: 4)
    assert_nil reason(p50_ms: 100, connections: 1)
  end

  test "before the first cohort nothing is known" do
    assert_nil Mohs::Comparison::Bunching.reason(Mohs::Stored.comparison(CompareResult.new([]).to_h))
  end
end

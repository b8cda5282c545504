# frozen_string_literal: true

require "test_helper"

module Mohs
  # A limit of long-lived connections, as it is typed.
  class ConnectionLimitTest < TestCase
    test "it says what is limited, and then as any limit" do
      limit = LoadRun::ConnectionLimit.parse(" Fan-out  p99 <200ms")
      assert_equal ["fan-out", "fan-out p99", "fan-out p99 < 200 ms", 0.99],
                   [limit.what, limit.figure, limit.to_s, limit.share]
      assert_equal 1_500_000_000, LoadRun::ConnectionLimit.parse("first event p50 < 1.5s").limit.ns
      %w[opening echo].each do |what|
        assert_equal what, LoadRun::ConnectionLimit.parse("#{what} p90 < 1s").what
      end
    end

    test "another is refused" do
      { "p99 < 200ms" => "fan-out p99 < 200ms", "gap p99 < 1s" => "fan-out p99 < 200ms",
        "echo mean < 1s" => "the mean can't be limited", "echo p99 < 5" => "lacks a unit",
        "echo max < 5s" => "maximum can't be limited" }.each do |text, message|
        error = assert_raises(UsageError) { LoadRun::ConnectionLimit.parse(text) }
        assert_includes error.message, message
      end
    end
  end
end

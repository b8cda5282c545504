# frozen_string_literal: true

require "test_helper"

module Mohs
  class LimitTest < TestCase
    test "a figure of response times and a time" do
      limit = Load::Limit.parse("p99 < 50ms")
      assert_equal [0.99, 50_000_000, "p99 < 50 ms"], [limit.share, limit.ns, limit.to_s]

      { "P99.9<1.5 s" => [0.999, 1_500_000_000], "mean < 200us" => [nil, 200_000],
        "p50 < 1 µs" => [0.5, 1000], "p50 < 1.0004us" => [0.5, 1000],
        "p50 < 1.0006us" => [0.5, 1001] }.each do |text, result|
        assert_equal result, Load::Limit.parse(text).then { |one| [one.share, one.ns] }, text
      end
    end

    test "quantiles are shares of the responses" do
      { "p50" => 0.5, "p90" => 0.9, "p95" => 0.95, "p99" => 0.99, "p99.9" => 0.999 }
        .each { |name, share| assert_equal share, Load::Limit.parse("#{name} < 1s").share }
    end

    test "it is shown with its unit as it is usually written" do
      assert_equal "p50 < 2.5 ms", Load::Limit.parse("P50 < 2.5MS").to_s
    end

    test "it survives the store, and is shown with all of its digits" do
      ["p50 < 2.5 ms", "p99.9 < 1 us", "mean < 0.000001 s", "p99 < 1.234567 ms",
       "p90 < 100000000 s", "p95 < 20 µs"].each do |text|
        limit = Load::Limit.parse(text)

        assert_equal [limit, text], Load::Limit.new(**limit.to_h).then { |one| [one, one.to_s] }
      end
    end

    test "what is none is refused, with how to write it" do
      ["p99", "p98 < 50ms", "p99 > 50ms", "p99 < 0ms", "p98 < 50", "p99 < 50 m", "< 5ms",
       "p99 < .5ms", "1 p99 < 5ms", ""].each do |text|
        error = assert_raises(UsageError, text) { Load::Limit.parse(text) }
        assert_match(/"p99 < 50ms": .*p50, p90/, error.message)
      end
      error = assert_raises(UsageError) { Load::Limit.parse("p99.9 <50") }
      assert_equal '"p99.9 <50" lacks a unit: "p99.9 <50ms"?', error.message
      error = assert_raises(UsageError) { Load::Limit.parse("max < 1s") }
      assert_match(/length .*Use p99\.9/, error.message)
    end
  end
end

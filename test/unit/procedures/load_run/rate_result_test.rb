# frozen_string_literal: true

require "test_helper"

module Mohs
  class LoadRunRateResultTest < TestCase
    def whole(**changes)
      interval = Stats::Interval.new(value: 500.0, low: 400.0, high: 600.0, count: 3)
      LoadRun::RateResult.new(outcome: "found", interval:, **changes)
    end

    test "headroom is what the driver could send, over the rate found" do
      enough, little = [1500.0, 1499.0].map { |empty_per_s| whole(empty_per_s:) }

      assert_in_delta 3.0, enough.headroom
      assert_equal [["headroom.enough", :ok]], enough.checks.map { |one| [one.code, one.severity] }
      assert_equal %w[headroom.little], little.checks.map(&:code)
      assert_in_delta 1499 / 500.0, little.checks.first.values[:times]
    end

    test "a probe has too few requests where twice the time would not do" do
      asked = { limit: Load::Limit.parse("p99 < 50ms"), budget_s: 60 }
      short = whole(**asked, needed_s: 120.1).checks

      assert_equal [["short_probes", :warn, { figure: "p99", needed_s: 120.1 }]],
                   short.map { |one| [one.code, one.severity, one.values] }
      [{ needed_s: 120.0 }, { needed_s: nil }, { needed_s: 240.0, interval: nil }].each do |facts|
        assert_empty whole(**asked, **facts).checks
      end
    end

    test "without a rate, or without the driver's own, no headroom is known" do
      [whole, whole(interval: nil, empty_per_s: 9.0)].each do |one|
        assert_equal [nil, []], [one.headroom, one.checks]
      end
    end
  end
end

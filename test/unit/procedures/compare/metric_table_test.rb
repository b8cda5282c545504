# frozen_string_literal: true

require "test_helper"

class CompareMetricTableTest < Mohs::TestCase
  METRICS = [{ name: "rps", title: "requests/s", a: 100.0, b: nil, effect: nil, missing: "failed" },
             { name: "memory", title: "memory", a: nil, b: nil, effect: nil, missing: "unknown" },
             { name: "p50", title: "p50", a: 4.0, b: 2.0, effect: 2.0, interval: [1.9, 2.1],
               better: "less", mark: "better" }].freeze
  TAIL = { name: "p99", title: "p99", a: 9.0, b: 9.0, effect: nil, missing: "too few" }.freeze

  def verdicts(outcome: "faster", **options)
    document = { a: "x", b: "y", metrics: METRICS, tail: TAIL, rows: [], verdict: { outcome: } }
    rows = Mohs::Compare::MetricTable.new(document).to_table(**options).rows
    rows.to_h { |row| [row.cells[:metric].text, row.cells[:verdict].text] }
  end

  test "the tail follows the median, the errors come last" do
    assert_equal ["requests/s", "memory", "p50", "p99", "errors"], verdicts.keys
  end

  test "a metric without a verdict has the reason where there is room" do
    assert_equal ["failed", "unknown", "better", "too few", ""], verdicts(reasons: true).values
    none = Mohs::Compare::MetricTable::UNTESTED
    assert_equal [none, "", "better", none, ""], verdicts.values
  end

  test "an invalid comparison marks no metric" do
    assert_equal Mohs::Compare::MetricTable::NO_VERDICT, verdicts(outcome: "invalid")["p50"]
  end
end

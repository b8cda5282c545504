# frozen_string_literal: true

require "test_helper"

class ReportRowTest < Mohs::TestCase
  def cohorts(*states, **changes)
    sample = SampleResult.new({ "x" => 1000 })
    states.each_with_index.map do |state, index|
      trial = state == "measured" ? sample.trial("x") : sample.failed("x", state:, reason: state)
      { round: index + 1, trials: [trial.merge(changes)] }
    end
  end

  def built(variant, cohorts)
    Mohs::Report::Model::Row.new(Mohs::Stored.variant(variant), Mohs::Stored.cohorts(cohorts))
  end

  def row(*states, variant: { name: "x", refusal: nil }, **changes)
    built(variant, cohorts(*states, **changes))
  end

  test "one measured trial makes the row measured; else the worst state counts, with its reason" do
    {
      %w[refused measured failed] => ["measured", nil],
      %w[refused failed invalid] => %w[invalid invalid],
      %w[refused failed refused] => %w[failed failed],
      %w[refused] => %w[refused refused],
      %w[lost] => ["waiting", nil],
      %w[lost failed] => %w[failed failed],
      %w[started] => ["waiting", nil],
      [] => ["waiting", nil],
    }.each do |states, expected|
      assert_equal expected, row(*states).to_h.values_at(:state, :reason), states.inspect
    end
  end

  test "a refusal known before the start is the reason until a trial has one" do
    refused = { name: "x", refusal: "needs Java 21", refusal_log: "log" }
    early = row(variant: refused).to_h
    assert_equal ["refused", "needs Java 21", "log"], early.values_at(:state, :reason, :log_tail)
    assert_equal "refused", row("refused", variant: refused).to_h[:reason]
    assert_nil row("measured", variant: refused).to_h[:log_tail]
  end

  test "the log is that of the last trial that failed" do
    list = cohorts("failed", "failed", "failed")
    list[1][:trials].first[:log_tail] = "second"
    list[2][:trials].first[:log_tail] = nil
    found = built({ name: "x" }, list).to_h
    assert_equal "second", found[:log_tail]
  end

  test "from four boots on the first, from a cold cache, is left out" do
    boots = ->(count) { [9000, 300, 300, 300].first(count).map { |ms| ms * 1_000_000 } }
    values = [3, 4].map do |count|
      list = cohorts(*["measured"] * count)
      list.zip(boots.call(count)) { |cohort, boot_ns| cohort[:trials].first[:boot_ns] = boot_ns }
      built({ name: "x" }, list).to_h[:boot_ms][:value]
    end
    assert_in_delta 932, values[0], 1 # the geometric mean of 9000, 300 and 300
    assert_in_delta 300, values[1], 0.001
  end

  test "errors are summed over trials, by class" do
    list = cohorts("measured", "measured")
    slices = list.map { |cohort| cohort[:trials].first[:slices] }
    slices.each { |of| of.last[:errors] = { timeout: 2, "wrong_body" => 1 } }
    slices[0].first[:errors] = { "timeout" => 100 } # in warm-up
    found = built({ name: "x" }, list).to_h[:errors]
    assert_equal({ total: 6, by_class: { "timeout" => 4, "wrong_body" => 2 } }, found)
  end

  test "figures that were not recorded are null" do
    bare = row("measured", facts: {}, boot_ns: nil).to_h
    nothing = { value: nil, low: nil, high: nil }
    assert_equal [nothing, nothing], bare.values_at(:boot_ms, :memory_bytes)
    assert_equal [nil, {}, []], bare.values_at(:peak_memory_bytes, :attested, :checks)
    assert_nil bare[:latency_ms][:p50]
  end

  test "rows that never ran side by side are ordered by their rates" do
    slow, fast = [1000, 2000].map do |rate|
      trial = SampleResult.new({ "x" => rate }).trial("x")
      built({ name: "x" }, [{ round: 1, trials: [trial] }])
    end
    assert_in_delta 2.0, fast.relative_to(slow), 0.05
    assert_operator fast.relative_to(nil), :>, slow.relative_to(nil)
  end
end

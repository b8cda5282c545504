# frozen_string_literal: true

require "test_helper"

class AnalysisContrastTest < Mohs::TestCase
  Metric = Mohs::Analysis::Metric

  RATES = { "a" => 1000, "b" => 1200, "c" => 900 }.freeze

  def analysis(rates = RATES, state: "finished", **options)
    result = SampleResult.new(rates, **options).to_h
    result[:run][:state] = state
    yield result if block_given?
    Mohs::Stored.analysis(result)
  end

  test "any two variants are compared, in the direction of the metric itself" do
    rate = analysis.contrast(Metric.fetch("throughput"), "c", "b")
    cpu = analysis.contrast(Metric.fetch("cpu"), "c", "b")

    assert_in_delta 1200 / 900.0, rate.interval.value, 0.01
    assert_in_delta 900 / 1200.0, cpu.interval.value, 0.01
    assert_operator rate.interval.low, :>, 1.3
  end

  test "boot time and memory are compared as well" do
    memory = analysis { |result|
      result[:cohorts].flat_map { |cohort| cohort[:trials] }.each do |trial|
        bytes = trial[:variant] == "b" ? 60_000_000 : 30_000_000
        trial[:facts] = { **trial[:facts], memory: { at_end: { tree_bytes: bytes } } }
      end
    }.contrast(Metric.fetch("memory"), "a", "b")

    assert_in_delta 2.0, memory.interval.value, 1e-9
    assert_in_delta 1.0, analysis.contrast(Metric.fetch("boot"), "a", "b").interval.value, 0.05
  end

  test "its tests and its interval agree" do
    found = analysis.contrast(Metric.fetch("throughput"), "a", "b")

    assert_in_delta 0.025, found.above(found.interval.low), 1e-9
    assert_in_delta 0.025, found.below(found.interval.high), 1e-9
    assert_operator found.above(1.0), :<, 0.001
    assert_operator found.below(1.0), :>, 0.99
  end

  test "its total has the pauses that trimming removes; memory and percentiles have none" do
    found = analysis { |result|
      result[:cohorts].each do |cohort|
        cohort[:trials][1][:slices].last[:wall_ns] *= 20
      end
    }
    rate, cpu, p50 = %w[throughput cpu p50].map do |name|
      found.contrast(Metric.fetch(name), "a", "b")
    end

    assert_in_delta 1.2, rate.interval.value, 0.03
    assert_operator rate.total_interval.value, :<, 0.9
    assert_operator cpu.total_interval.value, :<, 0.9
    assert_nil p50.total_interval
    reverse = found.contrast(Metric.fetch("throughput"), "b", "a")
    assert_in_delta 1, rate.total_interval.value * reverse.total_interval.value, 1e-9
  end

  test "before the third round there is no interval, and so nothing is sure" do
    found = analysis(rounds: 2).contrast(Metric.fetch("throughput"), "a", "b")

    assert_nil found.interval.low
    assert_equal [1.0, 1.0], [found.above(1.0), found.below(1.0)]
  end

  test "a run that was stopped has wider intervals and stricter tests" do
    whole, stopped = %w[finished interrupted].map do |state|
      analysis(state:).contrast(Metric.fetch("throughput"), "a", "b")
    end

    assert_operator stopped.interval.low, :<, whole.interval.low
    assert_in_delta 0.025, stopped.above(stopped.interval.low), 1e-9
  end

  test "it says how many rounds would separate it from a bound" do
    close = analysis({ "a" => 1000, "b" => 1004 }, boot_sd: 0.01, rounds: 4)
            .contrast(Metric.fetch("throughput"), "a", "b")

    assert_operator close.needed(1.2, most: 1000), :<, close.needed(1.03, most: 1000)
    assert_nil close.needed(close.interval.value, most: 1000)
  end

  test "a server that ended under load makes each comparison with it meaningless" do
    found = analysis do |result|
      result[:cohorts][0][:trials][1].merge!(state: "failed", reason: "the server died")
    end

    assert_nil found.contrast(Metric.fetch("throughput"), "a", "c").fatal
    assert_equal ["ended_under_load", "b"],
                 found.contrast(Metric.fetch("throughput"), "c", "b").fatal
                      .then { |finding| [finding.code, finding.subject] }
  end
end

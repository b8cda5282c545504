# frozen_string_literal: true

require "test_helper"

class ReportModelPartsTest < Mohs::TestCase
  Latency = Mohs::Report::Model::Latency
  Worst = Mohs::Report::Model::Worst
  Figures = Mohs::Trial::Figures

  def boot(count: 200_000, p50: 1, max: 9, **facts)
    latency = { kind: "service", count:, p50_ns: p50 * 1_000_000, p90_ns: 2_000_000,
                p99_ns: 3_000_000, p999_ns: 4_000_000, max_ns: max * 1_000_000, **facts }
    { facts: { latency: } }
  end

  def latency(*rows) = Latency.new(Mohs::Stored.trials(rows)).to_h

  test "percentiles are medians over boots, the maximum is the largest" do
    found = latency(boot(p50: 1, max: 9), boot(p50: 5, max: 80), boot(p50: 2, max: 3))
    assert_equal(
      { kind: "service", p50: 2.0, p90: 2.0, p99: 3.0, p999: 4.0, max: 80.0, missing: {} }, found)
  end

  test "a percentile needs enough requests in each boot" do
    found = latency(boot, boot(count: 99_999))
    assert_nil found[:p999]
    assert_equal({ p999: "not enough requests" }, found[:missing])
    few = latency(boot(count: 300))
    assert_equal %i[p99 p999], few[:missing].keys
    assert_in_delta 2.0, few[:p90]
    assert_equal %i[p50 p90 p99 p999], latency(boot(count: 3))[:missing].keys
  end

  test "boots without a latency are left out, and none is nothing" do
    assert_in_delta 1.0, latency(boot, {}, boot(count: 0, p50: 99))[:p50]
    none = latency({})
    assert_equal [nil, nil, {}], none.values_at(:p50, :max, :missing)
    assert_equal "service", none[:kind]
  end

  def worst(*results)
    rows = results.map { |result| { facts: { checks: [{ name: "jit", **result }] } } }
    Worst.of(Mohs::Stored.trials(rows)).first
  end

  test "of a check the worst trial counts, and how many were like it" do
    good = { ok: true, level: "ok", detail: "yjit" }
    warned = { ok: false, level: "warn", detail: "hm" }
    spoiled = { ok: false, level: "invalid", detail: "off" }
    unknown = { ok: nil, level: "ok", detail: "?" }
    assert_equal "1 of 3 trials: off", worst(good, spoiled, warned)[:detail]
    assert_equal "hm", worst(warned, warned)[:detail]
    assert_equal({ name: "jit", ok: nil, level: "ok", code: "jit.recorded",
                   values: { detail: "?" }, detail: "1 of 2 trials: ?" }, worst(good, unknown))
    assert_equal "yjit", worst(good, good)[:detail]
    assert_empty Worst.of(Mohs::Stored.trials([{}]))
  end

  def slice(**values)
    { block: 0, warm_up: false, sent: 10, good: 10, wall_ns: 1_000_000, cpu_ns: 500_000,
      errors: {} }.merge(values)
  end

  def figures(**row) = Figures.new(Mohs::Stored.trial(row))

  test "figures of a trial without warm-up" do
    figures = figures(
      slices: [slice(block: nil, warm_up: true, wall_ns: 1), slice, slice(errors: { timeout: 2 })])
    assert_in_delta 10_000, figures.throughput_per_s
    assert_in_delta 10_000, figures.total_throughput_per_s
    assert_in_delta 50, figures.cpu_us_per_request
    assert_equal 20, figures.requests
    assert_equal({ "timeout" => 2 }, figures.errors)
  end

  test "what was not recorded is nil" do
    figures = figures(slices: [slice(good: 0, cpu_ns: nil)])
    assert_nil figures.throughput_per_s
    assert_nil figures.total_throughput_per_s
    assert_nil figures.cpu_us_per_request
    assert_nil figures.memory_bytes
    assert_nil figures.peak_memory_bytes
  end

  test "memory at rest is PSS where it can be read, the peak the highest of all" do
    memory = { after_boot: { peak_rss_bytes: 70 },
               at_end: { rss_bytes: 50, pss_bytes: nil, peak_rss_bytes: 60 }, peak_rss_bytes: 65 }
    figures = figures(facts: { memory: })
    assert_equal [50, 70], [figures.memory_bytes, figures.peak_memory_bytes]
  end
end

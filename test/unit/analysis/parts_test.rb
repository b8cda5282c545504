# frozen_string_literal: true

require "test_helper"

class AnalysisPartsTest < Mohs::TestCase
  Latency = Mohs::Analysis::Latency
  Worst = Mohs::Analysis::Row::Worst
  Figures = Mohs::Analysis::Figures

  def boot(count: 200_000, p50: 1, max: 9, **facts)
    latency = { kind: "service", count:, p50_ns: p50 * 1_000_000, p90_ns: 2_000_000,
                p95_ns: 2_500_000, p99_ns: 3_000_000, p999_ns: 4_000_000,
                max_ns: max * 1_000_000, **facts }
    { facts: { latency: } }
  end

  def latency(*rows) = Latency.new(Mohs::Stored.trials(rows))

  test "percentiles are medians over boots, the maximum is the largest" do
    found = latency(boot(p50: 1, max: 9), boot(p50: 5, max: 80), boot(p50: 2, max: 3))
    assert_equal({ p50: 2.0, p90: 2.0, p95: 2.5, p99: 3.0, p999: 4.0 }, found.quantiles)
    assert_equal ["service", 80.0, {}], [found.kind, found.max, found.missing]
  end

  test "a tail that is longer than a slice is told apart from one of too few requests" do
    crowd = { attested: { workers: 2, threads: 5 }, connections: { asked: 64 } }
    slices = ->(good) { Array.new(2) { |block| { block:, good: } } }
    missing = lambda do |good, **facts|
      facts = { **boot(count: 400)[:facts], **crowd, **facts }
      found = latency({ facts:, slices: slices.call(good) })
      assert_equal found.missing.key?(:max), found.max.nil?
      found.missing
    end

    assert_equal({ p999: :few }, missing.call(1280))
    assert_equal %i[p90 p95 p99 p999 max].to_h { |name| [name, :cut] }, missing.call(1279)
    assert_equal({ p999: :few }, missing.call(100, connections: { asked: 10 }))
    unknown = { attested: { workers: 2 } }
    assert_equal({ p999: :few }, missing.call(1279, **unknown))
    seen = missing.call(1279, **unknown, connections: { asked: 64, crowded: true })
    assert_equal missing.call(1279), seen, "a load showed what the server does not attest"
  end

  test "what too few requests lack" do
    few = latency(boot, boot(count: 140, unanswered: ["p90_ns"])).shortages

    assert_equal({ p99: { had: 140, needed: 381 }, p999: { had: 140, needed: 100_000 } }, few)
    facts = { connections: { asked: 4 } }
    asked = %w[service response].map do |kind|
      made = boot(count: 140, kind:)
      latency(boot(kind:), { facts: { **made[:facts], **facts } }).shortage(:p99)[:connections]
    end
    assert_equal [4, nil], asked, "a load in a closed loop takes as many"
    assert_empty latency(boot).shortages
    assert_empty latency.shortages
  end

  test "a percentile needs enough requests in each boot" do
    found = latency(boot, boot(count: 99_999))
    assert_nil found.quantiles[:p999]
    assert_equal({ p999: :few }, found.missing)
    assert_in_delta 4.0, latency(boot(count: 100_000)).quantiles[:p999]
    few = latency(boot(count: 300))
    assert_equal({ p99: :few, p999: :few }, few.missing)
    assert_in_delta 2.0, few.quantiles[:p90]
    assert_equal %i[p50 p90 p95 p99 p999], latency(boot(count: 3)).missing.keys
    { 34 => [], 35 => %i[p90], 72 => %i[p90], 73 => %i[p90 p95] }.each do |count, had|
      assert_equal had, latency(boot(count:)).quantiles.slice(:p90, :p95).compact.keys
    end
  end

  test "a rank held by a request without a right answer is longer than all that is known" do
    held = { p99_ns: nil, max_ns: nil, unanswered: %w[p99_ns max_ns] }
    old = latency(boot, boot(**held))
    assert_equal [nil, nil, :unanswered, {}],
                 [old.quantiles[:p99], old.max, old.missing[:p99], old.more_than]
    new = latency(boot, boot(**held, longest_ns: 503_000_000), boot(**held, longest_ns: 7))
    assert_equal({ p99: 503.0, max: 503.0 }, new.more_than)
    assert_in_delta 9.0, latency(boot, boot(**held, longest_ns: 7)).more_than[:max]
    most = latency(boot, boot, boot(**held, longest_ns: 503_000_000))
    assert_equal [3.0, nil, {}], [most.quantiles[:p99], most.max, most.missing]
    assert_equal({ max: 503.0 }, most.more_than)
  end

  test "boots without a latency are left out, and none is nothing" do
    assert_in_delta 1.0, latency(boot, {}, boot(count: 0, p50: 99)).quantiles[:p50]
    none = latency({})
    assert_equal [nil, nil, {}, "service"],
                 [none.quantiles[:p50], none.max, none.missing, none.kind]
  end

  test "what single boots did not record is that of the others" do
    found = latency(boot(kind: "response", p90_ns: nil, max_ns: nil), boot(max: 7))
    assert_equal ["response", 7.0, 2.0], [found.kind, found.max, found.quantiles[:p90]]
    none = latency(boot(p90_ns: nil))
    assert_equal [nil, []], [none.quantiles[:p90], none.missing.keys], "no boot recorded it"
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
    found = [worst(good, spoiled, warned), worst(warned, warned), worst(good, unknown),
             worst(good, good)]
    assert_equal(%w[off hm ? yjit], found.map { |one| one.finding.values[:detail] })
    assert_equal [[1, 3], [2, 2], [1, 2], [2, 2]], found.map { |one| [one.as_bad, one.trials] }
    assert_equal [true, false, true, false], found.map(&:disputed?)
    assert_empty Worst.of(Mohs::Stored.trials([{}]))
  end

  def chance?(bad, trials, member: "trend", level: "warn")
    results = Array.new(trials) { |at| { ok: at >= bad, level: at < bad ? level : "ok" } }
    rows = results.map do |one|
      { facts: { checks: [{ name: member, code: "#{member}.x", values: {}, **one }] } }
    end
    Worst.of(Mohs::Stored.trials(rows)).first.chance?
  end

  test "a trend in fewer than half of the trials is the host's" do
    found = [[1, 4], [1, 3], [2, 4], [1, 1]].map { |bad, trials| chance?(bad, trials) }

    assert_equal [true, true, false, false], found
    refute chance?(0, 4), "none"
    refute chance?(1, 4, member: "jit")
  end

  def slice(**values)
    { block: 0, sent: 10, good: 10, wall_ns: 1_000_000, cpu_ns: 500_000,
      errors: {} }.merge(values)
  end

  def figures(**row) = Figures.new(Mohs::Stored.trial(row))

  test "figures of a trial without warm-up" do
    figures = figures(
      slices: [slice(block: nil, wall_ns: 1), slice, slice(errors: { timeout: 2 })])
    assert_in_delta 10_000, figures.throughput_per_s
    assert_in_delta 10_000, figures.total_throughput_per_s
    assert_in_delta 50, figures.cpu_us_per_request
    assert_equal 20, figures.requests
    assert_equal({ "timeout" => 2 }, figures.errors)
  end

  test "the median is that of the slices' medians, in ms" do
    slices = [2, 2, 2].map { |ms| slice(p50_ns: ms * 1_000_000) }

    assert_in_delta 2.0, figures(slices:).latency_p50_ms
    assert_nil figures(slices: [slice]).latency_p50_ms
    failed = slice(good: 4, p50_ns: nil)
    assert_in_delta 2.0, figures(slices: [*slices, slices.first, failed]).latency_p50_ms
    assert_nil figures(slices: [*slices, failed]).latency_p50_ms
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

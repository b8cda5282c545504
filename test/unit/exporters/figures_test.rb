# frozen_string_literal: true

require "test_helper"

# The figures of documents, one by one.
class ExportersFiguresTest < Mohs::TestCase
  include Mohs::SampleDocuments

  Figures = Mohs::Exporters::Figures

  def figures(document) = Figures.of(document)

  def of(document, variant, key)
    figures(document).find { |one| one.variant == variant && one.metric.key == key }
  end

  test "each figure of a row, its interval, and what came of comparing it" do
    found = of(sample_document("compare"), "b", "throughput_per_s").to_row

    assert_equal ["b", "throughput_per_s", "requests/s", "a", "faster"],
                 found.values_at(:variant, :metric, :unit, :baseline, :verdict)
    assert_in_delta 1350, found[:value], 5
    assert_in_delta 1.35, found[:effect], 0.001
    assert_equal [true] * 2,
                 [found[:effect_low] < found[:effect], found[:effect] < found[:effect_high]]
    assert_equal Figures::Figure::COLUMNS, found.keys
  end

  test "a run of streams has what was held, lost and missed, and memory per connection" do
    messages = { **Mohs::StreamedSlices::MESSAGES, sent: 79, received: 78, unsent: 1 }
    document = Mohs::StreamedSlices.document(messages:, facts: Mohs::StreamedSlices::FANNED,
                                             **Mohs::StreamedSlices::SAID)
    keys = %w[held_share dropped_share lost_share missed_share half_p50_ms all_p50_ms
              send_lag_p99_ms memory_per_connection_bytes]

    assert_equal [1.0, 0.0, 0.025, 0.00125, 0.12, 0.23, 0.09, 30_000],
                 (keys.map { |key| of(document, "falcon:1", key).value })
    assert_empty keys & figures(sample_document("run")).map { |one| one.metric.key }
  end

  test "a comparison has an effect in every metric, the baseline in none" do
    document = sample_document("compare")
    marks = %w[cpu_us_per_request latency_p50_ms latency_p99_ms memory_bytes].map do |key|
      of(document, "b", key).verdict
    end

    assert_equal %w[better better better equal], marks
    itself = of(document, "a", "throughput_per_s").to_row
    assert_equal ["baseline", nil, "a"], itself.values_at(:verdict, :effect, :baseline)
    assert_nil of(document, "a", "memory_bytes").verdict
    assert_nil of(document, "b", "total_throughput_per_s").effect
  end

  test "without a verdict there is no effect, and nothing is better" do
    document = sample_document("compare")
    spoilt = document.merge(verdict: document[:verdict].merge(outcome: "invalid"))
    run = sample_document("run")
    rows = run[:rows].map { |row| row.merge(verdict: row[:verdict].to_h.merge(outcome: "invalid")) }
    found = [[spoilt, "b", "throughput_per_s"], [spoilt, "b", "memory_bytes"],
             [{ **run, rows: }, "3.4.5 --yjit", "throughput_per_s"]].map { |one| of(*one) }

    assert_equal [["invalid", nil, nil]] * 3,
                 (found.map { |one| one.to_h.values_at(:verdict, :effect, :effect_low) })
    assert(found.all?(&:value))
    assert_nil of(spoilt, "b", "total_throughput_per_s").verdict
  end

  test "a run has verdicts about its rate, and a row for a variant without figures" do
    document = sample_document("run")

    assert_equal "faster", of(document, "3.4.5 --yjit", "throughput_per_s").verdict
    assert_nil of(document, "3.4.5 --yjit", "boot_ms").verdict
    refused = figures(document).select { |one| one.variant == "jruby-10.0.2.0" }
    assert_equal [[nil, "refused"]], refused.map { |one| [one.value, one.verdict] }
  end

  test "what is not known is left out, of a latency there is what it exceeds" do
    document = sample_document("run")
    row = document[:rows].first
    latency = { **row[:latency_ms], p99: nil, more_than: { p99: 503.0 } }
    changed = document.merge(rows: [{ **row, latency_ms: latency, peak_memory_bytes: nil,
                                             boot_ms: { value: Float::NAN, low: nil, high: nil } }])
    name = row[:variant]

    assert_equal [nil, 503.0, nil],
                 of(changed, name, "latency_p99_ms").to_row.values_at(:value, :low, :high)
    %w[latency_p999_ms peak_memory_bytes boot_ms].each { |key| assert_nil of(changed, name, key) }
  end

  test "of jobs the figures are those of jobs" do
    document = sample_document("run", jobs: { count: 200 })
    name = "3.1.2"

    assert_equal [240_800, "baseline"],
                 of(document, name, "jobs_per_s").to_row.values_at(:value, :verdict)
    assert_in_delta 4.06, of(document, name, "cpu_us_per_job").value
    assert_nil of(document, name, "throughput_per_s")
    assert_equal "jobs_per_s", of(document, "jruby-10.0.2.0", "jobs_per_s").metric.key
  end

  test "errors are a share, with what came of comparing it" do
    document = sample_document("run")
    row = document[:rows].first
    errors = { total: 12, by_class: { "timeout" => 12 }, share: 0.001, outcome: "worse" }
    changed = document.merge(rows: [{ **row, errors: }])

    assert_equal [0.001, "worse"],
                 of(changed, row[:variant], "error_share").to_row.values_at(:value, :verdict)
  end

  test "a setting of a tuning has its rate, what is limited there, and its gain" do
    document = sample_document("tune")
    best = of(document, "2x3", "rate_per_s").to_row

    assert_equal %w[recommended yours], best.values_at(:verdict, :baseline)
    assert_in_delta 900, best[:value], 30
    assert_in_delta 1.29, best[:effect], 0.05
    assert_equal "searched", of(document, "yours", "rate_per_s").verdict
    assert_in_delta 190, of(document, "2x3", "figure_ms").value
    assert_nil of(document, "1x1", "rate_per_s")
    assert of(document, "1x1", "throughput_per_s")
  end

  test "a load has figures of no variant, one with several rates those of each" do
    plain, steps = %w[load-closed load-steps].map { |name| figures(recorded(name)) }

    assert_equal [nil], plain.map(&:variant).uniq
    assert_includes plain.map { |one| one.metric.key }, "latency_p99_ms"
    refute_includes plain.map { |one| one.metric.key }, "service_p99_ms"
    assert_equal [nil, "step 1: 100.0/s", "step 2: 300.0/s"], steps.map(&:variant).uniq
    assert_includes steps.map { |one| one.metric.key }, "service_p50_ms"
    wrong = figures(recorded("load-errors")).find { |one| one.metric.key == "error_share" }
    assert_operator wrong.value, :>, 0
  end

  test "a search has its rate with its interval" do
    rate, capacity = figures(sample_document("load --find-rate"))

    assert_equal [902.4, 863.0, 941.0, "found"],
                 rate.to_row.values_at(:value, :low, :high, :verdict)
    assert_equal 959.0, capacity.value
    none = sample_document("load --find-rate", rate_per_s: nil, capacity_per_s: nil)
    assert_empty figures(none)
  end

  test "a bisection has a row for each comparison" do
    row = figures(recorded("bisect")).first.to_row

    assert_equal %w[c4100df bb4febe slower throughput_per_s],
                 row.values_at(:variant, :baseline, :verdict, :metric)
    assert_in_delta 0.767, row[:effect], 0.001
  end

  test "figures have nine digits at most, integers all of theirs" do
    { 299.99999999999994 => 300.0, 1634.1246999999998 => 1634.1247, 1.234567894e-6 => 1.23456789e-6,
      0.0 => 0.0, 12_345_678_901 => 12_345_678_901, -1.5 => -1.5 }.each do |value, rounded|
      assert_equal rounded, Figures.rounded(value)
    end
    run = sample_document("run")
    run[:rows].first[:boot_ms] = { value: 299.99999999999994, low: nil, high: nil }
    assert_equal 300.0, of(run, "3.4.5 --yjit", "boot_ms").value
  end

  # A procedure's own figures, as a subclass in its folder has them.
  class Soak < Figures
    METRICS = {
      **METRICS,
      **metrics(["growth_bytes", "growth", "bytes", "less", "memory gained"]),
    }.freeze

    private

    def others(row) = [figure("growth_bytes", value: row[:growth_bytes])]
  end

  test "a procedure declares figures of its own" do
    document = sample_document("run")
    document[:rows].first[:growth_bytes] = 12
    own = Soak.new(document).to_a.find { |one| one.metric.name == "growth" }

    assert_equal [12, "bytes", "memory gained"], [own.value, own.metric.unit, own.metric.title]
    refute_includes Figures::METRICS, "growth_bytes"
  end

  test "each metric has a name, a unit and a direction of its own" do
    all = [Figures, *Mohs::Procedure.parts("figures")].flat_map { |one| one::METRICS.values }.uniq

    assert_equal all.map(&:key).uniq, all.map(&:key)
    assert_equal all.map(&:name).uniq, all.map(&:name)
    assert(all.all? { |one| %w[more less].include?(one.better) })
    named = all.reject { |one| one.name == "errors" || one.key.include?("_per_") }
    assert(named.all? { |one| one.key.start_with?(one.name) })
  end
end

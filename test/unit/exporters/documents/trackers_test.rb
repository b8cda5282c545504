# frozen_string_literal: true

require "test_helper"

# Bencher Metric Format and the files of github-action-benchmark, read back.
class ExportersTrackersTest < Mohs::TestCase
  include Mohs::SampleDocuments

  def json(name, document)
    JSON.parse(Mohs::Exporters::Documents.fetch(name).new.call(document), symbolize_names: true)
  end

  # The schema of https://bencher.dev/docs/reference/bencher-metric-format: names, in them
  # measures, in these value, lower_value and upper_value, of which the first has to be there.
  def assert_bencher(document)
    document.each do |name, measures|
      assert_operator name.length, :<=, 1024
      measures.each do |measure, values|
        assert_match(/\A[a-z0-9]+(-[a-z0-9]+)*\z/, measure) # a slug, which 64 characters may have
        assert_operator measure.length, :<=, 64
        assert_empty values.keys - %i[value lower_value upper_value]
        assert_kind_of Numeric, values.fetch(:value)
        assert(values.values.all?(Numeric))
      end
    end
  end

  test "Bencher Metric Format: a benchmark for each variant, times in nanoseconds" do
    found = json("bencher", sample_document("run"))

    assert_bencher found
    assert_equal 5, found.size # those with figures
    measures = found[:"shop GET /products: 3.4.5 --yjit"]
    assert_equal({ value: 1652.3, lower_value: 1634.1247, upper_value: 1670.4753 },
                 measures[:throughput])
    assert_equal 582_000, measures[:"latency-p50"][:value]
    assert_equal 588_100, measures[:"cpu-per-request"][:value]
    assert_equal %i[value], measures[:"peak-memory"].keys
    assert_equal 58_000_000, measures[:memory][:value]
  end

  test "Bencher: documents of every kind, and none without figures" do
    %w[compare tune repro].each { |kind| assert_bencher json("bencher", sample_document(kind)) }
    assert_empty json("bencher", sample_document("repro", rows: []))
    long = sample_document("run", app: "x" * 2000)
    assert_bencher json("bencher", long)
  end

  # BenchmarkResult of src/extract.ts.
  def assert_results(list)
    list.each do |one|
      assert_empty one.keys - %i[name unit value range extra]
      assert_kind_of Numeric, one.fetch(:value)
      assert one.values_at(:name, :unit, :range, :extra).compact.all?(String)
    end
    assert_equal list.map { |one| one[:name] }.uniq, list.map { |one| one[:name] }
  end

  test "github-action-benchmark: rates in one file, times and memory in another" do
    document = sample_document("compare")
    bigger, smaller = json("github_action", document), json("github_action_smaller", document)

    [bigger, smaller].each { |list| assert_results(list) }
    assert_equal %w[requests/s], bigger.map { |one| one[:unit] }.uniq
    assert_equal %w[us ms bytes share].sort, smaller.map { |one| one[:unit] }.uniq.sort
    found = bigger.find { |one| one[:name] == "shop GET /products: b, throughput" }
    assert_match(/\Afaster, x 1\.35 \[1\.3\d+, 1\.3\d+\] against a\z/, found[:extra])
    assert_match(/\A± [\d.]+\z/, found[:range])
  end

  test "github-action-benchmark: a bound's interval goes on without end" do
    made = sample_document("tune")
    settings = made[:settings].map do |one|
      one[:name] == "2x3" ? { **one, rate_per_s: { value: 940.0, low: 876.0, high: nil } } : one
    end
    recommendation = { **made[:recommendation], gain: 1.29, interval: [1.27, nil] }
    list = json("github_action", { **made, settings:, recommendation: })
    found = list.find { |one| one[:extra].to_s.start_with?("recommended") }

    assert_results(list)
    assert_equal ["recommended, x 1.29 [1.27, ∞) against yours", 940.0, nil],
                 found.values_at(:extra, :value, :range)
  end
end

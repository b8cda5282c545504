# frozen_string_literal: true

require "test_helper"

# Prometheus's text format and OTLP/JSON, read back by strict readers.
class ExportersMetricsTest < Mohs::TestCase
  include Mohs::SampleDocuments

  # Text exposition format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
  class Exposition
    NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/
    LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"/
    SAMPLE = /\A(#{NAME})(?:\{((?:#{LABEL})(?:,#{LABEL})*)\})? (\S+)\n\z/

    attr_reader :families, :samples

    def initialize(text)
      @families, @samples, @help = {}, {}, {}
      raise "does not end with a line feed" unless text.end_with?("\n")

      text.each_line { |line| read(line) }
    end

    private

    def read(line)
      case line
      when /\A# HELP (#{NAME}) ((?:[^\\\n]|\\[\\n])*)\n\z/ then once(@help, $1, $2)
      when /\A# TYPE (#{NAME}) gauge\n\z/
        raise "#{$1}: TYPE without HELP before it" unless @help.keys.last == $1

        once(@families, $1, "gauge")
      else sample(line)
      end
    end

    def sample(line)
      match = SAMPLE.match(line) or raise "no sample: #{line.inspect}"
      name = match[1]
      raise "#{name} is not below its TYPE" unless @families.keys.last == name

      labels = match[2].to_s.scan(LABEL).to_h do |key, value|
        [key, value.gsub(/\\(.)/) { { "n" => "\n" }.fetch($1, $1) }]
      end
      raise "a label twice" unless labels.size == match[2].to_s.scan(LABEL).size

      once(@samples, [name, labels], Float(match.to_a.last))
    end

    def once(all, key, value)
      raise "#{key} twice" if all.key?(key)

      all[key] = value
    end
  end

  def prometheus(document)
    Exposition.new(Mohs::Exporters::Documents.fetch("prometheus").new.call(document))
  end

  LABELS = { "app" => "shop", "request" => "GET /products" }.freeze

  test "Prometheus: gauges in base units, with the ends of their intervals" do
    found = prometheus(sample_document("run"))
    labels = { **LABELS, "variant" => "3.4.5 --yjit" }

    assert_in_delta 1652.3, found.samples.fetch(["mohs_throughput_requests_per_second", labels])
    assert_in_delta 0.000582, found.samples.fetch(["mohs_latency_p50_seconds", labels])
    assert_in_delta 0.000582219, found.samples.fetch(["mohs_cpu_per_request_seconds_low", labels])
    assert_in_delta 0.369576, found.samples.fetch(["mohs_boot_seconds_high", labels])
    assert_equal 58_000_000, found.samples.fetch(["mohs_memory_bytes", labels])
    assert_equal 1_763_886_000,
                 found.samples.fetch(["mohs_run_finished_timestamp_seconds", LABELS])
    refute_includes found.families, "mohs_latency_p50_seconds_low"
  end

  test "Prometheus: verdicts and effects" do
    found = prometheus(sample_document("compare"))
    labels = { **LABELS, "variant" => "b", "metric" => "throughput", "baseline" => "a" }

    assert_in_delta 1.35, found.samples.fetch(["mohs_effect_ratio", labels]), 0.001
    assert_equal 1, found.samples.fetch(["mohs_verdict", { **labels, "verdict" => "faster" }])
    assert_includes found.families, "mohs_effect_ratio_low"
  end

  test "Prometheus: every kind of document, each sample once" do
    Mohs::Exporters::Documents.fetch("prometheus").kinds.each do |kind|
      found = prometheus(sample_document(kind))

      assert_operator found.samples.size, :>, 1, kind
      assert_equal found.families.keys.sort, found.samples.keys.map(&:first).uniq.sort
    end
    refute_empty prometheus(recorded("load-steps")).samples
    refute_includes prometheus(sample_document("run", finished_ms: nil)).families,
                    "mohs_run_finished_timestamp_seconds"
  end

  test "Prometheus: a label has whatever name a variant has" do
    run = sample_document("run")
    name = "a\"b\\c\nd{e=\"f\"} 1"
    rows = [{ **run[:rows].first, variant: name }]
    labels = prometheus(run.merge(rows:)).samples.keys.map(&:last)

    assert_includes labels.map { |one| one["variant"] }, name
  end

  # The units of UCUM that mohs has; all others are annotations of the unit 1.
  UCUM = %r{\A(?:1|By|ms|us|\{[!-z|~]+\}(?:/s)?)\z}

  def otlp(document)
    JSON.parse(Mohs::Exporters::Documents.fetch("otlp").new.call(document), symbolize_names: true)
  end

  # opentelemetry-proto, collector/metrics/v1 and metrics/v1, in the JSON of protobuf: keys in
  # lowerCamelCase, 64-bit integers as strings.
  def metrics(request)
    assert_equal %i[resourceMetrics], request.keys
    whole = request[:resourceMetrics].first
    assert_equal %i[resource scopeMetrics], whole.keys
    assert_attributes whole[:resource]
    scope = whole[:scopeMetrics].first
    assert_equal({ name: "mohs", version: "0.1.0" }, scope[:scope])
    scope[:metrics].each do |metric|
      assert_equal %i[name description unit gauge], metric.keys
      assert_match UCUM, metric[:unit], metric[:name]
      metric[:gauge].fetch(:dataPoints).each { |point| assert_point(point) }
    end
    scope[:metrics].to_h { |metric| [metric[:name], metric] }
  end

  def assert_point(point)
    assert_equal %i[timeUnixNano asDouble attributes], point.keys
    assert_match(/\A\d+\z/, point[:timeUnixNano])
    assert_kind_of Numeric, point[:asDouble]
    assert_attributes point
  end

  def assert_attributes(holder)
    holder[:attributes].each do |attribute|
      assert_equal %i[key value], attribute.keys
      assert_equal %i[stringValue], attribute[:value].keys
      assert_kind_of String, attribute[:value][:stringValue]
    end
    keys = holder[:attributes].map { |attribute| attribute[:key] }
    assert_equal keys.uniq, keys
  end

  def attributes(holder)
    holder[:attributes].to_h { |one| [one[:key], one[:value][:stringValue]] }
  end

  test "OTLP: gauges with attributes, at the time when the run ended" do
    request = otlp(sample_document("run"))
    found = metrics(request)
    point = found["mohs.throughput"][:gauge][:dataPoints].first

    assert_equal [1652.3, "1763886000000000000"], point.values_at(:asDouble, :timeUnixNano)
    assert_equal({ "mohs.variant" => "3.4.5 --yjit" }, attributes(point))
    assert_equal({ "service.name" => "shop", "mohs.request" => "GET /products" },
                 attributes(request[:resourceMetrics].first[:resource]))
    assert_equal({ "mohs.run" => "7c1a", "mohs.command" => "run" },
                 attributes(found["mohs.run"][:gauge][:dataPoints].first))
    assert_equal({ "mohs.variant" => "3.4.5 --yjit", "mohs.metric" => "throughput",
                   "mohs.baseline" => "3.1.2", "mohs.verdict" => "faster" },
                 attributes(found["mohs.verdict"][:gauge][:dataPoints].first))
    assert_equal %w[{request}/s ms By us],
                 %w[throughput latency_p50 memory cpu_per_request]
                   .map { |name| found["mohs.#{name}"][:unit] }
  end

  test "OTLP: effects of a comparison, and every other kind of document" do
    effect = metrics(otlp(sample_document("compare")))["mohs.effect"][:gauge][:dataPoints].first
    assert_equal %w[b throughput], attributes(effect).values_at("mohs.variant", "mohs.metric")

    Mohs::Exporters::Documents.fetch("otlp").kinds.each do |kind|
      refute_empty metrics(otlp(sample_document(kind))), kind
    end
    load = metrics(otlp(sample_document("load")))["mohs.rate"][:gauge][:dataPoints].first
    refute_equal "0", load[:timeUnixNano]
    assert_empty load[:attributes]
    unknown = metrics(otlp(sample_document("run", finished_ms: nil)))["mohs.throughput"]
    assert_equal "0", unknown[:gauge][:dataPoints].first[:timeUnixNano]
  end
end

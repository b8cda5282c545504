# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"

module Mohs
  # The log as HdrHistogram's readers see it: test/fixtures/hdr/README.md.
  class HdrExporterTest < TestCase
    include SampleLoad
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-exporters"

    FOLDER = File.expand_path("../../fixtures/hdr", __dir__)

    def log_of(load_result)
      StringIO.new(+"").tap { |io| Exporters::Recordings::Hdr.new(io).write(load_result) }.string
    end

    def golden = HdrLogReader.new(File.read(File.join(FOLDER, "load.hlog")))

    def result = JSON.parse(File.read(File.join(FOLDER, "told.json")), symbolize_names: true)

    def quantiles(interval) = [0.1, 0.5, 0.9, 0.99, 0.999].map { |share| interval.quantile(share) }

    test "what is written is the log that another reader has taken" do
      text = log_of(sample_load(sample_times))
      File.write(File.join(FOLDER, "load.hlog"), text) if ENV["MOHS_UPDATE_SCREENS"]
      log = HdrLogReader.new(text)

      assert_equal golden.comments, log.comments
      assert_equal golden.intervals, log.intervals
      assert_said(paragraph(text, "#[Histogram"))
      assert_includes text, "\n#{%w[StartTimestamp Interval_Length Interval_Max
                                    Interval_Compressed_Histogram].map(&:inspect).join(',')}\n"
    end

    test "the decoder of these tests tells what that reader told" do
      all, intervals = result.values_at(:all, :intervals)

      assert_equal intervals.map { |one| one[:count] }, golden.intervals.map(&:total)
      assert_equal all[:quantiles].values, quantiles(golden.total)
      golden.intervals.zip(intervals) do |ours, theirs|
        assert_equal theirs[:quantiles].values, quantiles(ours) if ours.total.positive?
        assert_equal theirs[:start_ms], 1_700_000_000_250 + (ours.start_s * 1000)
      end
    end

    test "its quantiles are the exact ones, to three digits" do
      load_result = sample_load(sample_times)
      exact = load_result.recording.quantiles(:service, [0.1, 0.5, 0.9, 0.99, 0.999])
      exact.zip(quantiles(golden.total)) do |ns, result|
        assert_operator result, :>=, ns
        assert_operator result - ns, :<=, ns / 1000
      end
    end

    test "a second without answers is there, and the last ends with the load" do
      intervals = golden.intervals

      assert_equal (0..9).map(&:to_f), intervals.map(&:start_s)
      assert_equal [[4, 0.0]], intervals.each_with_index.filter_map { |one, number|
        [number, one.max_ms] if one.total.zero?
      }
      assert_equal [1.0, 0.179], intervals.last(2).map(&:length_s)
      assert_in_delta 2300.0, intervals.map(&:max_ms).max
    end

    test "of an open loop it holds response times" do
      arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: 1000)
      load_result = sample_load([50_000_000, *([1000] * 9)], arrivals:)
      text = log_of(load_result)

      assert_match(/\A#\[mohs 0\.1\.0: response times in ns/, text)
      assert_operator HdrLogReader.new(text).total.counts.first[0], :>, 40_000_000
    end

    test "a load without any good answer is one empty second" do
      log = HdrLogReader.new(log_of(sample_load(%w[refused refused])))
      assert_equal [0], log.intervals.map(&:total)
    end

    test "every value falls into the step that holds it, three digits wide" do
      random = Random.new(3)
      values = [0, 1, 2047, 2048, 2049, 4095, 4096, (1 << 40) - 1,
                *Array.new(300) { random.rand(1 << random.rand(1..40)) }]
      values.each do |value|
        histogram = Exporters::HdrHistogram.new.tap { |one| one.record(value) }
        line = "0,1,0,#{histogram.to_base64}"
        low, high, count = HdrLogReader.new("legend\n#{line}").intervals.first.counts.first

        assert_equal 1, count
        assert_includes low..high, value
        assert_operator high - low, :<=, value / 1000
      end
    end

    test "small and large counts and gaps come back" do
      counts = { 3 => 1, 4 => 200, 6 => 70_000, 1_000_000 => 9 }
      histogram = Exporters::HdrHistogram.new
      counts.each { |value, count| count.times { histogram.record(value) } }
      read = HdrLogReader.new("legend\n0,1,0,#{histogram.to_base64}").intervals.first

      assert_equal counts.values, read.counts.map(&:last)
      assert_equal [1_000_000, 70_210], [histogram.max, read.total]
    end
  end
end

# frozen_string_literal: true

require "test_helper"

class TrackPointTest < Mohs::TestCase
  TRACK = { name: "shop", reference: "@v1", reference_id: "@0f3a",
            commit: { short: "9c1d" } }.freeze

  # A made-up comparison that is a point of a history.
  class Tracked < CompareResult
    def study = super.merge(track: TRACK)
  end

  def point(differences, **options)
    result = Tracked.new(differences, **options).to_h
    Mohs::Track::Point.record(Mohs::Stored.analysis(result))
  end

  test "each metric's ratio is kept, as a logarithm, better is bigger" do
    found = point([0.1] * 6)
    log, low, high = found[:effects][:throughput_per_s]

    assert_in_delta 0.1, log, 1e-9
    assert_operator low, :<=, log
    assert_operator high, :>=, log
    assert_includes found[:effects].keys, :memory_bytes
    assert_nil found[:finding]
  end

  test "what it was measured by and against is kept" do
    found = point([0.1] * 6)

    assert_equal ["@v1", "@0f3a", { short: "9c1d" }],
                 found.values_at(:reference, :reference_id, :commit)
    assert_equal ["GET /"], found[:requested].map { |text| text[/\A\S+ \S/] }.uniq
    assert_kind_of Integer, found[:connections]
  end

  test "how far each ratio may be off is kept, for the metrics that a JIT changes" do
    warm = lambda do |trial, name, _|
      trial[:facts][:warm_up] = { outcome: "warm", requests: 300,
                                  may_rise: name == "b" ? 0.06 : 0.0 }
    end
    found = point([0.1] * 6, trial: warm)
    throughput, memory = found[:biases].values_at(:throughput_per_s, :memory_bytes)

    assert_in_delta 0.0, throughput.first
    assert_in_delta Math.log(1.06), throughput.last, 1e-9
    assert_equal [0.0, 0.0], memory
    assert_equal found[:effects].keys, found[:biases].keys
  end

  test "without a verdict it has no figures, and why as code and values" do
    fault = lambda do |trial, name, _|
      trial.merge!(state: "refused", reason: "no such gem", slices: []) if name == "b"
    end
    found = point([0.1] * 3, trial: fault)

    assert_equal({}, found[:effects])
    code, values = found[:finding].values_at(:code, :values)
    assert_equal ["side_refused", "B", "no such gem"],
                 [code, values[:side], values[:reason][:summary]]
    stored = JSON.parse(JSON.generate(Mohs::Store::Plain.call(found)), symbolize_names: true)
    reason = Mohs::Track::Point.of(stored).reason

    assert_equal "B, \"b\", can't be served: no such gem", reason
  end
end

# frozen_string_literal: true

require "test_helper"

# What pictures need beyond a document's figures, from requests of known latency.
class CurvesTest < Mohs::TestCase
  include Mohs::SampleLoad

  CURVES = Mohs::Analysis::Curves

  def of_load(times, **options) = Mohs::LoadRun::Curves.of(sample_load(times, **options))

  def first(times, **options) = of_load(times, **options)[:variants].first

  # A run of one variant whose trials have these requests, in one slice each.
  def analysis(loads, **trial)
    made = SampleResult.new({ "3.4.5" => 1000 }, rounds: loads.size).to_h
    made[:cohorts].zip(loads).each.with_index(1) do |(cohort, load), id|
      step = load.step
      slice = { **cohort[:trials].first[:slices].last, started_ns: step.started_ns,
                wall_ns: step.wall_ns }
      cohort[:trials].first.merge!(id:, slices: [slice], **trial)
    end
    Mohs::Stored.analysis(made)
  end

  def of_run(loads, **trial)
    CURVES.of_run(analysis(loads, **trial)) do |one, fold|
      loads[one.id - 1].recording.fold_into(fold)
    end
  end

  test "the shares are those of a scale on which each power of ten is as wide" do
    assert_in_delta 0.0, CURVES::SHARES.first
    assert_in_delta 0.9, CURVES::SHARES[10]
    assert_in_delta 0.99, CURVES::SHARES[20]
    assert_in_delta 0.999, CURVES::SHARES[30]
  end

  test "a percentile curve is exact, and ends where too few requests are slower" do
    times = Array.new(10_000) { |index| (index + 1) * 1000 }
    curve = first(times)[:percentiles_ms]

    assert_equal 31, curve.size
    assert_in_delta 0.001, curve.first
    assert_in_delta 9.0, curve[10], 0.002
    assert_in_delta 9.9, curve[20], 0.002
    assert_in_delta 9.99, curve[30], 0.002
  end

  test "requests without an answer are slower than every other one" do
    times = Array.new(1000) { |index| index < 800 ? 1_000_000 : "closed_in_body" }
    one = first(times)

    assert_in_delta 1.0, one[:percentiles_ms].first
    assert_nil one[:percentiles_ms].last
    assert_equal 200, one[:unanswered].sum
  end

  test "the cells of time and latency hold every right answer once" do
    curves = of_load(sample_times)
    one = curves[:variants].first

    assert_equal 2999, one[:counts].flatten.sum
    assert_equal [60], one.values_at(:counts, :unanswered).map(&:size).uniq
    assert_equal [curves[:from_ms].size], one[:counts].map(&:size).uniq
    assert_operator curves[:from_ms].each_cons(2).map { |low, high| high / low }.max, :<, 1.27
  end

  test "a slow stretch is where it was in time" do
    times = Array.new(600) { |index| index < 300 ? 1_000_000 : 10_000_000 }
    curves = of_load(times)
    one = curves[:variants].first
    slow = curves[:from_ms].index { |ms| ms > 5 }
    late = one[:counts].map { |column| column[slow..].sum.positive? }

    assert_equal [5, 55], [late.count(false), late.count(true)]
    refute late.first
    assert late.last
  end

  test "a load of another tool has no requests to draw" do
    result = sample_load([1000])
    result = Mohs::Load::Result.new(**result.to_h, tool: { name: "wrk", caveat: "none" })

    assert_nil Mohs::LoadRun::Curves.of(result)
  end

  test "the boots of a variant stand behind each other, and their median is its curve" do
    loads = [1, 2, 9].map { |ms| sample_load([ms * 1_000_000] * 100) }
    curves = of_run(loads)
    one = curves[:variants].first

    assert_equal [[0, 20, 40], 60], [one[:starts], one[:counts].size]
    assert_in_delta 2.0, one[:percentiles_ms][5]
    assert_in_delta 1.0, one[:lowest_ms][5]
    assert_in_delta 9.0, one[:highest_ms][5]
    assert_equal [1, 2, 3], one[:boots].map { |boot| boot[:round] }
    assert(one[:boots].all? { |boot| boot[:throughput_per_s].positive? })
  end

  test "where slices end before waits for a thread do, a curve ends before the tail" do
    loads = [1, 2].map { |ms| sample_load([ms * 1_000_000] * 1000) }
    crowd = { **SampleResult::FACTS, connections: { asked: 64 } }
    sizes = [SampleResult::FACTS, crowd].map do |facts|
      of_run(loads, facts:)[:variants].first[:percentiles_ms].size
    end

    assert_equal [21, 10], sizes
  end

  test "more boots than columns are counted, and only the first of them drawn over time" do
    loads = Array.new(62) { sample_load([1_000_000] * 40) }
    one = of_run(loads)[:variants].first

    assert_equal [60, 60, 62], [one[:starts].size, one[:counts].size, one[:boots].size]
  end

  test "without recordings the boots are left, and without measured trials nothing" do
    run = analysis([sample_load([1000])])
    bare = CURVES.of_run(run) { nil }

    assert_equal [[], [], 1], bare[:variants].first.values_at(:percentiles_ms, :counts, :boots)
                                  .each_with_index.map { |list, at| at == 2 ? list.size : list }
    assert_equal({ from_ms: [], variants: [] },
                 of_run([sample_load([1000])], state: "failed").slice(:from_ms, :variants))
  end

  test "they have the keys of docs/json.md, and survive JSON" do
    curves = of_run([sample_load(sample_times)])

    assert_empty Mohs::JSONContract.new("`curves`", bare: true).faults(curves)
    assert_equal curves, JSON.parse(JSON.generate(curves), symbolize_names: true)
  end
end

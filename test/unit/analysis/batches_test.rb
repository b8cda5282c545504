# frozen_string_literal: true

require "test_helper"

# The batches of a load whose every time is known.
class BatchesTest < Mohs::TestCase
  include Mohs::SampleLoad

  def figures(load_result, count)
    asked = load_result.asked.merge(batches: count)
    Mohs::LoadRun::Result.of(load_result.class.new(**load_result.to_h, asked:))
  end

  def batches(...) = figures(...).batches

  test "each has its requests, its time and its latencies, and no time is between them" do
    times = [1, 2, 3, 4, 10, 10, 10, 50].map { |ms| ms * 1_000_000 }
    found = batches(sample_load(times), 2)

    assert_equal [[4, 0], [4, 0]], found.map { |batch| batch.values_at(:requests, :errors) }
    assert_in_delta 0.010, found[0][:duration_s], 1e-9
    assert_in_delta 0.080, found[1][:duration_s], 1e-9
    assert_in_delta 400, found[0][:answered_per_s], 1e-6
    assert_in_delta 50, found[1][:answered_per_s], 1e-6
    assert_equal [{ p50: 2.0, p99: 4.0, max: 4.0 }, { p50: 10.0, p99: 50.0, max: 50.0 }],
                 found.map { |batch| batch[:latency_ms].slice(:p50, :p99, :max) }
  end

  test "they are of requests in the order in which these ended, on whatever connection" do
    times = Array.new(60) { |number| ((number % 5) + 1) * 1_000_000 }
    load_result = sample_load(times, connections: 3)
    found = batches(load_result, 6)

    assert_equal [10] * 6, found.map { |batch| batch[:requests] }
    assert_operator found.map { |batch| batch[:duration_s] }.min, :>, 0
    assert_in_delta load_result.step.wall_ns / 1e9, found.sum { |batch| batch[:duration_s] }, 1e-9
  end

  test "what failed is no answer, and slower than each" do
    found = batches(sample_load([1_000_000, "closed_in_body", "closed_in_body", 1_000_000]), 4)

    assert_equal [0, 1, 1, 0], found.map { |batch| batch[:errors] }
    bound = { p50: 1.0, p99: 1.0, max: 1.0 } # SampleLoad's failures take a millisecond
    assert_equal({ p50: nil, p99: nil, max: nil, unanswered: 1, more_than: bound },
                 found[1][:latency_ms])
    assert_equal 0, found[1][:answered_per_s]
  end

  test "the course of a figure ranks what is known, and keeps both ends" do
    times = [4, 1, 9, 3, 2].map { |ms| ms * 1_000_000 }
    found = figures(sample_load([*times, "closed_in_body"]), 6).batch_figures
    course = { first: 4.0, lowest: 1.0, median: 3.5, highest: nil, last: nil,
               more_than: { highest: 9.0, last: 9.0 } }

    assert_equal({ p50_ms: course, p99_ms: course }, found.except(:answered_per_s))
    assert_equal 0, found[:answered_per_s][:last]
    none = figures(sample_load(["closed_in_body"] * 2), 2).batch_figures
    assert_equal [nil], none[:p50_ms].except(:more_than).values.uniq
    assert_equal [1.0], none[:p50_ms][:more_than].values.uniq
  end

  test "of an open loop they have response times" do
    arrivals = Mohs::Load::Arrivals.new(kind: :constant, rate_per_s: 1000)
    load_result = sample_load([5_000_000] * 20, arrivals:)
    latest = batches(load_result, 4).last[:latency_ms]

    assert_operator latest[:p50], :>, 50 # the others were in its way, 4 ms each
  end

  test "a load without them has none" do
    found = Mohs::LoadRun::Result.of(sample_load([1_000_000]))
    assert_equal [[], nil], [found.batches, found.batch_figures]
  end
end

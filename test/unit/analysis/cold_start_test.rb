# frozen_string_literal: true

require "test_helper"

class ColdStartTest < Mohs::TestCase
  include Mohs::ColdStarts

  ColdStart = Mohs::Analysis::ColdStart

  def trial(...) = cold_trial_at(...)

  def metric(name)
    [*Mohs::Analysis::Metric::ALL, Mohs::Analysis::Metric::TAIL].find { |one| one.name == name }
  end

  def level(trials, p: nil) = ColdStart::Level.new(name: "a", trials:, p:)

  test "rates are those of requests in time, not means of rates" do
    found = trial([50, 200])

    assert_in_delta 80, found.average_per_s, 1e-9 # 200 in 2.5 s
    assert_in_delta 200, found.last_per_s, 1e-9
    assert_in_delta 160, trial([10, 10, 200, 400 / 3.0]).settled_per_s, 1e-9
  end

  test "a trial was warm after the batches that MSER cuts" do
    assert_equal 3, cold_trial(400, slow: 3).warm_after
    assert_equal 0, trial([100] * 12).warm_after
    assert_nil cold_trial(400, slow: nil).warm_after
    assert_nil trial([10, 100]).warm_after
  end

  test "a level was warm when the median of its trials was" do
    after = ->(*slow) { level(slow.map { |count| cold_trial(400, slow: count) }).warm_after }
    never = cold_trial(400, slow: nil)

    assert_equal [3, 4], [after[2, 3, 5], after[4, 2]]
    assert_nil level([never, never, cold_trial(400)]).warm_after
  end

  test "its curves are medians, batch by batch" do
    level = level([trial([100, 200], p50: 5), trial([300, 400], p50: 6), trial([120, 900])])

    assert_equal [120, 400], level.curve(&:per_s).map(&:round)
    assert_equal [6, 6], level.curve(&:p50_ms) # the third, unknown, is longer than any
    assert_equal [nil, nil], level.curve(&:p99_ms)
  end

  test "a level whose trials vary more than those of the others is excluded" do
    levels = { "odd" => [100, 300, 310], "a" => [100, 101, 102], "b" => [200, 203, 199],
               "c" => [50, 50.5, 51], "d" => [80, 81, 80] }
    found = ColdStart.new(levels.transform_values { |some| some.map { |rate| trial([rate] * 12) } })

    assert_equal({ "odd" => true, "a" => false, "b" => false, "c" => false, "d" => false },
                 found.levels.to_h { |level| [level.name, level.excluded?] })
    refute_predicate ColdStart.new({ "a" => [trial([1, 2])] }).level("a"), :excluded?
  end

  test "a timeline has what was compiled before the first batch and by the end of each" do
    one = trial([100, 200], jit: [{ methods: 1, exits: 0 }, { methods: 4 }, { methods: 6 }])
    other = trial([300, 400], jit: [{ methods: 3 }, { methods: 8 }, { methods: 8 }])
    found = level([one, other]).timeline

    assert_equal [[0, 2, 0], [100, 6, nil], [200, 7, nil]],
                 found.map { |row| row.values_at(:requests, :methods, :exits) }
    assert_equal [nil, 200, 300], found.map { |row| row[:per_s]&.round }
    assert_equal [nil] * 3, found.map { |row| row[:code_bytes] }
    assert_equal %i[requests per_s methods pieces code_bytes compile_ns invalidations exits],
                 found.first.keys
  end

  test "there is no timeline of a JIT that tells nothing" do
    assert_nil level([trial([100, 200])]).timeline
    assert_equal [nil, 5], level([trial([100], jit: [nil, { pieces: 5 }])])
      .timeline.map { |row| row[:pieces] }
  end

  test "versions are those of a method, or of the one that has the most" do
    one = trial([1], code: saved_code("a" => 2, "b" => 1))

    assert_equal [2, 1, 0, 2], [one.versions("a"), one.versions("b"), one.versions("c"),
                                one.versions]
    assert_nil trial([1]).versions("a")
    assert_equal 0, trial([1], code: []).versions
  end

  test "a level's code has the median versions of its trials, 0 where one did not compile it" do
    codes = [{ "a" => 2, "b" => 1 }, { "a" => 4 }, { "a" => 3, "b" => 1 }]
    found = level(codes.map { |code| trial([1], code: saved_code(code)) }).code

    assert_equal [["a", 3], ["b", 1]], found.map { |one| one.values_at(:name, :versions) }
    assert_nil level([trial([1])]).code
  end

  test "responses that waited for a delayed ACK are a share of all" do
    heaps = ->(inside) { [{ inside:, beside: 4 }, { inside: 0, beside: 0 }] }
    share = ->(stalls) { level([trial([1, 1], stalls:)]).delayed_acks }

    assert_in_delta 0.4, share[heaps[40]], 1e-12
    assert_nil share[heaps[6]]
    assert_nil share[nil]
  end

  test "two levels are compared by their trials, not paired" do
    cold = ColdStart.new({ "a" => [100, 102, 98].map { |rate| trial([rate], p99: rate / 10.0) },
                           "b" => [200, 205, 195].map { |rate| trial([rate], p99: 5.0) } })
    found = cold.contrast(metric("throughput"), "a", "b")

    assert_in_delta 2.0, found.interval.value, 0.01
    # t.test(log(b), log(a)) of R gives the same ends.
    assert_in_delta 1.8979043, found.interval.low, 1e-6
    assert_in_delta 2.1072715, found.interval.high, 1e-6
    assert_in_delta 0.5, cold.contrast(metric("p99"), "a", "b").interval.value, 0.01
    %w[boot memory cpu p50].each do |name|
      assert_equal 0, cold.contrast(metric(name), "a", "b").effect.count, name
    end
  end

  test "levels of a run that was stopped are compared as strictly as its rates" do
    trials = { "a" => [100, 102, 98], "b" => [103, 104, 101] }
             .transform_values { |rates| rates.map { |rate| trial([rate]) } }
    whole, stopped = [0.05, 0.005].map do |alpha|
      ColdStart.new(trials, alpha:).contrast(metric("throughput"), "a", "b")
    end

    assert_in_delta 10 * whole.above(1.0), stopped.above(1.0), 1e-9
    assert_operator stopped.interval.low, :<, whole.interval.low
  end

  # Of 32 batches, in 15 of the last 16 more than one request in a hundred had no right answer.
  test "a percentile that most batches or trials don't know is not that of the others" do
    batch, trial, level = %i[Batch Trial Level].map { |name| Mohs::Analysis::ColdStart.const_get(name) }
    trials = [31, 32, 0].map do |lost|
      batches = Array.new(32) do |at|
        batch.new(good: 900, seconds: 1.0, p50_ms: 5.0, p99_ms: (9.0 if at >= lost), stalls: nil)
      end
      trial.new(boot_ms: 1.0, batches:)
    end
    found = level.new(name: "a", trials:, p: nil)

    assert_equal [nil, nil, 9.0], trials.map { |one| one.settled_ms(:p99_ms) }
    assert_equal [nil, 5.0], [found.settled_ms(:p99_ms), found.settled_ms(:p50_ms)]
    assert_nil found.curve(&:p99_ms).first
  end
end

# frozen_string_literal: true

require "test_helper"

class SpreadTest < Mohs::TestCase
  MS = 1_000_000

  # Requests of 20 ms, while loaded and later. cpu: in ms, of all processes; on_core: while loaded;
  # others: of those that don't serve.
  def slice(cpu, on_core, good: 50, others: 0, opened: 0, **changes)
    Mohs::Load::StepResult.new(
      errors: {}, good:, wall_ns: 1000 * MS, loaded_ns: 700 * MS, cpu_ns: cpu && (cpu * MS),
      loaded_cpu_ns: on_core && (on_core * MS), connections: { asked: 100, opened: },
      processes_cpu_ns: [others * MS, cpu && ((cpu - others) * MS), 0, 0], **changes
    )
  end

  def span_ms(*times, workers: 1, cores: nil, **changes)
    spans_ms([slice(*times, **changes)], workers:, cores:).first
  end

  def spans_ms(slices, workers: 1, cores: nil, **waited)
    pids = [2, 3, 4].first(workers)
    Mohs::Cohort::Spread.new(watched: [1, 2, 3, 4], workers: pids, cores:)
                        .computed_spans_ns(slices, **waited).map { |span| span&.fdiv(MS) }
  end

  # 20 ms of the first process, 60 of the second, none of the two others.
  test "the least share is that of the processes that can have a connection" do
    pids = [1, 2, 3, 4]
    spread = Mohs::Cohort::Spread.new(watched: pids, workers: pids)
    one = Mohs::Load::StepResult.new(errors: {}, processes_cpu_ns: [20 * MS, 60 * MS, 0, 0])

    assert_equal [0.0, 0.5, 1.0], [4, 2, 1].map { |among| spread.least_share([one], among:) }
  end

  test "a process that computed all the time has the rate of all responses" do
    assert_in_delta 1000, span_ms(1000, 700)
    assert_in_delta 1000, span_ms(2000, 1400, workers: 2, good: 100)
  end

  # The second got a core for 62 % of the time, and had fewer connections: it was done as soon.
  test "a process that shared its core with others counts by what it computed" do
    assert_in_delta 50 * 1.62, 80 / span_ms(1600, 700 * 1.62, good: 80, workers: 2) * 1000, 0.1
  end

  test "processes that share cores compute on these" do
    assert_in_delta 1000, span_ms(2000, 1400, good: 100, workers: 3, cores: 2)
  end

  # A page of 20 ms that waits for 4: one at a time.
  test "requests that wait a little count by what their processes computed" do
    assert_in_delta 24 * 50, span_ms(1000, 700 * 20.0 / 24)
  end

  test "requests of a few ms count by CPU time if few connections were opened for them" do
    assert_in_delta 1000, span_ms(1000, 700, good: 200, opened: 16)
  end

  # Every request has one of its own, in the drain as under load.
  test "what a connection for each request costs is a part of the page's cost" do
    assert_in_delta 1000, span_ms(4000, 2800, good: 400, opened: 400, workers: 3)
  end

  # Others took its core for 30 % of the second slice. Alone, that would have the rate between
  # edges, and only because it was slow.
  test "slices of a server have their rates by one rule" do
    slow, fast = slice(1000, 700 * 0.7), slice(1000, 700)

    assert_equal [nil], spans_ms([slow])
    assert_equal [1000.0, 1429.0], spans_ms([fast, slow]).map(&:round)
    assert_equal [nil, nil], spans_ms([slow, slice(1000, 700 * 0.85)])
  end

  test "a server that waited for its core would have computed" do
    assert_equal [1429.0], spans_ms([slice(1000, 700 * 0.7)], waited_ns: 400 * MS).map(&:round)
    assert_equal [nil], spans_ms([slice(1000, 700 * 0.7)], waited_ns: 100 * MS)
  end

  test "a slice without a pace has the rate between edges, beside those that have one" do
    failed = slice(1000, 700, errors: { "timeout" => 1 })
    lacking = [failed, slice(1000, nil), slice(1000, 0)]
    spans = spans_ms([*lacking, *[slice(1000, 700)] * 5])

    assert_equal [nil, nil, nil, *[1000.0] * 5], spans
  end

  { "waited while it was loaded" => [1000, 550],
    "waited beside one that did not" => [1540, 1080, { workers: 2 }],
    "is gone" => [nil, nil], "is not known" => [1000, 700, { workers: 0 }],
    "works on jobs" => [1000, 700, { others: 60 }], "has no pace" => [1000, nil],
    "spent much on connections" => [1000, 700, { good: 200, opened: 100 }],
    "has short requests" => [1000, 700, { good: 600 }],
    "failed" => [1000, 700, { errors: { "timeout" => 1 } }],
    "gave no response for a time" => [1000, 700, { outage: { from_ns: 0, ns: 9 } }],
    "ended" => [1000, 700, { gone: true }] }.each do |what, (cpu, on_core, changes)|
    test "a server that #{what} has the rate between edges" do
      assert_nil span_ms(cpu, on_core, **changes.to_h)
    end
  end

  test "whoever serves twice as many as requests of 2 ms allow has short ones" do
    one, three = [1, 3].map do |workers|
      Mohs::Cohort::Spread.new(watched: [1, 2, 3], workers: [1, 2, 3].first(workers), cores: 2)
    end

    assert_equal [true, false], [one.long?(1000.0), one.long?(1001.0)]
    assert_equal [true, false], [three.long?(2000.0), three.long?(2001.0)]
  end
end

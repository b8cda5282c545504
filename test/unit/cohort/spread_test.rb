# frozen_string_literal: true

require "test_helper"

class SpreadTest < Mohs::TestCase
  MS = 1_000_000

  # Requests of 20 ms, while loaded and later; processes: the CPU time of a supervisor, which serves
  # none, and of each that serves, in ms.
  def span_ms(processes, good: 50, wall: 1000, loaded: 700, workers: processes.size - 1, **changes)
    result = Mohs::Load::StepResult.new(
      errors: {}, good:, wall_ns: wall * MS, loaded_ns: loaded * MS,
      processes_cpu_ns: processes.map { |one| one && (one * MS) }, **changes
    )
    spread = Mohs::Cohort::Spread.new(watched: [1, 2, 3], workers: [2, 3].first(workers))
    spread.full_span_ns(result)&.fdiv(MS)
  end

  test "a process that computed until its last response served all of that time" do
    assert_equal [1000.0, 1000.0], [span_ms([0, 1000]), span_ms([0, 960])]
    assert_equal 1000.0, span_ms([0, 990, 990], good: 99)
  end

  # 33 and 25 requests of 30 ms: by themselves they serve 33.3 each in a second.
  test "one that was done before another served in the time in which it computed" do
    assert_in_delta 66.7, 58 / span_ms([0, 1000, 740], good: 58) * 1000, 0.1
  end

  { "waited while it was loaded" => [[0, 940]],
    "waited beside one that did not" => [[0, 1000, 650]],
    "has threads on several cores" => [[0, 1100]], "spent no time" => [[0, 0]],
    "is gone" => [[0, 990, nil]], "is not known" => [[0], { workers: 1 }],
    "opened connections for short requests" => [[0, 990], { good: 100 }],
    "failed" => [[0, 990], { errors: { "timeout" => 1 } }],
    "gave no response for a time" => [[0, 990], { outage: { from_ns: 0, ns: 9 } }],
    "ended" => [[0, 990], { gone: true }] }.each do |what, (processes, changes)|
    test "a server that #{what} has the rate between edges" do
      assert_nil span_ms(processes, **changes.to_h)
    end
  end
end

# frozen_string_literal: true

require "test_helper"

# What is named first, where the truth is known because the readings are made up.
class ExplanationWhyTest < Mohs::TestCase
  def findings(comparison, metric = :throughput_per_s, worse: worse?(comparison, metric))
    Mohs::Analysis::Explanation::Why.new(comparison.explanation).findings(metric, worse:)
  end

  def worse?(comparison, metric)
    line = comparison.lines.find { |one| one.metric.key == metric }
    line.nil? || line.effect <= 1
  end

  def all(metric = :throughput_per_s, **sides)
    findings(Mohs::Stored.comparison(ExplainedResult.new(**sides).to_h), metric)
  end

  # The only one.
  def why(...)
    all(...).tap { |found| assert_operator found.size, :<=, 1 }.first
  end

  def names(finding, key) = finding.values[key].map { |one| one[:name] }

  STORM = { gc: 150.0, inside: { allocated_objects: 1600.0, gc_count: 0.04 } }.freeze

  test "of an allocation storm it is garbage collection, and the objects allocated" do
    found = why(b: { **STORM, code: 320.0 })

    assert_equal ["why_cpu", ["gc_time_ns"], ["allocated_objects"]],
                 [found.code, names(found, :parts), names(found, :beside)]
    assert_in_delta 520 / 400.0, found.values[:ratio], 0.03
  end

  # Of the table: both are read side by side.
  test "CPU time differs by what the verdict's table says" do
    comparison = Mohs::Stored.comparison(ExplainedResult.new(b: STORM, noise: 0.008).to_h)
    line = comparison.lines.find { |one| one.metric.key == :cpu_us_per_request }
    found = findings(comparison, line.metric.key).first

    assert_in_delta 1 / line.effect, found.values[:ratio], 1e-9
  end

  # By one test in the table, by a laxer one alone.
  test "where the table leaves CPU time undecided, what moved is all that is said" do
    found = why(b: { gc: 100.0, code: 260.0, inside: { allocated_objects: 1600.0 } }, cohorts: 3)

    assert_equal ["why_not_measured", %w[gc_time_ns allocated_objects]],
                 [found.code, names(found, :beside)]
  end

  test "without shares it is what moved as CPU time did" do
    options = { b: { **STORM, system: 42.0 }, noise: 0.004,
                pauses: [1, 1, 1, 30, 30, 1, 1, 1, 1] }
    comparison = Mohs::Stored.comparison(ExplainedResult.new(**options).to_h)
    found = findings(comparison, :cpu_us_per_request).first

    assert comparison.explanation.cause_of(:system_ns).significant
    assert_equal ["why_cpu", ["gc_time_ns"], ["allocated_objects"]],
                 [found.code, names(found, :parts), names(found, :beside)]
    assert_nil found.values[:parts].first[:share]
  end

  test "what its parts leave of it is said, if that is a tenth or more" do
    rests = [320.0, 400.0].map { |code| why(b: { **STORM, code: }, noise: 0.003).values[:rest] }

    assert_in_delta 20 / 120.0, rests.first, 0.05
    assert_in_delta 0.5, rests.last, 0.05
    assert_nil why(b: STORM, noise: 0.003).values[:rest]
  end

  # A part that hosts change much, and that has no name since it did not move beyond chance.
  test "a rest whose interval is wider than the difference has no share" do
    rest = Mohs::Stats::Interval.new(value: 1.08, low: 0.14, high: 2.04, count: 9)
    found = [rest, Mohs::Stats::Interval.new(**rest.to_h, high: 1.1)].map do |one|
      comparison = Mohs::Stored.comparison(ExplainedResult.new(b: { **STORM, code: 400.0 }).to_h)
      comparison.explanation.define_singleton_method(:unexplained) { one }
      findings(comparison).first.values.slice(:rest, :rest_unknown)
    end

    assert_equal [{ rest: nil, rest_unknown: true }, { rest: 1.08 }], found
  end

  test "of an allocator it is time in the kernel, and its page faults" do
    found = why(b: { system: 20.0, kernel: { minor_faults: 0.05 } }, noise: 0.003)

    assert_equal ["why_cpu", ["system_ns"], ["minor_faults"]],
                 [found.code, names(found, :parts), names(found, :beside)]
  end

  test "of a JIT it is code, with what was compiled" do
    found = why(b: { code: 130.0, attested: { jit: "yjit" },
                     gauges: { jit_code_bytes: 1_900_000 } })

    assert_equal ["why_cpu", ["code_ns"], ["jit_code_bytes"], [["off"], ["yjit"]]],
                 [found.code, names(found, :parts), names(found, :beside), found.values[:jits]]
  end

  # That there is more machine code explains nothing if both sides compile.
  test "of a JIT on both sides it is what was interpreted, not how much was compiled" do
    a, b = [[430_000, 9000.0], [480_000, 100.0]].map do |bytes, interpreted|
      { attested: { jit: "yjit" }, gauges: { jit_code_bytes: bytes },
        inside: { interpreted_instructions: interpreted } }
    end
    found = why(a: { **a, code: 400.0 }, b:, noise: 0.003)

    assert_equal ["why_cpu", ["code_ns"], ["interpreted_instructions"]],
                 [found.code, names(found, :parts), names(found, :beside)]
  end

  test "a JIT that only one side has is told even if nothing is explained by parts" do
    found = why(a: { code: 400.0 }, b: { attested: { jit: "yjit" }, code: 250.0,
                                         gauges: { jit_code_bytes: 0 } }, noise: 0.003)

    assert_equal ["why_unexplained", [["off"], ["yjit"]]], [found.code, found.values[:jits]]
  end

  test "of a JIT on both sides the machine code is no event that is named, either" do
    a, b = [430_000, 480_000].map do |bytes|
      { attested: { jit: "yjit" }, gauges: { jit_code_bytes: bytes } }
    end
    found = why(a:, b: { **b, code: 400.0 }, noise: 0.003)

    assert_equal ["why_unexplained", []], [found.code, names(found, :beside)]
  end

  # Another server: its own code takes less, switches differ.
  test "of code that is not compiled it is where the time went, and what else moved" do
    found = why(b: { code: 250.0, kernel: { voluntary_switches: 0.2 },
                     inside: { allocated_objects: 360.0 } }, noise: 0.003)

    assert_equal ["why_unexplained", "code_ns", %w[voluntary_switches allocated_objects]],
                 [found.code, found.values[:where][:name], names(found, :beside)]
    assert_in_delta 1, found.values[:where][:share], 0.15
  end

  # A loop in place of an allocation storm: what the storm costs is no reason for being faster.
  test "a part that moved against the difference does not lead" do
    found = why(a: { code: 1700.0, gc: 6.0 }, b: { **STORM, code: 400.0, gc: 180.0 })

    assert_equal ["why_unexplained", "code_ns", %w[gc_time_ns]],
                 [found.code, found.values[:where][:name], names(found, :beside)]
  end

  # A server that allocates more and switches less is not faster by what it allocates.
  test "events that cost time are named if they moved as the difference did" do
    fewer, more = [0.5, 1.5].map do |part|
      kernel = { voluntary_switches: 2.0 * part, minor_faults: 0.5 / part }
      why(b: { code: 300.0 * part, kernel:, inside: { allocated_objects: 400.0 * part } })
    end

    assert_equal [%w[allocated_objects voluntary_switches]] * 2,
                 [fewer, more].map { |found| names(found, :beside).sort }
    assert_equal %w[code_ns code_ns], [fewer, more].map { |found| found.values[:where][:name] }
  end

  test "where CPU time is undecided the rate says which way the difference is" do
    kernel = { voluntary_switches: 0.1, minor_faults: 5.0 }
    found = why(b: { code: 180.0, gc: 130.0, kernel: }, cohorts: 3, noise: 0.04)

    assert_equal ["why_not_measured", %w[voluntary_switches]], [found.code, names(found, :beside)]
  end

  test "what moved with a part moved the same way" do
    fewer = { allocated_objects: 800.0, gc_count: 0.004 }
    found = why(b: { gc: 20.0, inside: fewer }, noise: 0.003)

    assert_equal [%w[gc_time_ns], %w[gc_count]], [names(found, :parts), names(found, :beside)]
  end

  test "a part that moved with the difference comes before one against it" do
    found = why(b: { **STORM, gc: 90.0, code: 130.0, attested: { jit: "yjit" },
                     gauges: { jit_code_bytes: 1_900_000 } }, noise: 0.003)

    assert_equal %w[code_ns gc_time_ns], names(found, :parts)
    assert_operator found.values[:parts].last[:share], :<, 0
  end

  GVL = { inside: { gvl_wait_ns: 1_300_000.0 }, cores: 0.95, attested: { workers: 1 } }.freeze

  test "of two processes in place of one it is cores, and the wait for the lock" do
    found = why(a: GVL, b: { inside: { gvl_wait_ns: 200_000.0 }, cores: 1.8,
                             attested: { workers: 2 } })

    assert_equal ["why_cores", ["gvl_wait_ns"], [[1], [2]]],
                 [found.code, names(found, :waits), found.values[:workers]]
    assert_in_delta 0.95, found.values[:cores][:a], 0.01
    assert_operator found.values[:waits].first[:change], :<, 0
  end

  # One after the other of these: the GVL's wait moved, or did not but it is in demand.
  test "beside cores that are kept busy what is left of the waiting is not named either" do
    known = { kernel: { cpu_wait_ns: 5000.0 }, gauges: { threads_busy: 7 } }
    found = [100_000.0, 400_000.0].map do |wait|
      why(a: { **known, cores: 0.95, inside: { gvl_wait_ns: 400_000.0 } },
          b: { **known, cores: 1.8, inside: { gvl_wait_ns: wait }, attested: { workers: 2 } })
    end

    assert_equal [["why_cores", ["gvl_wait_ns"]], ["why_cores", ["waiting_ns"]]],
                 found.map { |one| [one.code, names(one, :waits)] }
  end

  # CPU time a request is larger, too: of a server that is mostly idle, each wakes more threads.
  test "of a lock in the application it is waiting, neither for the GVL nor for a core" do
    known = { inside: { gvl_wait_ns: 9000.0 },
              kernel: { cpu_wait_ns: 300_000.0 }, gauges: { threads_busy: 6 } }
    found = why(a: { cores: 0.4, **known }, b: { cores: 0.3, code: 900.0, **known })

    assert_equal %w[why_waiting other_wait_ns], [found.code, found.values[:part][:name]]
    assert_operator found.values[:part][:share], :>, 0.8
    assert_in_delta 13.3 / 4, found.values[:ratio], 0.1
  end

  # Each request also waits until a thread that needs the lock has read it and found one for it.
  test "of a server whose threads wait for the GVL it is never waiting for something else" do
    codes = [10_000.0, 1_300_000.0].map do |wait|
      known = { inside: { gvl_wait_ns: wait }, gauges: { threads_busy: 7 },
                kernel: { cpu_wait_ns: 5000.0 } }
      all(a: { cores: 0.4, **known }, b: { cores: 0.3, code: 900.0, **known }).map(&:code)
    end

    assert_equal %w[why_waiting], codes.first
    refute_includes codes.last, "why_waiting"
  end

  # An engine without that lock has no such figure, so that it is never marked.
  test "threads that wait for the GVL on one side only are enough for that" do
    known = { gauges: { threads_busy: 7 }, kernel: { cpu_wait_ns: 5000.0 } }
    java = { **known, attested: { engine: "jruby" }, cores: 0.1 }
    codes = [10_000.0, 1_300_000.0].map do |wait|
      all(a: { **known, inside: { gvl_wait_ns: wait }, cores: 0.4 }, b: java).map(&:code)
    end

    assert_equal %w[why_waiting], codes.first
    refute_includes codes.last, "why_waiting"
  end

  test "without the number of processes it is not known how long the GVL was in demand" do
    known = { inside: { gvl_wait_ns: 10_000.0 }, gauges: { threads_busy: 7 },
              kernel: { cpu_wait_ns: 5000.0 }, attested: { workers: nil } }

    refute_includes all(a: { cores: 0.4, **known }, b: { cores: 0.3, code: 900.0, **known })
      .map(&:code), "why_waiting"
  end

  # As seen of a lock around a sleep: 117 and 525 us, of 9 ms more.
  test "where the wait for the GVL moved too, all time off the CPU is named" do
    a, b = [117_000.0, 525_000.0].map do |wait|
      { inside: { gvl_wait_ns: wait }, gauges: { threads_busy: 7 },
        kernel: { cpu_wait_ns: 5000.0 } }
    end
    found = why(a: { cores: 0.2, code: 100.0, **a }, b: { cores: 0.14, code: 400.0, **b })

    assert_equal %w[why_waiting waiting_ns], [found.code, found.values[:part][:name]]
    assert_operator found.values[:part][:share], :>, 0.9
  end

  # A request waits in the socket until a thread has had its turns.
  test "of a server with more connections than threads it is never waiting for something else" do
    known = { inside: { gvl_wait_ns: 9000.0 }, gauges: { threads_busy: 6 },
              kernel: { cpu_wait_ns: 5000.0 } }
    codes = [4, 3].map do |threads|
      sides = [{ cores: 0.4 }, { cores: 0.3, code: 900.0 }].map do |side|
        { **side, **known, attested: { threads: } }
      end
      all(a: sides[0], b: sides[1]).map(&:code)
    end

    assert_equal %w[why_waiting], codes.first
    refute_includes codes.last, "why_waiting"
  end

  test "of an engine that does not tell its wait for the GVL it is time off the CPU" do
    known = { kernel: { cpu_wait_ns: 9000.0 } }
    found = why(a: { cores: 0.4, **known }, b: { cores: 0.08, **known })

    assert_equal %w[why_waiting waiting_ns], [found.code, found.values[:part][:name]]
  end

  # All of it waits in the socket, while the one thread is never idle.
  test "of a server with one thread that has no time left it is CPU time" do
    known = { cores: 0.95, inside: { gvl_wait_ns: 0.0 }, kernel: { cpu_wait_ns: 20_000.0 },
              gauges: { threads_busy: 1 } }
    found = why(a: known, b: { **STORM, **known })

    assert_equal "why_cpu", found.code
  end

  test "of a rate that differs by both it is the larger part, then the other" do
    sides = [{ cores: 0.8 }, { cores: 0.5 }].map { |cores| { **STORM, **cores } }
    found = sides.map { |b| all(b:, noise: 0.003) }

    assert_equal [%w[why_cpu why_cores], %w[why_cores why_cpu]],
                 found.map { |parts| parts.map(&:code) }
    assert_in_delta Math.log(0.9 / 0.8) / Math.log((0.9 / 0.8) * (520 / 400.0)),
                    found.first.last.values[:share], 0.05
    assert_empty found.first.last.values[:beside]
  end

  test "a rate that rises although fewer cores are busy comes from CPU time alone" do
    assert_equal "why_cpu", why(b: { cores: 0.8, code: 100.0, gc: 10.0 }, noise: 0.003).code
  end

  # Seen of two processes on two cores: the GVL of one bounces between both, so that it takes twice
  # the CPU time, too, which three cohorts did not show.
  test "cores are named for the lesser part, too, if CPU time is undecided, and what moved" do
    found = why(a: { **GVL, cores: 1.1, code: 520.0, system: 240.0 },
                b: { cores: 1.9, attested: { workers: 2 }, inside: { gvl_wait_ns: 200_000.0 } },
                cohorts: 3, noise: 0.08)

    assert_equal ["why_cores", ["gvl_wait_ns"], ["system_ns"]],
                 [found.code, names(found, :waits), names(found, :beside)]
    assert_operator found.values[:share], :<, 0.5
  end

  # Among waits that did not move three cohorts would not be enough.
  test "cores are named whenever a test of them alone is sure" do
    one = { cores: 0.69, inside: { gvl_wait_ns: 300_000.0 }, kernel: { cpu_wait_ns: 5000.0 } }
    result = ExplainedResult.new(a: one, b: { **one, cores: 1.3 }, cohorts: 3, noise: 0.08, seed: 4)
    comparison = Mohs::Stored.comparison(result.to_h)
    cores = comparison.explanation.cause_of(:cores_busy)

    assert_equal [true, true], [cores.low.positive?, cores.significant]
    assert_equal ["why_cores"], findings(comparison).map(&:code)
  end

  test "of CPU time it is never cores, of memory what takes it, of boot time nothing" do
    two = { cores: 1.8, memory: 64e6, attested: { jit: "yjit" },
            gauges: { heap_bytes: 60e6, jit_code_bytes: 4e6, threads: 5 } }
    one = { memory: 30e6, gauges: { heap_bytes: 30e6, threads: 5 } }

    undecided = why(:cpu_us_per_request, a: one, b: two)
    assert_equal ["why_not_measured", true], [undecided.code, undecided.values[:cores]]
    assert_equal %w[heap_bytes jit_code_bytes],
                 names(why(:memory_bytes, a: one, b: two), :beside)
    assert_nil why(:memory_bytes, a: one, b: one)
    assert_nil why(:boot_ms, a: one, b: two)
  end

  # A verdict on the p50, say, though the totals are better.
  test "what moved against the verdict does not explain it" do
    comparison = Mohs::Stored.comparison(ExplainedResult.new(b: { gc: 20.0 }, noise: 0.003).to_h)
    found = %i[latency_p50_ms throughput_per_s cpu_us_per_request].flat_map do |metric|
      findings(comparison, metric, worse: true)
    end

    assert_equal ["why_against"] * 3, found.map(&:code)
    assert_in_delta 370 / 400.0, found.first.values[:ratio], 0.01
  end

  test "a latency that waits less does not explain that it is longer" do
    known = { kernel: { cpu_wait_ns: 9000.0 } }
    comparison = Mohs::Stored.comparison(ExplainedResult.new(a: { cores: 0.08, **known },
                                                             b: { cores: 0.4, **known }).to_h)

    assert_equal ["why_not_measured"], findings(comparison, worse: true).map(&:code)
    assert_equal ["why_waiting"], findings(comparison, worse: false).map(&:code)
  end

  def memory(a, b, **options)
    comparison = Mohs::Stored.comparison(ExplainedResult.new(a:, b:, noise: 0.001, **options).to_h)
    [false, true].map do |worse|
      findings(comparison, :memory_bytes, worse:).flat_map { |one| names(one, :beside) }
    end
  end

  test "more memory does not come from a smaller heap, nor less of it from a larger one" do
    a, b = [60e6, 66e6].map { |bytes| { memory: bytes, gauges: { heap_bytes: 126e6 - bytes } } }

    assert_equal [[], []], memory(a, b)
    assert_equal [["heap_bytes"], []], memory(a, { **b, memory: 54e6 })
    assert_equal [[], ["heap_bytes"]], memory({ **b, memory: 54e6 }, a)
  end

  test "of memory a part is named from a tenth of its difference in bytes on" do
    found = [10.6e6, 11.6e6].map do |heap|
      memory({ memory: 100e6, gauges: { heap_bytes: 10e6 } },
             { memory: 110e6, gauges: { heap_bytes: heap } })
    end

    assert_equal [[[], []], [[], ["heap_bytes"]]], found
  end

  test "what is not known in bytes is no part of a difference in them" do
    a, b = [1000, 2000].map do |count|
      { memory: count * 1e5, gauges: { live_objects: count, threads: count, heap_pages: count } }
    end

    assert_equal [[], []], memory(a, b)
  end

  test "without readings there is no why" do
    plain = Mohs::Stored.comparison(CompareResult.new([0.3, 0.31, 0.29]).to_h)

    assert_empty findings(plain)
  end

  test "it survives JSON, as every finding's values do" do
    found = why(b: STORM)

    assert_equal found.values, JSON.parse(JSON.generate(found.values), symbolize_names: true)
  end
end

# frozen_string_literal: true

require "test_helper"

# Why two differ, where the truth is known because the readings are made up.
class ExplanationTest < Mohs::TestCase
  def explanation(...) = comparison(...).explanation

  def shares(one) = one.causes.select(&:share).to_h { |cause| [cause.name, cause.share.round(2)] }

  def moved(one) = one.causes.select(&:significant).map(&:name)

  # Trimming takes them.
  PAUSES = [1, 1, 1, 30, 30, 1, 1, 1, 1].freeze

  def comparison(**options) = Mohs::Stored.comparison(ExplainedResult.new(**options).to_h)

  def pairs(**options)
    Mohs::Stored.run(ExplainedResult.new(**options).to_h).cohorts.map do |cohort|
      cohort.trials.partition { |trial| trial.variant == "a" }
    end
  end

  def line(comparison)
    comparison.lines.find { |line| line.metric.key == :cpu_us_per_request }
  end

  STORM = { gc: 150.0, inside: { allocated_objects: 1600.0, gc_count: 0.04 } }.freeze

  test "what garbage collection costs is named, with its share, and what moved with it" do
    one = explanation(b: { **STORM, code: 320.0 })

    assert_equal [:gc_time_ns], shares(one).keys
    assert_in_delta 100 / 120.0, one.cause_of(:gc_time_ns).share, 0.08
    assert_empty %i[gc_time_ns allocated_objects gc_count] - moved(one)
    assert_in_delta 100_000, one.cause_of(:gc_time_ns).change, 4000
  end

  test "time in the kernel is a part of its own" do
    one = explanation(b: { system: 20.0, kernel: { minor_faults: 0.05 } }, noise: 0.003)

    assert_equal [:system_ns], shares(one).keys
    assert_in_delta 1, one.cause_of(:system_ns).share, 0.2
    assert_in_delta 0.1, one.cause_of(:minor_faults).ratio, 0.01
  end

  test "what stands in front is a part of its own" do
    one = explanation(b: { front: 120.0 })

    assert_equal [:front_ns], shares(one).keys
    assert_in_delta 1, one.cause_of(:front_ns).share, 0.08
    assert_nil explanation.cause_of(:front_ns)
  end

  test "requests that fail are paid by correct responses in front as well" do
    trial = pairs(b: { front: 120.0 }).first.last.first
    failing = trial.with(slices: trial.slices.map { |slice| slice.with(sent: slice.good * 2) })
    costs = [trial, failing].map { |one| Mohs::Analysis::Explanation::Costs.new(one) }

    assert_equal [120_000, 240_000], (costs.map { |one| one[:front_ns].value.round })
  end

  test "code that is compiled on one side accounts for what it takes less" do
    jit = { attested: { jit: "yjit" }, gauges: { jit_code_bytes: 1_900_000 } }
    one = explanation(b: { code: 130.0, **jit })

    assert_equal [:code_ns], shares(one).keys
    assert_in_delta 1, one.cause_of(:code_ns).share, 0.05
    code = one.cause_of(:jit_code_bytes)
    assert_equal [0.0, 1_900_000.0, true, "bytes"], code.to_h.values_at(:a, :b, :significant, :unit)
    assert_nil code.ratio
  end

  YJIT = { attested: { jit: "yjit" } }.freeze

  test "code that is compiled on both sides is not explained by how much of it there is" do
    a, b = [430_000, 480_000].map { |bytes| { **YJIT, gauges: { jit_code_bytes: bytes } } }
    one = explanation(a:, b: { **b, code: 400.0 })

    assert one.cause_of(:jit_code_bytes).significant
    assert_empty shares(one)
  end

  test "code that is interpreted instead explains what it takes more" do
    a, b = [100.0, 9000.0].map do |count|
      { **YJIT, inside: { interpreted_instructions: count } }
    end

    assert_equal [:code_ns], shares(explanation(a:, b: { **b, code: 400.0 })).keys
    assert_empty shares(explanation(a: b, b: { **a, code: 400.0 }))
  end

  test "a JIT explains neither what takes longer nor what it did not compile" do
    [1_900_000, 0].zip([400.0, 200.0]) do |bytes, code|
      one = explanation(b: { **YJIT, code:, gauges: { jit_code_bytes: bytes } })

      assert_includes moved(one), :code_ns
      assert_empty shares(one)
    end
  end

  # Bytes of machine code that vary too much from cohort to cohort for a test of many figures.
  def varied = [0.2, 0.2, 1.9, 1.9, 6.0, 6.0].map { |one| (one * 1e6).round }.cycle

  test "that only one side has machine code is certain, whatever a test of few cohorts finds" do
    jit = ->(gauge) { { **YJIT, gauges: { jit_code_bytes: gauge } } }
    code = lambda do |**sides|
      explanation(**sides, cohorts: 3).cause_of(:jit_code_bytes).significant
    end

    assert_equal [true, true], [code.call(b: jit.call(varied)), code.call(a: jit.call(varied))]
    refute code.call(a: jit.call(1_900_000), b: jit.call(varied)), "both compile"
    refute code.call(b: jit.call(0)), "it compiled nothing"
    counted = { **YJIT, inside: { jit_elapsed_ns: 50.0 } }
    assert_includes moved(explanation(b: counted, cohorts: 3)), :jit_elapsed_ns
  end

  test "compiled code is the part that takes less on the side that compiles, of few cohorts too" do
    { 130.0 => [:code_ns], 400.0 => [] }.each do |time, parts|
      one = explanation(b: { **YJIT, code: time, gauges: { jit_code_bytes: varied } }, cohorts: 3)
      assert_equal parts, one.parts.map(&:name)
    end
    assert_empty explanation(b: { code: 130.0 }, cohorts: 3).parts.map(&:name) & [:code_ns]
  end

  test "code that takes longer for no reason that was measured is not explained" do
    one = explanation(b: { code: 400.0 })

    assert_empty shares(one)
    assert_includes moved(one), :code_ns
    assert_in_delta 1, one.unexplained.value, 0.05
  end

  # Whether that is marked is chance: what is left would be right only by luck.
  test "what is left is less the parts that did not move beyond chance, too" do
    one = explanation(b: { gc: 150.0, system: 57.0 }, noise: 0.02)
    system = one.cause_of(:system_ns)
    taken = one.cause_of(:gc_time_ns).share + (system.change / one.cpu.change)

    refute system.significant
    assert_operator system.change, :>, 4000
    assert_in_delta 1 - taken, one.unexplained.value, 0.02
  end

  test "shares and what is left add up to the whole" do
    one = explanation(b: { **STORM, code: 350.0, system: 80.0 })
    rest = one.unexplained

    assert_in_delta 1, one.causes.filter_map(&:share).sum + rest.value, 1e-9
    assert_operator rest.low, :<, 50 / 180.0
    assert_operator rest.high, :>, 50 / 180.0
  end

  test "of a server that works while no load runs parts have no shares" do
    one = explanation(b: { **STORM, between: 80.0 })

    refute_predicate one, :whole?
    assert_empty shares(one)
    assert_nil one.unexplained
    assert_predicate explanation(b: STORM), :whole?
  end

  test "a part that moved no further than chance has no share" do
    one = explanation(b: { code: 400.0, gc: 51.0 }, noise: 0.05)

    assert_nil one.cause_of(:gc_time_ns).share
  end

  test "without a difference in CPU time there are no shares of it" do
    one = explanation(noise: 0.02)

    refute one.cpu.significant
    assert_empty shares(one)
    assert_nil one.unexplained
  end

  test "CPU time differs where the verdict's table says so, whatever pauses do to the totals" do
    comparison = comparison(b: STORM, noise: 0.004, pauses: PAUSES)
    one = comparison.explanation

    assert_equal "worse", line(comparison).outcome
    assert_predicate one, :differs?
    assert_in_delta 1 / line(comparison).effect, one.compared.value, 1e-9
    assert_in_delta 1 / line(comparison).low, one.compared.high, 1e-9
    assert_in_delta 1 / line(comparison).high, one.compared.low, 1e-9
  end

  test "of totals that do not differ beyond chance there are no shares, but what moved" do
    one = explanation(b: STORM, noise: 0.004, pauses: PAUSES)

    refute one.cpu.significant
    assert_empty shares(one)
    assert_nil one.unexplained
    assert_includes moved(one), :gc_time_ns
  end

  # Alone they would: the table holds four metrics together.
  test "CPU time does not differ where the verdict's table leaves it undecided" do
    comparison = comparison(b: { gc: 100.0 }, cohorts: 3, seed: 2)
    one = comparison.explanation

    assert_equal "alike", line(comparison).outcome
    assert one.cpu.significant
    refute_predicate one, :differs?
    assert_empty shares(one)
  end

  test "two cohorts give shares without a test, and say so" do
    one = explanation(b: STORM, cohorts: 2)

    refute_predicate one, :tested?
    assert_empty moved(one)
    assert_equal [nil, nil], one.cause_of(:gc_time_ns).to_h.values_at(:low, :high)
    assert_operator one.cause_of(:gc_time_ns).share, :>, 0.8
    assert_nil one.unexplained.low
  end

  test "more cores that are kept busy account for a rate, not for CPU time a request" do
    two = { cores: 1.8, attested: { workers: 2 } }
    one = explanation(b: two)

    assert_in_delta 1, one.cores_share, 0.05
    assert_includes moved(one), :cores_busy
    assert_includes moved(one), :waiting_ns
    assert_equal [[1], [2]], one.attested(:workers)
  end

  test "what waits twice is never less than no waiting" do
    waits = { inside: { gvl_wait_ns: 1_200_000.0 }, kernel: { cpu_wait_ns: 900_000.0 } }
    one = explanation(a: waits, b: { cores: 0.4, **waits })

    assert_equal 0, one.cause_of(:other_wait_ns).a
    assert_in_delta 3_600_000 - 2_100_000, one.cause_of(:other_wait_ns).b, 100_000
  end

  test "CPU time a request accounts for the rest of a rate" do
    one = explanation(b: { **STORM, cores: 0.9 })

    assert_in_delta 0, one.cores_share, 0.05
  end

  test "a server is crowded that has fewer threads than connections, if their number is known" do
    crowded = [3, 4, "3 and 4", nil].map do |threads|
      explanation(b: { attested: { threads: } }).crowded?
    end

    assert_equal [true, false, false, false], crowded
  end

  test "a figure that one side lacks is left out" do
    one = explanation(b: { inside: { gvl_wait_ns: 100_000.0 } })

    assert_nil one.cause_of(:gvl_wait_ns)
    refute_nil one.cause_of(:gc_time_ns)
  end

  test "what a JIT did is left out if it is off on both sides" do
    on = explanation(b: { attested: { jit: "yjit" }, gauges: { jit_code_bytes: 1000 } })

    assert_equal 0, on.cause_of(:jit_code_bytes).a
    assert_nil explanation.cause_of(:jit_code_bytes)
  end

  # A JVM tells by the clock how long it stood still: no part of the CPU time.
  test "collections of an engine without a CPU clock for them have no share" do
    jvm = { attested: { engine: "jruby" }, inside: { gc_time_ns: nil } }
    slower = { code: 500.0, inside: { gc_time_ns: nil, gc_pause_ns: 90_000.0 } }
    one = explanation(a: { **jvm, inside: { gc_time_ns: nil, gc_pause_ns: 20_000.0 } },
                      b: { **jvm, **slower })

    assert_empty %i[gc_pause_ns user_ns] - moved(one)
    assert_empty shares(one)
    assert_nil one.cause_of(:code_ns)
    assert_in_delta 1, one.unexplained.value, 0.01
  end

  # YJIT tells by the clock how long it compiled, while others may have had the core.
  test "compiling has no share, but is within code" do
    a, b = [20_000.0, 60_000.0].map { |each| { **YJIT, inside: { jit_elapsed_ns: each } } }
    one = explanation(a:, b: { **b, gc: 90.0 }, noise: 0.003)

    assert_includes moved(one), :jit_elapsed_ns
    assert_equal [:gc_time_ns], shares(one).keys
    assert_in_delta 300_000, one.cause_of(:code_ns).b, 5000
  end

  test "trials without readings are not explained" do
    plain = Mohs::Stored.comparison(CompareResult.new([0.3, 0.31, 0.29]).to_h)

    refute_predicate plain.explanation, :known?
    assert_predicate explanation, :known?
    refute_predicate explanation(cohorts: 0), :known?
  end

  test "it counts the cohorts of the last look" do
    noisy = [0.02, -0.03, 0.01, 0.0, 0.03, -0.02, 0.01]
    counts = [2, 4, 7].map do |cohorts|
      Mohs::Stored.comparison(CompareResult.new(noisy.first(cohorts)).to_h).explanation.count
    end

    assert_equal [2, 4, 6], counts
  end

  # Each of the three families has something that moved.
  test "figures of a family are tested one after the other, up to the first that fails" do
    pairs = pairs(b: { **STORM, system: 90.0, cores: 0.6 }, noise: 0.004)
    levels = [->(_) { 0.05 }, ->(count) { count == 3 ? 0.05 : 0.0 }, ->(count) { 0.05 / count }]
    all, stopped, held = levels.map do |level|
      moved(Mohs::Analysis::Explanation.new(pairs, a: "a", b: "b", level:, compared: nil))
    end

    assert_empty stopped
    assert_empty %i[gc_time_ns system_ns user_ns cores_busy waiting_ns allocated_objects] - held
    assert_operator all.size, :>=, held.size
  end

  test "the more candidates a run has, the wider are the intervals" do
    widths = [%w[a b], %w[a b c]].map do |names|
      result = ExplainedResult.new(b: STORM, cohorts: 3).to_h
      result[:run][:study].delete(:comparison)
      result[:run][:study][:variants] = names.map { |name| { name: } }
      result[:cohorts].each do |cohort|
        others = cohort[:trials].select { |trial| trial[:variant] == "b" && names.include?("c") }
        cohort[:trials] += others.map { |trial| trial.merge(variant: "c") }
      end
      cause = Mohs::Stored.analysis(result).explanation("b").cause_of(:gc_time_ns)
      cause.high - cause.low
    end

    assert_operator widths.last, :>, widths.first * 1.3
  end

  # A count of one in each of three cohorts, and none on the other side.
  test "what differs by a single event is not beyond chance, however often" do
    a, b = [0.0, 1 / 20_000.0].map { |each| { kernel: { major_faults: each } } }
    one = explanation(a:, b: { **b, code: 400.0 }, noise: 0.001)

    assert_in_delta 1 / 20_000.0, one.cause_of(:major_faults).change, 1e-6
    refute one.cause_of(:major_faults).significant
  end

  test "bytes that differ by less than a page are not beyond chance, however often" do
    a, b = [1_900_000, 1_900_100].map { |bytes| { **YJIT, gauges: { jit_code_bytes: bytes } } }
    one = explanation(a:, b:)

    assert_in_delta 100, one.cause_of(:jit_code_bytes).change, 1
    refute one.cause_of(:jit_code_bytes).significant
  end

  test "rates that are the same have no share of cores" do
    one = explanation(b: { gc: 70.0, cores: 0.9 * 420 / 400 }, noise: 0.003)

    assert_includes moved(one), :gc_time_ns
    assert_nil one.cores_share
  end

  test "rates that can't be tested have no share of cores, either" do
    [0.9 * 420 / 400, 1.8].each do |cores|
      assert_nil explanation(b: { gc: 70.0, cores: }, cohorts: 2, noise: 0.003).cores_share
    end
  end

  test "figures that are the same move in few of many runs" do
    false_runs = Array.new(60) do |seed|
      moved(explanation(b: { gauges: { live_objects: 40_000 } },
                        a: { gauges: { live_objects: 40_000 } }, seed:, noise: 0.03))
    end
    assert_operator false_runs.count(&:any?), :<=, 8
  end

  # Of a run: each candidate against the baseline, held together.
  test "a run explains any two of its variants, by the cohorts that held both" do
    run = Mohs::Stored.analysis(SampleResult.new({ "a" => 1000, "b" => 1200, "c" => 900 }).to_h)

    assert_equal [3, 3], [run.explanation("b"), run.explanation("c", against: "b")].map(&:count)
    assert_equal %w[b c], run.explanation("c", against: "b").then { |one| [one.a, one.b] }
    assert_empty run.why(run.rows.first)
  end

  test "a comparison's two the other way round are the same, as certain" do
    run = Mohs::Stored.analysis(ExplainedResult.new(b: { gc: 100.0 }, cohorts: 3, seed: 2).to_h)
    there, back = run.explanation("b"), run.explanation("a", against: "b")

    assert_equal moved(there).sort, moved(back).sort
    assert_equal [there.differs?, there.count], [back.differs?, back.count]
    assert_in_delta 1 / there.compared.low, back.compared.high, 1e-9
    assert_equal %w[b a], [back.a, back.b]
  end

  test "a verdict that finds no difference has no why" do
    differing, alike = [{ gc: 150.0 }, {}].map do |b|
      Mohs::Stored.analysis(ExplainedResult.new(b:, noise: 0.004).to_h)
    end

    assert_equal ["why_cpu"], differing.why(row(differing)).map(&:code)
    assert_empty alike.why(row(alike))
    assert_empty differing.why(differing.rows.find { |one| one.name == "a" })
  end

  def row(run) = run.rows.find { |one| one.name == "b" }
end

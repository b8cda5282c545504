# frozen_string_literal: true

require "test_helper"

class AnalysisImportsTest < Mohs::TestCase
  Imports = Mohs::Analysis::Imports

  def samples(variant, values, measure: Imports::RATE, **more)
    values.map do |value|
      Imports::Sample.new(file: "x", format: "wrk", variant:, measure:, value:, **more)
    end
  end

  def compare(a, b, **options)
    Imports.new(samples("a", a, **options) + samples("b", b, **options)).comparisons.first
  end

  def bounds(verdict) = verdict.to_h.values_at(:low, :effect, :high)

  # Written out: means of logs, their variances, Satterthwaite's degrees of freedom.
  test "the interval is Welch's of the logarithms over runs" do
    logs = [[100, 110, 105], [120, 118, 125]].map { |all| all.map { |one| Math.log(one) } }
    mean = logs.map { |all| all.sum / 3 }
    parts = logs.zip(mean).map { |all, m| all.sum { |one| (one - m)**2 } / 2 / 3 }
    df = (parts.sum**2) / parts.sum { |part| (part**2) / 2 }
    half = Mohs::Stats::StudentT.upper_quantile(0.025, df) * Math.sqrt(parts.sum)
    expected = [-half, 0, half].map { |off| Math.exp(mean[1] - mean[0] + off) }
    found = compare([100, 110, 105], [120, 118, 125])

    expected.zip(bounds(found.verdict)) { |one, other| assert_in_delta one, other, 1e-12 }
    assert_equal [:faster, [3, 3], "a"],
                 [found.verdict.outcome, found.runs, found.verdict.against]
  end

  test "less of a time is better, as a ratio that is bigger" do
    found = compare([2.0, 2.02, 1.98], [1.0, 1.01, 0.99], measure: Imports::TIME).verdict

    assert_in_delta 2, found.effect, 0.01
    assert_equal :faster, found.outcome
    assert_operator found.low, :>, 1.9
  end

  test "two runs of each have an interval, one has none and says why" do
    two, one = compare([100, 101], [120, 121]), compare([100, 101], [120])

    assert_operator two.verdict.low, :<, two.verdict.effect
    assert_equal [:undecided, nil, nil], [one.verdict.outcome, one.verdict.low, one.verdict.high]
    assert_in_delta 120 / Math.sqrt(100 * 101), one.verdict.effect, 1e-9
    assert_equal ["import_no_interval"], one.verdict.findings.map(&:code)
    assert_empty two.verdict.findings
  end

  test "the interval misses as often as it says, also with two runs of each" do
    random = Random.new(11)
    normal = -> { Math.sqrt(-2 * Math.log(1 - random.rand)) * Math.cos(2 * Math::PI * random.rand) }
    [2, 3, 6].each do |runs|
      misses = Array.new(600) do
        a, b = Array.new(2) { Array.new(runs) { Math.exp(5 + (0.02 * normal.call)) } }
        %i[faster slower].include?(compare(a, b).verdict.outcome)
      end.count(true)
      assert_operator misses, :<, 600 * 0.08, "#{runs} runs"
    end
  end

  test "the interval misses no more often where one has many runs and the other few" do
    random = Random.new(3)
    normal = -> { Math.sqrt(-2 * Math.log(1 - random.rand)) * Math.cos(2 * Math::PI * random.rand) }
    [[2, 10, 1], [2, 30, 1], [3, 30, 2]].each do |few, many, ratio|
      misses = Array.new(600) do
        a = Array.new(few) { Math.exp(5 + (0.02 * ratio * normal.call)) }
        b = Array.new(many) { Math.exp(5 + (0.02 * normal.call)) }
        %i[faster slower].include?(compare(a, b).verdict.outcome)
      end.count(true)
      assert_operator misses, :<, 600 * 0.07, "#{few} and #{many} runs"
    end
  end

  test "runs that all have the same figure, copies or rounded ones, show no spread" do
    [[[5.0, 5.0], [5.1, 5.1]], [[5.0, 5.0, 5.0], [5.1, 5.2, 5.3]]].each do |a, b|
      verdict = compare(a, b).verdict
      assert_equal [:undecided, nil, ["import_no_spread"]],
                   [verdict.outcome, verdict.low, verdict.findings.map(&:code)]
    end
  end

  test "three runs of one figure have no interval of their own either" do
    same, other = [[5.0] * 3, [5.0, 5.1, 5.2]].map do |values|
      Imports.new(samples("a", values)).rows.first.estimate
    end

    assert_equal [5.0, nil, 3], same.to_h.values_at(:value, :low, :count)
    assert_operator other.low, :<, other.value
  end

  test "a run that failed leaves no comparison, whatever time it took" do
    crashed = { errors: { "exit_status" => 1 } }
    all = [*samples("a", [2.0, 2.1], measure: Imports::TIME),
           *samples("b", [1.9], measure: Imports::TIME),
           *samples("b", [0.1], measure: Imports::TIME, **crashed)]
    load = samples("a", [100, 101]) + samples("b", [90, 91], requests: 9, errors: { "reset" => 1 })

    [all, all.reverse].each do |order|
      found = Imports.new(order).comparisons.first.verdict
      assert_equal [:invalid, ["import_failed"]], [found.outcome, found.findings.map(&:code)]
    end
    refute_equal :invalid, Imports.new(load).comparisons.first.verdict.outcome
  end

  test "several comparisons share the chance of a false one" do
    all = Imports.new(%w[a b c d e].flat_map { |name| samples(name, [100, 101, 102]) })

    assert_in_delta 0.0125, all.alpha, 1e-12
    alone = compare([100, 101, 102], [100, 101, 102])
    assert_operator all.comparisons.first.verdict.high, :>, alone.verdict.high
    assert_equal %w[b c d e], all.comparisons.map(&:variant)
  end

  test "equal within the margin is equivalent" do
    verdict = compare([100.0, 100.01, 100.02], [100.02, 100.0, 100.01]).verdict

    assert_equal :equivalent, verdict.outcome
    assert_equal [verdict.low, verdict.high], verdict.equal
  end

  test "runs without the figure, or of 0, have no ratio" do
    { [nil, nil] => "no_figure", [0.0, 0.0] => "silent", [0.0, 900, 901] => "silent" }
      .each do |values, why|
        found = compare([100, 101], values)
        assert_equal [:invalid, nil], [found.verdict.outcome, found.verdict.effect]
        assert_equal ["import_#{why}"], found.verdict.findings.map(&:code)
      end
  end

  test "benchmarks and measures are compared among themselves" do
    all = [*samples("a", [1, 2], benchmark: "fib"), *samples("b", [1, 2], benchmark: "fib"),
           *samples("a", [5], benchmark: "nbody"),
           *samples("b", [7], benchmark: "nbody", measure: Imports::TIME)]
    found = Imports.new(all)

    assert_equal [%w[fib b]], found.comparisons.map { |one| [one.benchmark, one.variant] }
    assert_equal 4, found.rows.size
  end

  test "quantiles of several runs are their medians, the maximum is the largest" do
    latencies = [{ p50: 1.0, max: 9.0 }, { p50: 3.0, max: 4.0 }, { p50: 2.0, max: 5.0 }]
    row = Imports.new(latencies.flat_map { |latency_ms| samples("a", [1], latency_ms:) }).rows.first

    assert_equal({ p50: 2.0, p90: nil, p99: nil, p999: nil, max: 9.0 }, row.latency_ms)
  end

  # The one that lacks it answered too few requests, or failed too many.
  test "a quantile that one of the runs lacks is none of the others" do
    a = samples("a", [1, 1], latency_ms: { p50: 1.0, p99: 5.0, max: 9.0 })
    b = [*samples("b", [1, 1], latency_ms: { p50: 1.0, p99: 2.0, max: 3.0 }),
         *samples("b", [1], latency_ms: { p50: 1.0 })]
    found = Imports.new(a + b)

    assert_equal({ p50: 1.0, p90: nil, p99: nil, p999: nil, max: nil }, found.rows.last.latency_ms)
    assert_nil found.comparisons.first.ratios[:p99].value
    assert_in_delta 1.0, found.comparisons.first.ratios[:p50].value
  end

  test "latencies are compared as well, a lower one is better" do
    a, b = [2.0, 1.0].map { |p50| { latency_ms: { p50: } } }
    found = Imports.new(samples("a", [1, 1], **a) + samples("b", [1, 1], **b)).comparisons.first

    assert_in_delta 2, found.ratios[:p50].value, 1e-9
    assert_nil found.ratios[:p99].value
  end

  test "errors are added, and what files lack is said once" do
    lacks = [Mohs::Analysis::Finding.note("import_summary")]
    row = Imports.new(samples("a", [1], errors: { "reset" => 2, "closed" => 1 }, lacks:) +
                      samples("a", [2], errors: { "reset" => 3 }, lacks:)).rows.first

    assert_equal({ "reset" => 5, "closed" => 1 }, row.errors)
    assert_equal ["import_summary"], row.lacks.map(&:code)
    one = Imports.new(samples("a", [1])).rows.first
    assert_equal ["import_one_run"], one.lacks.map(&:code)
  end

  test "several tools in one comparison, and runs that mohs did not interleave, are noted" do
    a, b = samples("a", [1]), samples("b", [1])
    mixed = Imports.new([*a, b.first.with(format: "ab")])

    assert_equal %w[import_unattested import_apart import_mixed], mixed.notes.map(&:code)
    assert_equal %w[import_unattested], Imports.new(a).notes.map(&:code)
  end

  test "a baseline that no file has is a mistake" do
    error = assert_raises(Mohs::UsageError) do
      Imports.new(samples("puma", [1]), baseline: "pumas")
    end
    assert_match(/--baseline pumas: .*"puma"/, error.message)
  end
end

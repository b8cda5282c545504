# frozen_string_literal: true

require "test_helper"

# What the runner asks of a comparison while it measures, and what each cohort says.
class ComparisonCourseTest < Mohs::TestCase
  # Five seconds a cohort; two servers a side, of 20 measured slices with 1000 requests each.
  def result(differences, **options)
    CompareResult.new(differences, **options).to_h.tap { |result| yield result if block_given? }
  end

  def comparison(...) = Mohs::Stored.comparison(result(...))

  def scheme(name) = ->(result) { result[:cohorts].each { |one| one[:spec] = { scheme: name } } }

  # The last of these cohorts measured each alone.
  def with_solo(differences, **options)
    comparison(differences, **options) do |result|
      result[:cohorts][differences.size - 1][:spec] = { solo: true }
    end
  end

  LARGE = [0.1, 0.101, 0.099].freeze

  test "a difference of more than a tenth is measured once with each alone" do
    assert_predicate comparison(LARGE), :wants_solo?
    assert_predicate comparison(LARGE.map(&:-@)), :wants_solo?
    refute_predicate comparison(LARGE.map { |log| log - 0.006 }), :wants_solo?
    refute_predicate comparison(LARGE.first(2)), :wants_solo?, "undecided"
  end

  test "once is enough, and only where both were loaded at once and there is time left" do
    refute_predicate with_solo([*LARGE, 0.1]), :wants_solo?
    refute_predicate comparison(LARGE, &scheme("alternating")), :wants_solo?
    refute_predicate comparison(LARGE, comparison: { most: 9 }), :wants_solo?
    refute_predicate comparison(LARGE, budget_s: 19), :wants_solo?
    assert_predicate comparison(LARGE, budget_s: 20), :wants_solo?
  end

  test "a cohort of each alone counts by itself" do
    found = with_solo([*LARGE, 0.5])

    assert_equal [[0, 1, 2], 3], [found.pairs.map(&:position), found.solo.position]
    assert_nil comparison(LARGE).solo
  end

  test "each alone and both together are held against each other" do
    far, near = [0.5, 0.1].map { |alone| with_solo([*LARGE, alone]).warnings }

    assert_equal [["contention", :warn, "requests/s"]],
                 far.map { |one| [one.code, one.severity, one.values[:metric]] }
    assert_in_delta Math.exp(0.5), far.first.values[:ratio], 1e-5
    assert_empty near
    assert_empty with_solo([0.1, 0.1, 0.5]).warnings, "two cohorts have no interval"
  end

  test "of a metric of which less is better the ratio is that of the figures" do
    warned = with_solo([*LARGE, 0.5], comparison: { metric: "cpu" }).warnings

    assert_equal %w[contention], warned.map(&:code)
    assert_in_delta Math.exp(-0.5), warned.first.values[:ratio], 1e-4
  end

  test "the next look is the first after what was measured" do
    looks = comparison([]).rules.question.looks
    counts = [0, looks[0] - 1, looks[0], looks[1], looks.last]
    seen = counts.map { |count| comparison([0.1] * count).next_look }

    assert_equal [looks[0], looks[0], looks[1], looks[2], nil], seen
  end

  test "requests are those of the side that answered more" do
    found = comparison([0.1, 0.2], slice: lambda do |slice, name, index, _|
      slice[:sent] += 1 if name == "b" && index == 1
    end)

    assert_equal (2 * 2 * 20 * 1000) + 4, found.requests
  end

  test "a cohort takes as long as most did, from its first server's start" do
    found = comparison([0.1, 0.2, 0.3]) do |result|
      first, _, last = result[:cohorts]
      first[:started_ms] -= 60_000 # it waited for another mohs
      last[:finished_ms] += 4000
      last[:trials].first[:started_ms] -= 500
    end

    assert_equal [5.0, 5.0, 9.5], found.pairs.map(&:seconds)
    assert_in_delta 5.0, found.cohort_s
    assert_nil comparison([]).cohort_s
  end

  test "a cohort without servers took its own time" do
    found = comparison([0.1]) do |result|
      result[:cohorts].first.merge!(trials: [], started_ms: 2000, finished_ms: 4500)
    end

    assert_equal [2.5, "side_not_measured", false],
                 [found.void.first.seconds, found.void.first.trouble.code, found.void.first.final?]
    assert_empty found.pairs
  end

  test "a block takes the load of one side in a duet, that of both in turns" do
    block_s = [nil, "alternating"].map do |name|
      comparison([0.0], &(name ? scheme(name) : ->(_) {})).pairs.first.block_s
    end

    # Two servers a side, two slices of a second in each block.
    assert_in_delta 4.0, block_s.first, 1e-6
    assert_in_delta 8.0, block_s.last, 1e-6
    bare = comparison([0.0], trial: ->(trial, *) { trial[:slices] = [] })
    assert_in_delta 0.0, bare.pairs.first.block_s
  end

  test "what happened to a cohort is the worst of its failures, with its side" do
    ends = { 1 => "failed", 2 => "refused", 3 => "failed" }
    found = comparison([0.1]) do |result|
      result[:cohorts].first[:trials].each_with_index do |trial, index|
        trial.merge!(state: ends[index], reason: "r#{index}", slices: []) if ends[index]
      end
    end
    pair = found.void.first

    assert_equal ["side_refused", :bad, "B", "r2"],
                 [pair.trouble.code, pair.trouble.severity, pair.trouble.subject,
                  pair.trouble.values[:reason].to_s]
    assert_predicate pair, :final?
    assert_nil comparison([0.1]).pairs.first.trouble
  end

  test "a cohort of one side alone does not count" do
    %w[a b].each do |name|
      found = comparison([0.1]) do |result|
        result[:cohorts].first[:trials].reject! { |trial| trial[:variant] == name }
      end

      assert_equal [[], ["side_not_measured"]],
                   [found.pairs, found.void.map { |pair| pair.trouble.code }]
    end
  end

  test "a failure of A is told of A" do
    found = comparison([0.1], trial: lambda do |trial, name, _|
      trial.merge!(state: "failed", reason: "r", slices: []) if name == "a"
    end)

    trouble = found.void.first.trouble

    assert_equal ["side_failed", "A", "a"],
                 [trouble.code, *trouble.values.values_at(:side, :variant)]
    refute_predicate found.void.first, :final?
  end

  test "two cohorts that crashed are an accident, three are not" do
    crash = lambda do |count|
      comparison([0.1] * 3, trial: lambda do |trial, name, position|
        trial.merge!(state: "failed", reason: "r", slices: []) if name == "b" && position < count
      end)
    end

    assert_equal [nil, "side_failed"], [2, 3].map { |count| crash.call(count).fault&.code }
  end

  test "a cohort has the cores and the noise of its host" do
    pair = comparison([0.1, 0.1]).pairs.last

    assert_equal 1, pair.cores
    assert_in_delta 0.04, pair.noise[:foreign_cpu_share]
  end

  test "a line has the typical figures of both sides, and says what has none" do
    lines = comparison([0.1, 0.3, 0.2], slice: ->(slice, *) { slice[:p50_ns] = nil }).lines
    rates, _, p50 = lines

    assert_in_delta 1000, rates.a, 0.01
    assert_in_delta 1000 * Math.exp(0.2), rates.b, 0.01
    assert_equal ["not_recorded", nil, nil], [p50.missing.code, p50.a, p50.low]
    assert_equal [nil], lines.values_at(0, 1, 3, 4).map(&:missing).uniq
  end

  test "the metrics that do not decide are held together, by how many there are" do
    slice = ->(one, *) { one[:p50_ns] = nil }
    all, fewer = [nil, slice].map { |change| comparison([0.1, 0.3, 0.2], slice: change) }
    widths = [all, fewer].map { |one| one.lines[1].then { |line| line.high / line.low } }
    expected = [4, 3].map do |count|
      together = Mohs::Stats::Sequential.new(alpha: 0.05, comparisons: count)
      together.interval([0.1, 0.3, 0.2]).exp.then { |one| one.high / one.low }
    end

    widths.zip(expected) { |width, wanted| assert_in_delta wanted, width, 0.01 * wanted }
  end

  test "what is undecided at its end has a forecast, what is decided or goes on has none" do
    noisy = [0.02, -0.03, 0.01, 0.0]
    found = [comparison(noisy), comparison(noisy, planned: 4), comparison(noisy, budget_s: 20),
             comparison(LARGE, planned: 3)]

    assert_equal [nil, "forecast", "forecast", nil], found.map { |one| one.forecast&.code }
    assert_includes found[1].verdict.findings.map(&:code), "forecast"
  end

  # Cohorts of five seconds each.
  test "a comparison that stops before the first look says what was spent and what is missing" do
    first = comparison([0.1], budget_s: 9).forecast
    second = comparison([0.1, 0.3], budget_s: 14).forecast

    assert_equal "before_first_look", first.code
    assert_equal({ spent_s: 5.0, budget_s: 9, missing: 2, missing_s: 10.0, needed_s: 18.0 },
                 first.values)
    assert_equal({ spent_s: 10.0, budget_s: 14, missing: 1, missing_s: 5.0, needed_s: 18.0 },
                 second.values)
  end

  test "the cohorts that don't count take their time, too" do
    crash = lambda do |trial, name, position|
      trial.merge!(state: "failed", slices: []) if name == "b" && position.zero?
    end

    assert_equal({ spent_s: 10.0, budget_s: 10, missing: 2, missing_s: 10.0, needed_s: 24.0 },
                 comparison([0.1, 0.3], budget_s: 10, trial: crash).forecast.values)
  end
end

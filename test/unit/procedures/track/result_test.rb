# frozen_string_literal: true

require "test_helper"
require "support/sample_history"

class TrackResultTest < Mohs::TestCase
  THROUGHPUT = Mohs::Analysis::Metric.fetch("throughput")

  def history(logs, metric: THROUGHPUT, **options)
    Mohs::Track::Result.new(SampleHistory.points(logs, **options), metric:)
  end

  test "a step is found between its two points, with its size" do
    change, *others = history(SampleHistory.steps([30, 0.1], [10, 0.07])).changes

    assert_empty others
    assert_equal [29, 30, [30, 10]], [change.before.id, change.first.id, change.points]
    assert_in_delta Math.exp(-0.03), change.effect.value, 0.005
    assert_operator change.effect.low, :<, change.effect.value
    assert_operator change.effect.high, :<, 1
  end

  test "no change without one, nor one that is too small to matter" do
    assert_empty history(SampleHistory.steps([60, 0.1])).changes
    assert_empty history(SampleHistory.steps([30, 0.1], [30, 0.094], sd: 0.0005)).changes
  end

  test "a change is fresh with the point that brings it to light, and not with later ones" do
    logs = SampleHistory.steps([30, 0.1], [12, 0.05])
    fresh = (30..42).map { |count| history(logs.first(count)).changes.map(&:fresh) }

    assert_equal 1, fresh.count([true])
    assert_equal [[false]], fresh.last(5).uniq
  end

  # [number of points, indexes of the changes that are fresh] of each night.
  def nights(logs)
    (4..logs.size).to_h do |count|
      found = history(logs.first(count))
      [count, found.changes.select(&:fresh).map { |change| found.kept.index(change.first) }]
    end
  end

  test "a change soon after another one is fresh, too" do
    back = SampleHistory.steps([30, 0.1], [4, 0.2], [6, 0.1])
    on = SampleHistory.steps([30, 0.1], [4, 0.0], [6, -0.1])

    [back, on].each { |logs| assert_equal [30, 34], nights(logs).values.flatten.sort }
  end

  test "a change that was lost for some nights is not fresh again" do
    seed = (1..60).find { |one| known_on_and_off?(wavering(one)) }
    refute_nil seed, "none of the histories wavers"

    assert_operator nights(wavering(seed)).values.flatten.size, :<=, 1
  end

  # So small that the next point may speak against it.
  def wavering(seed) = SampleHistory.steps([20, 0.1], [20, 0.08], sd: 0.01, seed:)

  def known_on_and_off?(logs)
    known = (22..40).map { |count| history(logs.first(count)).changes.size }
    known.max == 1 && known.slice_when { |one, other| one != other }.count { _1.first == 1 } > 1
  end

  test "a night without a figure brings nothing to light" do
    logs = SampleHistory.steps([30, 0.1], [12, 0.05])
    first = (30..42).find { |count| history(logs.first(count)).changes.any?(&:fresh) }
    later = history([*logs.first(first), nil])

    assert_equal [false], later.changes.map(&:fresh)
  end

  test "a change is none if that is what its points may be off by, and is counted" do
    logs = SampleHistory.steps([30, 0.1], [10, 0.05])
    later = (30..39).to_h { |index| [index, [0.0, 0.08]] }
    may_rise = history(logs, biases: later)

    assert_equal [0, 1], [may_rise.changes.size, may_rise.hidden]
    ends = [may_rise.now.value / may_rise.now.low, may_rise.now.high / may_rise.now.value]
    assert_in_delta 0.08, Math.log(ends.last / ends.first), 1e-9
    assert_equal [1, 0], [history(logs).changes.size, history(logs).hidden]
  end

  test "what a point may be off by on the other side hides no change, and widens its interval" do
    logs = SampleHistory.steps([30, 0.1], [10, 0.05])
    plain, = history(logs).changes
    wide, = history(logs, biases: (30..39).to_h { |index| [index, [0.08, 0.0]] }).changes

    assert_in_delta plain.effect.high, wide.effect.high, 1e-9
    assert_in_delta 0.08, Math.log(plain.effect.low / wide.effect.low), 1e-9
  end

  test "a point that may be far off hides no change of the others" do
    logs = SampleHistory.steps([15, 0.1], [16, 0.05])
    far = [0.99, 0.99]

    [{ 30 => far }, { 7 => far }, (27..30).to_h { |index| [index, far] }].each do |biases|
      found = history(logs, biases:)
      assert_equal [1, 0], [found.changes.size, found.hidden], biases
      assert_operator found.now.high / found.now.low, :<, 1.05
    end
  end

  test "what is uncertain of the newest points hides no change before them" do
    logs = SampleHistory.steps([15, 0.1], [15, 0.05], [5, 0.2])
    found = history(logs, biases: (30..34).to_h { |index| [index, [0.3, 0.3]] })

    assert_equal [[15], 1], [found.changes.map { |one| one.first.id }, found.hidden]
    assert_in_delta 0.05, Math.log(found.changes.first.effect.value) + 0.1, 0.01
    assert_in_delta 0.2, Math.log(found.now.value), 0.01
  end

  test "a change that neither the certain points nor all of them show is hidden" do
    logs = SampleHistory.steps([20, 0], [10, -0.1])
    certain = [25, 29]
    certain.each { |index| logs[index] = 0.001 }
    found = history(logs, biases: ([*20..29] - certain).to_h { |index| [index, [0.0, 0.3]] })

    assert_equal [0, 1], [found.changes.size, found.hidden]
    off = ([*20..29] - certain).to_h { |index| [index, [0.0, 0.02]] }
    assert_equal 1, history(logs, biases: off).changes.size, "beyond what all may be off by"
  end

  test "two points more certain than the others lose no change that all show" do
    logs = SampleHistory.steps([10, 0], [10, -0.1])
    off = (0..19).to_h { |index| [index, [0.012, 0.012]] }
    [off, off.merge([3, 6, 13, 16].to_h { |index| [index, [0.001, 0.001]] })].each do |biases|
      found = history(logs, biases:)

      assert_equal [[10], 0], [found.changes.map { |one| one.first.id }, found.hidden]
    end
  end

  test "points in a row that may be far off hide no change from those before to those after" do
    [2, 3].each do |few|
      logs = SampleHistory.steps([15, 0.1], [few, -0.2], [25, 0])
      found = history(logs, biases: (15...(15 + few)).to_h { |index| [index, [0.0, 0.5]] })
      change = found.changes.first

      assert_equal [1, 1], [found.changes.size, found.hidden]
      assert_equal [[15, 25], 14], [change.points, change.before.id]
      assert_in_delta(-0.1, Math.log(change.effect.value), 0.01)
    end
  end

  test "points without the figure are left out" do
    found = history([0.1, nil, 0.1])

    assert_equal [2, 1], [found.kept.size, found.left_out.size]
    assert_empty history([0.1], metric: Mohs::Analysis::Metric.fetch("p50")).kept
  end

  test "now is the ratio since the last change" do
    assert_in_delta Math.exp(0.07),
                    history(SampleHistory.steps([30, 0.1], [10, 0.07])).now.value, 0.005
    assert_nil history([]).now
    assert_nil history([0.1]).now.low
  end
end

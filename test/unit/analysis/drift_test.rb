# frozen_string_literal: true

require "test_helper"

# "Not steady", whoever asks.
class DriftTest < Mohs::TestCase
  STEADY = [0.1, 0.1, 0.1, 0.1, 0.1].freeze

  # Blocks that grow by `by` from the first to the last, give or take nothing.
  def moving(by, cohorts: 3)
    Array.new(cohorts) { |at| STEADY.each_index.map { |block| (by * block / 4.0) + (at * 1e-4) } }
  end

  def drift(blocks, lead: 0.2, &test)
    test ||= ->(moves) { Mohs::Stats::Interval.of(moves) }
    Mohs::Analysis::Drift.call(blocks, margin: 0.01, lead:, of: "B", over: "A", &test)
  end

  # The same in all cohorts has no interval of its own: a little noise.
  def noisy(by)
    moving(by).each_with_index.map do |blocks, at|
      blocks.map.with_index { |difference, index| difference + (index * at * 1e-3) }
    end
  end

  test "a move from the first block to the last is told with its ratio and who moved" do
    found = drift(noisy(-0.05))

    assert_equal ["not_steady", :warn, "B", "A"],
                 [found.code, found.severity, *found.values.values_at(:of, :over)]
    assert_in_delta Math.exp(-0.046), found.values[:ratio], 1e-3
  end

  test "it is fatal if it is larger than what it moves" do
    assert_equal :bad, drift(noisy(-0.05), lead: 0.03).severity
    assert_equal :warn, drift(noisy(-0.05), lead: -0.06).severity
  end

  test "a move within the margin does not matter, nor one that chance explains" do
    assert_nil drift(noisy(0.005))
    assert drift(noisy(0.02))
    back = [noisy(0.05).first, noisy(-0.05).first, noisy(0.04).first]
    assert_nil drift(back)
  end

  test "without an interval, and with few blocks, nothing is known" do
    assert_nil drift(noisy(0.5).first(2))
    assert_nil drift(noisy(0.5).map { |blocks| blocks.first(3) })
    assert drift(noisy(0.5).map { |blocks| blocks.first(4) })
    assert_nil drift([])
  end

  test "the test is the caller's, and gets a move for each cohort that has one" do
    moves = nil
    drift([*noisy(0.05), [0.1]]) do |found|
      moves = found
      Mohs::Stats::Interval.new(value: 0.0, count: 0)
    end

    assert_equal 3, moves.size
    assert_in_delta 0.05, moves.first, 1e-9
  end
end

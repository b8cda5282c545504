# frozen_string_literal: true

require "test_helper"

# What the steps of a bisection lead to: pure, from steps alone.
class BisectSearchTest < Mohs::TestCase
  Search = Mohs::Bisect::Search

  def step(kind, verdict, index, state: :differs, differences: [-0.05, -0.06],
           bias: Mohs::Stats::Bias.of(0.0))
    Search::Step.new(kind:, verdict:, index:, state:, differences:, bias:)
  end

  def ends(verdict = "slower", **more) = step(:ends, verdict, 20, **more)

  def search(index, verdict) = step(:search, verdict, index)

  def bisection(*steps, last: 20) = Search.new(last, steps)

  def asked(*steps, **options) = bisection(*steps, **options).pair.to_h.slice(:kind, :a, :b)

  test "first the ends, then halves, at last the point found against the one before it" do
    assert_equal({ kind: :ends, a: 0, b: 20 }, asked)
    assert_equal({ kind: :search, a: 0, b: 10 }, asked(ends))
    assert_equal({ kind: :search, a: 0, b: 15 }, asked(ends, search(10, "good")))
    steps = [ends, search(2, "bad"), search(1, "good")]
    assert_equal({ kind: :confirm, a: 1, b: 2 }, asked(*steps))
    assert_nil bisection(*steps).outcome
  end

  test "ends that are not slower end it" do
    { "faster" => "none", "equivalent" => "none", "undecided" => "undecided",
      "invalid" => "invalid", "interrupted" => "interrupted" }.each do |verdict, outcome|
      found = bisection(ends(verdict))
      assert_equal [outcome, nil], [found.outcome, found.pair], verdict
    end
    assert_equal "none", bisection(ends("undecided", state: :precise)).outcome
  end

  test "two neighbours need no search, and no confirmation" do
    assert_equal "found", bisection(ends, last: 1).outcome
  end

  test "a step that is undecided, or interrupted, ends it" do
    assert_equal "undecided", bisection(ends, search(10, "undecided")).outcome
    assert_equal "interrupted", bisection(ends, search(10, "interrupted")).outcome
  end

  test "what the confirmation says of one point, and of several" do
    one = [ends, search(2, "bad"), search(1, "good")]
    several = [ends, search(3, "bad"), search(2, "skipped"), search(1, "good")]
    { "slower" => %w[found range], "undecided" => %w[unconfirmed unconfirmed],
      "invalid" => %w[unconfirmed unconfirmed], "faster" => %w[contradicted contradicted],
      "equivalent" => %w[contradicted contradicted] }.each do |verdict, outcomes|
      found = [one, several].map { |steps| bisection(*steps, step(:confirm, verdict, 2)).outcome }
      assert_equal outcomes, found, verdict
    end
  end

  test "a search asks with the ends' difference, all noise so far and a part of the level" do
    bias = Mohs::Stats::Bias.new(below: 0.01, above: 0.02)
    first, later = bisection(ends(bias:)), bisection(ends, search(10, "bad"))
    sides = first.pair.sides

    assert_in_delta(-0.055, sides[:difference])
    assert_equal({ below: 0.01, above: 0.02 }, sides[:bias_of_difference])
    assert_equal 1, sides[:noise][:freedom]
    assert_equal 2, later.pair.sides[:noise][:freedom]
    assert_in_delta Search::ALPHA / 6, sides[:alpha]
  end

  test "a point that is skipped costs nothing of the level" do
    good, skipped = %w[good skipped].map do |verdict|
      bisection(ends, search(10, verdict)).pair.sides[:alpha]
    end

    assert_operator good, :<, Search::ALPHA / 5
    assert_in_delta Search::ALPHA / 6, skipped
  end
end

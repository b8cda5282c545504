# frozen_string_literal: true

require "test_helper"

# What a comparison says as a step of a bisection.
class BisectionStepTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-bisect"

  DIFFERENCES = [-0.1, -0.11, -0.09].freeze
  SEARCH = { difference: -0.1, noise: { squares: 0.0002, freedom: 2 }, alpha: 0.01 }.freeze

  def step(kind, differences = DIFFERENCES, **options)
    run = Mohs::Stored.analysis(CompareResult.new(differences, **options).to_h)
    Mohs::Bisect::Search::Step.of(kind, run, a: "x", b: "y", index: 3, seconds: 20.5)
  end

  test "it has what the comparison found, and what that cost" do
    found = step(:ends)

    assert_equal [:ends, "x", "y", 3, 20.5, "slower", 3, 15.0, :differs, "7c1a", nil],
                 found.to_h.values_at(:kind, :a, :b, :index, :seconds, :verdict, :cohorts,
                                      :measured_s, :state, :run, :finding)
    assert_in_delta Math.exp(-0.1), found.effect, 1e-5
    assert_operator found.interval.first, :<, found.effect
    assert_operator found.interval.last, :>, found.effect
    found.differences.zip(DIFFERENCES) { |result, made| assert_in_delta made, result, 1e-5 }
  end

  test "how far its cohorts may be off is kept" do
    rising = lambda do |trial, name, _|
      trial[:facts][:warm_up] = { outcome: "warm", requests: 300,
                                  may_rise: name == "b" ? 0.06 : 0.0 }
    end
    found = step(:ends, trial: rising).bias

    assert_equal 0.0, found.below
    assert_in_delta Math.log(1.06), found.above, 1e-9
    assert_predicate step(:ends, []).bias, :none?
  end

  test "one cohort has no interval" do
    assert_equal ["undecided", nil], step(:ends, [0.1]).to_h.values_at(:verdict, :interval)
    assert_equal [0, 0.0], step(:ends, []).to_h.values_at(:cohorts, :measured_s)
  end

  test "in a search it is the side on which the point lies" do
    rules = { comparison: { step: SEARCH } }
    sides = [[-0.1] * 8, [0.0] * 8].map { |all| step(:search, all, **rules).verdict }

    assert_equal %w[bad good], sides
    assert_equal "undecided", step(:search, [-0.05], **rules).verdict
  end

  test "a warning that forbids a verdict of the ends does not end a search" do
    grows = ->(slice, _, index, _) { slice[:cpu_ns] = (slice[:cpu_ns] * (1.01**index)).round }
    ends = step(:ends, slice: grows)
    search = step(:search, [-0.1] * 8, slice: grows, comparison: { step: SEARCH })

    assert_equal %w[invalid growth], [ends.verdict, ends.finding&.code]
    assert_equal "bad", search.verdict
    refute search.finding&.fatal?
  end

  test "a point that its JIT may still make faster is on no side that it may leave by that" do
    steps = [0.01, 0.2].map do |may_rise|
      warm = lambda do |trial, name, _|
        trial[:facts][:warm_up] = { outcome: "warm", requests: 300,
                                    may_rise: name == "b" ? may_rise : 0.0 }
      end
      step(:search, [-0.1] * 8, trial: warm, comparison: { step: SEARCH })
    end

    assert_equal(%w[bad undecided], steps.map(&:verdict))
    assert_equal "may_rise", steps.last.finding.code
  end

  test "a point that can't be measured is skipped, and says why" do
    refused = lambda do |trial, name, _|
      trial.merge!(state: "refused", reason: "no", slices: []) if name == "b"
    end
    skipped = step(:search, trial: refused, comparison: { step: SEARCH })

    assert_equal ["skipped", "side_refused"], [skipped.verdict, skipped.finding.code]
    assert_equal "invalid", step(:ends, trial: refused).verdict
  end

  test "a search stopped early does not wait for an interval" do
    said = %w[ends search].map do |kind|
      comparison = { bisection: { kind:, number: 2, good: "x", bad: "y" },
                     step: (SEARCH if kind == "search") }
      run = CompareResult.new([-0.05], state: "interrupted", comparison:).to_h
      Mohs::Compare::Document.new(Mohs::Stored.analysis(run)).document[:sentence]
    end

    assert_said(*said)
  end

  test "a run that was interrupted has no verdict, whatever it measured" do
    verdicts = %i[ends search].map { |kind| step(kind, state: "interrupted").verdict }

    assert_equal %w[interrupted interrupted], verdicts
  end
end

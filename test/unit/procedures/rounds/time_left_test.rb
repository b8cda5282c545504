# frozen_string_literal: true

require "test_helper"

class RoundsTimeLeftTest < Mohs::TestCase
  # 4 s a trial, 313 s of JRuby.
  ENGINES = { "base" => "ruby", "b" => "ruby", "jruby" => "jruby" }.freeze

  def setup
    @clock = Mohs::ProgressHelper::HandClock.new
  end

  def eta(*cohorts)
    variants = ENGINES.map { |name, engine| Mohs::Study::Variant.new(name:, engine:) }
    cohorts = cohorts.map.with_index do |names, position|
      Mohs::Plan::CohortSpec.new(round: position + 1, position:, baseline: "base", variants: names,
                                 blocks: [], estimate_s: 1, recorded: [])
    end
    plan = Mohs::Plan.new(seed: 1, rounds: cohorts.size, cohorts:, estimate_s: 1, dropped: [])
    Mohs::Rounds::TimeLeft.new(plan, Mohs::Plan::Estimator.new(variants), clock: @clock)
  end

  test "the time until a variant was in so many more cohorts" do
    eta = eta(%w[base b], %w[base b], %w[base jruby], %w[base b])

    assert_equal [8.0, 16.0, 16.0 + 317.0 + 8.0, nil],
                 (1..4).map { |count| eta.until_s("b", count) }
    assert_equal [16.0 + 317.0, nil], [1, 2].map { |count| eta.until_s("jruby", count) }
    eta.started(0)
    @clock.pass(3)
    assert_in_delta 8.0 - 3, eta.until_s("b", 1), 0.01
    eta.finished
    assert_nil eta.until_s("b", 3)
    eta.started(1)
    eta.trial({ variant: "b", stage: :ended })
    assert_nil eta.until_s("b", 1)
  end

  test "what is sunk is the current cohort, and what was before" do
    eta = eta(%w[base b], %w[base b])
    eta.started(0)
    @clock.pass(3)

    assert_in_delta 8, eta.sunk_s
  end
end

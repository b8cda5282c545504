# frozen_string_literal: true

require "test_helper"

class TimeLeftTest < Mohs::TestCase
  # A base and a JVM beside it, and two CRubies. By default 4 s a trial, 313 s of JRuby.
  ENGINES = { "base" => "ruby", "b" => "ruby", "c" => "ruby", "jruby" => "jruby" }.freeze

  def setup
    @clock = Mohs::ProgressHelper::HandClock.new
  end

  # first: the position of the first cohort, in a run that is resumed.
  def eta(*cohorts, engines: ENGINES, announced_s: 1, first: 0, recorded: {}, **costs)
    variants = engines.map { |name, engine| Mohs::Study::Variant.new(name:, engine:) }
    @cohorts = planned = cohorts.each.with_index(first).map do |names, position|
      Mohs::Plan::CohortSpec.new(round: position + 1, position:, baseline: "base", variants: names,
                                 blocks: [], estimate_s: 1,
                                 recorded: recorded.fetch(position, []))
    end
    plan = Mohs::Plan.new(seed: 1, rounds: cohorts.size, cohorts: planned, estimate_s: announced_s,
                          dropped: [])
    Mohs::Plan::TimeLeft.new(plan, estimator(variants, **costs), clock: @clock)
  end

  def estimator(variants, **costs)
    Mohs::Plan::Estimator.new(variants, Mohs::Plan::Costs.new(**costs))
  end

  # A trial of each, boot by boot and warm-up by warm-up, as Cohort::Session tells it.
  def run_cohort(eta, position, trials, rest: 2.3)
    eta.started(position)
    %i[boot warm].each_with_index do |stage, part|
      trials.each do |variant, seconds|
        eta.trial({ variant:, stage: })
        @clock.pass(seconds[part])
      end
    end
    eta.trial({ stage: :measure, block: 1, of: 1 })
    @clock.pass(rest * trials.size)
    eta.finished
  end

  test "before the start it is what was planned, however long is installed before" do
    eta = eta(%w[base b], %w[base jruby])
    @clock.pass(600)

    assert_equal [0.0, 8.0 + 317.0], [eta.share, eta.left_s]
  end

  test "a slow application's boots correct those of its engine, and no JVM's" do
    eta = eta(%w[base b c], %w[base jruby])
    eta.started(0)
    eta.trial({ variant: "base", stage: :boot })
    @clock.pass(7)
    eta.trial({ variant: "b", stage: :boot })

    # b and c boot in 7 s too, base will once more, and all are warm as much later; JRuby boots in
    # its 10 s.
    assert_in_delta (7 + 7) + (3 * 18) + (3 * 1.5) + (7 + 18 + 1.5) + 313, eta.left_s, 0.01
  end

  # Both of a cohort of base and b, warmed up in one wave.
  def wave(eta, boot_s, warm_s)
    %w[base b].each do |variant|
      eta.trial({ variant:, stage: :boot })
      @clock.pass(boot_s)
    end
    %w[base b].each { |variant| eta.trial({ variant:, stage: :warm, wave: %w[base b] }) }
    @clock.pass(warm_s)
  end

  test "servers that get warm at the same time share that time" do
    eta = eta(%w[base b], %w[base b], wave_size: 2)
    eta.started(0)
    wave(eta, 3, 5)
    eta.trial({ stage: :measure, block: 1, of: 1 })
    @clock.pass(4)
    eta.finished

    assert_in_delta 3 + 3 + 5 + 4, eta.left_s, 0.01, "its second cohort takes as long as the first"
    assert_in_delta 0.5, eta.share, 0.01
  end

  test "while they get warm, what the slowest was expected to take is what is left" do
    eta = eta(%w[base b], wave_size: 2)
    eta.started(0)
    wave(eta, 0.7, 1)

    assert_in_delta 0.8 + 3, eta.left_s, 0.01
  end

  test "a cohort whose servers begin anew, one at a time, has lost the time until then" do
    eta = eta(%w[base b], %w[base b], wave_size: 2)
    assert_in_delta 2 * 6.2, eta.left_s
    eta.started(0)
    wave(eta, 0.7, 9)
    eta.trial({ stage: :alone, variants: %w[b] })

    assert_in_delta 0.7 + 0.7 + 9, eta.spent_s
    assert_in_delta 2 * 8, eta.left_s, 0.01
    %i[boot warm].product(%w[base b]).each do |stage, variant|
      eta.trial({ variant:, stage: })
      @clock.pass(stage == :boot ? 0.7 : 1.8)
    end
    eta.trial({ stage: :measure, block: 1, of: 1 })
    @clock.pass(3)
    eta.finished

    assert_in_delta 8, eta.left_s, 0.01
  end

  test "a boot that takes longer than any before is not taken for done" do
    eta = eta(%w[base])
    eta.started(0)
    eta.trial({ variant: "base", stage: :boot })
    @clock.pass(100)

    assert_in_delta 1 + 2.3, eta.left_s, 2
    assert_operator eta.share, :<, 1
    eta.trial({ variant: "base", stage: :warm, requests: 0 })
    eta.trial({ stage: :measure, block: 1, of: 1 })
    @clock.pass(100)

    assert_in_delta 200 * 0.05, eta.left_s
  end

  test "it does not rise when quick ones take longer and JVMs what was expected" do
    names = %w[base b c]
    eta = eta(names, names, names, *[%w[base jruby]] * 3)
    quick = names.to_h { |name| [name, [1.4, 2.0]] }
    left = (0..2).map do |position|
      run_cohort(eta, position, quick)
      eta.left_s
    end
    left += (3..5).map do |position|
      run_cohort(eta, position, { "base" => [1.4, 2.0], "jruby" => [10, 300] }, rest: 2.65)
      eta.left_s
    end

    assert_equal left.sort.reverse, left
    assert_in_delta 36 + 951, left.first, 20
    assert_in_delta 0, left.last
  end

  test "what a JVM takes corrects its next cohorts as soon as it is warm" do
    eta = eta(*[%w[base jruby]] * 2)
    eta.started(0)
    eta.trial({ variant: "jruby", stage: :boot })
    @clock.pass(10)
    eta.trial({ variant: "jruby", stage: :warm, requests: 0 })
    @clock.pass(100)
    eta.trial({ variant: "jruby", stage: :warm, requests: 9000 })
    @clock.pass(10)
    eta.trial({ variant: "jruby", stage: :settle })
    @clock.pass(10)
    eta.trial({ variant: "base", stage: :warm, requests: 0 })

    # base's boot (nobody saw it), warm-up, the rest of both; then all of it with 10 + 120 s.
    assert_in_delta 0.7 + 1 + 5.3 + (130 + 3) + 4, eta.left_s, 0.01
  end

  test "a server whose cold start the round has is warm sooner, and tells nothing of cold starts" do
    cold_start = Mohs::Study::ColdStart.parse("64x1000")
    eta = eta(%w[base b], %w[base c], %w[base b], cold_start:, recorded: { 1 => %w[base] })
    whole = (4 + 254.2) * 2

    assert_in_delta whole + (whole - 254.2) + whole, eta.left_s
    run_cohort(eta, 0, { "base" => [0.7, 256], "b" => [0.7, 256] }, rest: 1.5)
    run_cohort(eta, 1, { "base" => [0.7, 9.8], "c" => [0.7, 256] }, rest: 1.5)
    assert_in_delta whole, eta.left_s
  end

  test "what could not be booted costs nothing more, and the baseline beside it does" do
    eta = eta(%w[base jruby], %w[base jruby])
    eta.started(0)
    eta.trial({ variant: "jruby", stage: :boot })
    @clock.pass(2)
    eta.trial({ variant: "jruby", stage: :ended, state: "failed" })

    assert_in_delta 4 + 4, eta.left_s
  end

  test "the share is that of the time, and all in the end" do
    eta = eta(%w[base b], %w[base b])
    run_cohort(eta, 0, { "base" => [0.7, 1], "b" => [0.7, 1] })

    assert_in_delta 0.5, eta.share
    run_cohort(eta, 1, { "base" => [0.7, 1], "b" => [0.7, 1] })

    assert_in_delta 1.0, eta.share
    assert_in_delta 0.0, eta.left_s
  end

  test "what was waited for counts for nothing" do
    eta = eta(%w[base], %w[base])
    eta.started(0)
    eta.waits
    @clock.pass(500)

    assert_in_delta 8, eta.left_s
    eta.trial({ variant: "base", stage: :boot })
    @clock.pass(0.7)

    assert_in_delta 3.3 + 4, eta.left_s
    assert_in_delta 0.7, eta.spent_s
  end

  test "what is shown never grows by more than a quarter, until another time is announced" do
    eta = eta(%w[base b], %w[base b])
    eta.started(0)
    eta.trial({ variant: "base", stage: :boot })

    assert_in_delta 16, eta.shown_s
    @clock.pass(100)
    eta.trial({ variant: "b", stage: :boot })

    assert_operator eta.left_s, :>, 100
    assert_in_delta 20, eta.shown_s
    eta.replan(Mohs::Plan.new(cohorts: []), announced_s: 500)
    assert_in_delta 500, eta.shown_s
    eta.replan(Mohs::Plan.new(cohorts: []), announced_s: 100 + eta.left_s)
    assert_in_delta eta.left_s, eta.shown_s
  end

  test "what is added when nothing was left is to come" do
    eta = eta(%w[base b], %w[base b])
    run_cohort(eta, 0, { "base" => [0.7, 1], "b" => [0.7, 1] })
    whole, rest = Mohs::Plan.new(cohorts: @cohorts), Mohs::Plan.new(cohorts: @cohorts.first(1))
    eta.replan(rest)
    assert_in_delta 0, eta.shown_s
    eta.replan(whole)
    assert_in_delta 8, eta.shown_s
    eta.replan(whole)
    assert_in_delta 8, eta.shown_s
    eta.replan(rest)
    assert_in_delta 0, eta.shown_s
  end

  test "until the first cohort is over it counts down from what was announced, or more" do
    eta = eta(%w[base b], %w[base b], announced_s: 50)
    eta.started(0)
    eta.trial({ variant: "base", stage: :boot })
    @clock.pass(2)

    assert_in_delta 48, eta.shown_s
    @clock.pass(2)
    eta.finished
    assert_operator eta.shown_s, :<, 30
  end

  test "cohorts that were cut cost nothing more, and of the others what is left of them" do
    eta = eta(%w[base b], %w[base b c], %w[base b])
    eta.started(0)
    left = Mohs::Plan::CohortSpec.new(position: 1, baseline: "base", variants: %w[base c])
    eta.replan(Mohs::Plan.new(cohorts: [left]))

    assert_in_delta 8 + 8, eta.left_s
  end

  test "a stage that is over corrects the others before the next one begins" do
    eta = eta(%w[base b])
    eta.started(0)
    eta.trial({ variant: "base", stage: :boot })
    @clock.pass(7)
    eta.between

    # b boots in 7 s too, and both are warm as much later.
    assert_in_delta 7 + (2 * 18) + (2 * 1.5), eta.left_s, 0.01
  end

  test "a stage that took less than those before it is done as well" do
    eta = eta(%w[base], %w[base])
    run_cohort(eta, 0, { "base" => [7, 2] })
    eta.started(1)
    eta.trial({ variant: "base", stage: :boot })
    @clock.pass(1)
    eta.trial({ variant: "base", stage: :warm })

    assert_in_delta 2 + 2.3, eta.left_s, 0.01
  end

  test "of a new plan neither what is begun counts, nor what was done before a run was resumed" do
    eta = eta(%w[base b], %w[base b], first: 2)
    eta.started(2)
    cohorts = (0..5).map do |position|
      baseline = "base" unless position == 5 # is of what can't be served
      Mohs::Plan::CohortSpec.new(position:, baseline:, variants: %w[base b])
    end
    eta.replan(Mohs::Plan.new(cohorts:))

    assert_in_delta 8 + (2 * 8), eta.left_s
  end

  test "events out of any cohort, and cohorts of what was refused, are let pass" do
    eta = eta(%w[base])
    eta.trial({ variant: "base", stage: :boot })
    eta.between
    eta.finished
    eta.started(7)
    eta.finished

    assert_in_delta 4.0, eta.left_s
  end
end

# frozen_string_literal: true

require "test_helper"

class ClockworkTest < Mohs::TestCase
  # A base and a JVM beside it, and two CRubies. By default 4 s a trial, 63 s of JRuby.
  ENGINES = { "base" => "ruby", "b" => "ruby", "c" => "ruby", "jruby" => "jruby" }.freeze

  def setup
    @clock = Mohs::ProgressHelper::HandClock.new
  end

  def clockwork(*cohorts, engines: ENGINES)
    variants = engines.map { |name, engine| Mohs::Study::Variant.new(name:, engine:) }
    planned = cohorts.each_with_index.map do |names, position|
      Mohs::Plan::Cohort.new(round: position + 1, position:, baseline: "base", variants: names,
                             blocks: [], estimate_s: 1)
    end
    plan = Mohs::Plan.new(seed: 1, rounds: cohorts.size, cohorts: planned, estimate_s: 1,
                          dropped: [])
    Mohs::Report::Terminal::Clockwork.new(plan, Mohs::Plan::Learnt.new(variants), clock: @clock)
  end

  # A trial of each, boot by boot and warm-up by warm-up, as Cohort::Session tells it.
  def run_cohort(clockwork, position, trials, rest: 2.3)
    clockwork.started(position)
    %i[boot warm].each_with_index do |stage, part|
      trials.each do |variant, seconds|
        clockwork.trial({ variant:, stage: })
        @clock.pass(seconds[part])
      end
    end
    clockwork.trial({ stage: :measure, block: 1, of: 1 })
    @clock.pass(rest * trials.size)
    clockwork.finished
  end

  test "before the start it is what was planned, however long is installed before" do
    clockwork = clockwork(%w[base b], %w[base jruby])
    @clock.pass(600)

    assert_equal [0.0, 8.0 + 67.0], [clockwork.share, clockwork.left_s]
  end

  test "a slow application's boots correct those of its engine, and no JVM's" do
    clockwork = clockwork(%w[base b c], %w[base jruby])
    clockwork.started(0)
    clockwork.trial({ variant: "base", stage: :boot })
    @clock.pass(7)
    clockwork.trial({ variant: "b", stage: :boot })

    # b and c boot in 7 s too, base will once more, and JRuby in its 10 s.
    assert_in_delta (7 + 7) + 3 + (3 * 2.3) + (7 + 1 + 2.3) + 63, clockwork.left_s, 0.01
  end

  test "a boot that takes longer than any before is not taken for done" do
    clockwork = clockwork(%w[base])
    clockwork.started(0)
    clockwork.trial({ variant: "base", stage: :boot })
    @clock.pass(100)

    assert_in_delta 1 + 2.3, clockwork.left_s, 2
    assert_operator clockwork.share, :<, 1
    clockwork.trial({ stage: :measure, block: 1, of: 1 })
    @clock.pass(100)

    assert_in_delta 200 * 0.05, clockwork.left_s
  end

  test "it does not rise when quick ones take longer and JVMs what was expected" do
    names = %w[base b c]
    clockwork = clockwork(names, names, names, *[%w[base jruby]] * 3)
    quick = names.to_h { |name| [name, [1.4, 2.0]] }
    left = (0..2).map do |position|
      run_cohort(clockwork, position, quick)
      clockwork.left_s
    end
    left += (3..5).map do |position|
      run_cohort(clockwork, position, { "base" => [1.4, 2.0], "jruby" => [10, 50] }, rest: 2.65)
      clockwork.left_s
    end

    assert_equal left.sort.reverse, left
    assert_in_delta 36 + 201, left.first, 20
    assert_in_delta 0, left.last
  end

  test "what a JVM takes corrects its next cohorts as soon as it is warm" do
    clockwork = clockwork(*[%w[base jruby]] * 2)
    clockwork.started(0)
    clockwork.trial({ variant: "jruby", stage: :boot })
    @clock.pass(10)
    clockwork.trial({ variant: "jruby", stage: :warm, requests: 0 })
    @clock.pass(100)
    clockwork.trial({ variant: "jruby", stage: :warm, requests: 9000 })
    @clock.pass(10)
    clockwork.trial({ variant: "jruby", stage: :settle })
    @clock.pass(10)
    clockwork.trial({ variant: "base", stage: :warm, requests: 0 })

    # base's boot (nobody saw it), warm-up, the rest of both; then all of it with 10 + 120 s.
    assert_in_delta 0.7 + 1 + 5.3 + (130 + 3) + 4, clockwork.left_s, 0.01
  end

  test "what could not be booted costs nothing more, and the baseline beside it does" do
    clockwork = clockwork(%w[base jruby], %w[base jruby])
    clockwork.started(0)
    clockwork.trial({ variant: "jruby", stage: :boot })
    @clock.pass(2)
    clockwork.trial({ variant: "jruby", stage: :ended, state: "failed" })

    assert_in_delta 4 + 4, clockwork.left_s
  end

  test "the share is that of the time, and all in the end" do
    clockwork = clockwork(%w[base b], %w[base b])
    run_cohort(clockwork, 0, { "base" => [0.7, 1], "b" => [0.7, 1] })

    assert_in_delta 0.5, clockwork.share
    run_cohort(clockwork, 1, { "base" => [0.7, 1], "b" => [0.7, 1] })

    assert_in_delta 1.0, clockwork.share
    assert_in_delta 0.0, clockwork.left_s
  end

  test "what was waited for counts for nothing" do
    clockwork = clockwork(%w[base], %w[base])
    clockwork.started(0)
    @clock.pass(500)
    clockwork.waited
    clockwork.trial({ variant: "base", stage: :boot })
    @clock.pass(0.7)

    assert_in_delta 3.3 + 4, clockwork.left_s
  end

  test "events out of any cohort, and cohorts of what was refused, are let pass" do
    clockwork = clockwork(%w[base])
    clockwork.trial({ variant: "base", stage: :boot })
    clockwork.finished
    clockwork.started(7)
    clockwork.finished

    assert_in_delta 4.0, clockwork.left_s
  end
end

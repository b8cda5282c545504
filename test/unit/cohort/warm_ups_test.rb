# frozen_string_literal: true

require "test_helper"

class WarmUpsTest < Mohs::TestCase
  Setup = Struct.new(:engine, :all_flags, :own) do
    def own_jit? = own
  end
  Trial = Struct.new(:name, :setup, :attested, :pages, :rate, :keep_alive) do
    def target = Mohs::Load::Target.new(connections: 2, keep_alive:)
    def over? = false
  end
  SPREADS = ->(_) { Mohs::Cohort::Spread.new(watched: [1], workers: [1]) }
  OF_TWO = ->(_) { Mohs::Cohort::Spread.new(watched: [1, 2], workers: [1, 2]) }
  COLD = Mohs::Study::ColdStart.new(batches: 12, requests: 100)

  def trial(jit: "off", own: false, pages: 1, workers: 1, rate: nil, keep_alive: :on)
    Trial.new("a", Setup.new("ruby", [], own), { jit:, workers: },
              [Mohs::Trial::WarmUp::Pages::Page.new(share: Rational(1, pages),
                                                    of_time: Rational(1, pages))] * pages,
              rate, keep_alive)
  end

  # The requests after which a page is warm. shares: of the CPU time, each process's.
  def needed(trial, spreads: SPREADS, shares: [1], page_ms: 5)
    served = Struct.new(:good, :wall_ns, :cpu_ns, :thread_stats, :span_ns, :processes_cpu_ns)
    rule = Mohs::Cohort::WarmUps.new(spreads:).for(trial) { nil }
    until (count = rule.next).is_a?(Symbol)
      cpu_ns = count * page_ms * 1_000_000
      rule << served.new(count, cpu_ns, cpu_ns, nil, cpu_ns, shares.map { |one| cpu_ns * one })
    end
    rule.requests
  end

  test "the process with the fewest requests has to be warm, too" do
    even, starved = [[0.5, 0.5], [0.75, 0.25]].map do |shares|
      needed(trial(jit: "yjit", workers: 2), spreads: OF_TWO, shares:)
    end

    assert_operator starved, :>, even
  end

  # Two connections keep two workers busy. More may be opened at a rate, and others each time.
  test "only workers that have a connection have to be warm, if they keep it" do
    four = ->(_) { Mohs::Cohort::Spread.new(watched: [*1..4], workers: [*1..4]) }
    kept, *others = [{}, { rate: 50 }, { keep_alive: :asked }].map do |options|
      needed(trial(jit: "yjit", workers: 4, **options), spreads: four, shares: [0.5, 0.5, 0, 0])
    end

    others.each { |one| assert_operator one, :>, 2 * kept }
  end

  # A queue makes any multiple of what a rate may still gain.
  test "at a given rate it goes on until the rate hardly rises" do
    usual, rated = [nil, 50].map { |rate| needed(trial(jit: "yjit", rate:), page_ms: 20) }

    assert_includes 120..400, usual
    assert_operator rated, :>=, 680
  end

  test "thresholds of its environment count, too" do
    later = trial(jit: "yjit").tap { |one| one.setup.all_flags << "--yjit-call-threshold=500" }

    assert_operator needed(later), :>=, 500
  end

  test "where the application may turn a JIT on, it is warmed up as if it had" do
    assert_operator needed(trial(pages: 8)), :<=, 820
    assert_operator needed(trial(pages: 8, own: true)), :>=, 960
    assert_operator needed(trial(jit: "mjit", own: true)), :>=, 2000, "ten seconds, as any MJIT"
  end

  test "a cold start comes first, once in a round, and not before event streams" do
    some = Mohs::Study::Streams.allocate
    rules = [[[]], [%w[a]], [[], some]].map do |recorded, streams|
      Mohs::Cohort::WarmUps.new(spreads: SPREADS, cold_start: COLD, recorded:, streams:)
                           .for(trial) { nil }
    end
    assert_equal %w[Batches WarmUp StreamWarmUp], rules.map { |one| one.class.name[/\w+\z/] }
  end

  test "what a budget leaves is asked for when the batches are over" do
    asked = 0
    warm_ups = Mohs::Cohort::WarmUps.new(spreads: SPREADS, cold_start: COLD)
    rule = warm_ups.for(trial(jit: "yjit")) { (asked += 1) && 3 }
    assert_equal [100, 0], [rule.next, asked]

    driver = Mohs::Drivers.fetch("mock").new(targets: [Mohs::Load::Target.new(connections: 1)],
                                             script: ->(*) { 1_000_000 })
    12.times { rule << driver.run([Mohs::Load::Step.new(count: 100, warm_up: true)]).first }
    assert_equal 1, asked
  end
end

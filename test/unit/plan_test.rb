# frozen_string_literal: true

require "test_helper"
require "json"

class PlanTest < Mohs::TestCase
  def variant(name, **facts) = Mohs::Study::Variant.new(name:, ruby: name, **facts)

  def jvm(name) = variant(name, engine: "jruby")

  def study(*variants, rounds: nil, budget_s: nil,
            rules: Mohs::Rounds::Rules.new(rounds:, budget_s:), **changes)
    variants = variants.map { |one| one.is_a?(String) ? variant(one) : one }
    Mohs::Study.new(app: "/srv/shop", requests: [], variants:, baseline: "base", seed: 1, env: {},
                    rules:, **changes)
  end

  def plan(...) = study(...).procedure.plan(seed: 1)

  def six = %w[base a b c d e]

  test "the same study and seed give the same plan, another seed another" do
    assert_equal plan(*six), plan(*six)
    refute_equal plan(*six).cohorts, study(*six).procedure.plan(seed: 2).cohorts
  end

  test "hosts that share the cohorts take as long as the last of them" do
    alone = plan(*six.first(3), rounds: 3)
    cohort_s = alone.cohorts.first.estimate_s
    takes = [1, 2, 3, 9].map do |hosts|
      study(*six.first(3), rounds: 3).procedure.plan(seed: 1, hosts:).estimate_s
    end

    assert_equal [3, 2, 1, 1].map { |cohorts| (cohorts * cohort_s).ceil }, takes
    assert_equal alone.estimate_s, takes.first
  end

  test "hosts that share a comparison come to its first look sooner" do
    rules = Mohs::Compare::Rules.new(candidate: "a")
    alone, shared = [1, 2].map do |hosts|
      study("base", "a", rules:).procedure.plan(seed: 1, hosts:)
    end
    cohorts = rules.question.looks.first
    cohort_s = alone.cohorts.first.estimate_s

    assert_equal [(cohorts * cohort_s).ceil, (cohorts.fdiv(2).ceil * cohort_s).ceil],
                 [alone.estimate_s, shared.estimate_s]
    assert_equal alone.cohorts, shared.cohorts
  end

  test "it survives JSON" do
    plan = plan(*six, budget_s: 30)

    assert_equal plan,
                 Mohs::Plan.from_h(JSON.parse(JSON.generate(plan.to_h), symbolize_names: true))
  end

  test "each round holds every candidate once, and every cohort the baseline" do
    plan = plan(*six, jvm("jruby"))

    plan.cohorts.group_by(&:round).each_value do |cohorts|
      candidates = cohorts.flat_map { |cohort| cohort.variants - ["base"] }
      assert_equal %w[a b c d e jruby], candidates.sort
      assert_equal ["base"], cohorts.map(&:baseline).uniq
      assert(cohorts.all? { |cohort| cohort.variants.include?("base") })
    end
    assert_equal (0...plan.cohorts.size).to_a, plan.cohorts.map(&:position)
  end

  test "a cohort has at most four candidates, spread evenly" do
    first = plan(*six).cohorts.select { |cohort| cohort.round == 1 }
    sizes = first.map { |cohort| cohort.variants.size }

    assert_equal [3, 4], sizes.sort
    assert_equal [5], plan(*six.first(5), rounds: 1).cohorts.map { |one| one.variants.size }
  end

  test "what warms up for a minute is alone with the baseline, behind all that is quick" do
    cohorts = plan(*six, jvm("j1"), jvm("j2")).cohorts
    slow = cohorts.map { |cohort| cohort.variants.grep(/j/).any? }

    assert_equal slow.sort_by { |is| is ? 1 : 0 }, slow
    assert(cohorts.last(6).all? { |cohort| cohort.variants.size == 2 })
    assert_equal slow, cohorts.map { |cohort| !cohort.brief }
  end

  test "where a study makes warm-ups short, what would warm up for a minute is brief, too" do
    short, long = [10, 11].map { |seconds| Mohs::Plan::Costs.new(warm_up_s: seconds) }
    brief = [short, long].map do |costs|
      study("base", jvm("j1")).procedure.plan(seed: 1, costs:).cohorts.map(&:brief).uniq
    end

    assert_equal [[true], [false]], brief
    assert_operator short.for(jvm("j1")).measure_s, :<, long.for(jvm("j1")).measure_s
  end

  test "blocks are orders of the cohort's variants, not all the same" do
    cohort = plan(*six).cohorts.first

    assert_equal [cohort.variants.sort], cohort.blocks.map(&:sort).uniq
    assert_operator cohort.blocks.uniq.size, :>, 1
    assert_equal Mohs::Cohort::Schedule::BLOCKS.max, cohort.blocks.size
  end

  test "every position in the boot order is drawn: the baseline is not always first" do
    firsts = plan(*six).cohorts.map { |cohort| cohort.variants.index("base") }

    assert_operator firsts.uniq.size, :>, 1
  end

  test "one variant is measured alone" do
    cohorts = plan("base", rounds: 3).cohorts

    assert_equal [["base"]] * 3, cohorts.map(&:variants)
  end

  test "a cold start is planned by its requests, until earlier ones tell" do
    cold_start = Mohs::Study::ColdStart.new(batches: 64, requests: 1000)
    first = Mohs::Plan::Costs.new(cold_start:).for(variant("a"))
    later = Mohs::Plan::Costs.new({ "a" => { warm_up_s: 300.0 } }, cold_start:).for(variant("a"))

    assert_equal [256.0, 300.0], [first.warm_up_s, later.warm_up_s]
    assert_in_delta 256 + Mohs::Plan::Costs.new.for(jvm("j")).warm_up_s,
                    Mohs::Plan::Costs.new(cold_start:).for(jvm("j")).warm_up_s
    assert_equal Mohs::Plan::Costs.new.for(variant("a")).boot_s, first.boot_s
  end

  test "a warm-up is planned with what it may take at most" do
    costs = Mohs::Plan::Costs.new(warm_up_s: 20.0)

    assert_equal [20.0, 20.0], costs.for(jvm("j")).to_h.values_at(:warm_up_s, :usual_s)
    assert_equal Mohs::Plan::Costs.new.for(variant("a")), costs.for(variant("a"))
  end

  test "in each round the baseline's cold start is recorded, and so takes its time, once" do
    cold_start = Mohs::Study::ColdStart.new(batches: 64, requests: 1000)
    costs = Mohs::Plan::Costs.new({ "base" => { usual_s: 2.8 } }, cold_start:)
    given = study(*six, jvm("j"), cold_start:, rounds: 2)
    plan = given.procedure.plan(seed: 1, costs:)
    rounds = plan.cohorts.group_by(&:round).values.map do |cohorts|
      cohorts.map(&:recorded)
    end

    assert_equal [[[], %w[base], %w[base]]] * 2, rounds
    # Seven variants with 256 s each, of which the JVM takes 300 more, and two more baselines with
    # 2.8 s.
    round_s = (7 * 256) + 300 + (6 * 2.2) + 13 + (2 * (2.2 + 2.8))
    assert_in_delta 2 * round_s, plan.cohorts.sum(&:estimate_s)
    short = study(*six, jvm("j"), cold_start:, rounds: 2, budget_s: 2 * round_s)
    cut = short.procedure.plan(seed: 1, costs:)
    assert_equal [plan.estimate_s, []], [cut.estimate_s, cut.dropped]
    assert_equal [[]], study(*six, jvm("j")).procedure.plan(seed: 1).cohorts.map(&:recorded).uniq
  end

  test "those refused before the start are one cohort at the end that costs nothing" do
    old = variant("old", refusal: Mohs::Reason.parse("does not start"))
    last = plan("base", "a", old).cohorts.last

    assert_equal [["old"], 0, nil, 1], [last.variants, last.estimate_s, last.baseline, last.round]
  end

  test "where the baseline is refused, nothing can run" do
    refused = %w[base a].map { |name| variant(name, refusal: Mohs::Reason.parse("does not start")) }

    assert_equal [[nil, %w[base a]]],
                 plan(*refused).cohorts.map { |one| [one.baseline, one.variants] }
  end

  test "a JVM as the baseline is planned too" do
    plan = study(jvm("base"), "a", rounds: 1).procedure.plan(seed: 3)

    assert_equal %w[a base], plan.cohorts.first.variants.sort
    assert_in_delta 4 + 313, plan.estimate_s
  end

  test "what earlier runs took goes before the defaults" do
    costs = Mohs::Plan::Costs.new({ "a" => { boot_s: 9.7 } })
    cheap = study("base", "a", rounds: 1).procedure.plan(seed: 1)
    dear = study("base", "a", rounds: 1).procedure.plan(seed: 1, costs:)

    assert_equal [8, 17], [cheap.estimate_s, dear.estimate_s]
  end

  test "what was not measured yet takes as much longer as what was, of the same engine" do
    seen = [variant("a"), variant("b"), variant("mjit", flags: ["--mjit"]), variant("foreign")]
    measured = { "a" => { boot_s: 14.0, warm_up_s: 3.6, measure_s: 9.0 },
                 "b" => { boot_s: 7.0 }, "mjit" => { warm_up_s: 40.0 }, "gone" => { boot_s: 99.0 } }
    costs = Mohs::Plan::Costs.new(measured, earlier: seen)

    assert_equal [10.5, 3.6, 1.8, 1.2, 0.3],
                 (costs.for(variant("new", processes: 5)).to_a.map { |part| part.round(6) })
    assert_equal [7.0, 3.6], costs.for(variant("b")).to_a.first(2), "the part that is known stays"
    assert_equal [10.0, 300.0], costs.for(variant("j", engine: "jruby")).to_a.first(2)
    assert_empty costs.known(variant("new"))
  end

  test "of a trial, each engine's share of boot, warm-up, load and end" do
    defaults = %w[ruby jruby truffleruby mock].map do |engine|
      Mohs::Plan::Costs.new.for(variant("a", engine:)).to_h.except(:usual_s).values
    end

    assert_equal [[0.7, 1.8, 1.2, 0.3], [10.0, 300.0, 2.0, 1.0], [40.0, 600.0, 2.0, 1.0],
                  [0.7, 1.8, 1.2, 0.3]], defaults
  end

  test "it keeps its seed, and a second begun is told as one" do
    costs = Mohs::Plan::Costs.new({ "a" => { boot_s: 0.75 } })
    plan = study("base", "a", rounds: 1).procedure.plan(seed: 5, costs:)

    assert_equal [5, 9], [plan.seed, plan.estimate_s]
  end

  test "all variants of the plan are named" do
    assert_equal six.sort, plan(*six).variants.sort
  end
end

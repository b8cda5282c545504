# frozen_string_literal: true

require "test_helper"

class ComparePlannerTest < Mohs::TestCase
  include Mohs::CLIHelper

  def study(**changes)
    fixture_study(rules: Mohs::Compare::Rules.new(candidate: "3.4.5"), **changes)
  end

  def plan(study = study(), seed: 7, cores: 2, costs: Mohs::Plan::Costs.new, quota_cores: nil)
    Mohs::Compare::Planner.new(study, seed:, costs:, cores:, quota_cores:).call
  end

  test "as many cohorts as the last look needs, each with both" do
    *cohorts, alone = plan.cohorts

    assert_equal Mohs::Stats::Sequential::LOOKS.last, cohorts.size
    assert_equal [%w[3.1.2 3.4.5]], [*cohorts, alone].map { |cohort| cohort.variants.sort }.uniq
    assert_equal (0..30).to_a, [*cohorts, alone].map(&:position)
    assert_equal (1..31).to_a, [*cohorts, alone].map(&:round)
    assert_equal [Mohs::Cohort::Schedule::BLOCKS.max], cohorts.map { |one| one.blocks.size }.uniq
    assert_equal [30, 7], [plan.rounds, plan.seed]
    assert_equal [["duet", "3.1.2"]], cohorts.map { |one| [one.scheme, one.baseline] }.uniq
    solo = [*cohorts, alone].map { |one| one.own[:solo] }.uniq
    assert_equal ["apart", [false, true]], [alone.scheme, solo],
                 "one more, should the difference be large"
  end

  test "on the whole machine each is alone anyway" do
    assert_equal ["whole"], plan(cores: 1).cohorts.map(&:scheme).uniq
  end

  test "boot order and the order of blocks are drawn, by the seed" do
    boots, blocks = plan.cohorts.then { |all| [all.map(&:variants), all.flat_map(&:blocks)] }

    assert_equal 2, boots.uniq.size
    assert_equal [%w[3.1.2 3.4.5], %w[3.4.5 3.1.2]], blocks.uniq.sort
    assert_equal plan.to_h, plan.to_h
    refute_equal plan.to_h, plan(seed: 8).to_h
  end

  def first_look_s(...) = plan(...).seconds_of(3).ceil

  test "the first look takes as long as the servers did in earlier runs" do
    slow = Mohs::Plan::Costs.new({ "3.4.5" => { boot_s: 10.0, warm_up_s: 5.0 } })

    assert_equal (3 * (15 + 1.7)).ceil, first_look_s(costs: slow), "one server of each"
    assert_equal (3 * (2.5 + 15 + (2 * 2.0) + 0.3)).ceil, first_look_s(costs: slow, cores: 1)
    measured = Mohs::Plan::Costs.new({ "3.4.5" => { boot_s: 0.5, warm_up_s: 1.0, measure_s: 3.0 } })
    assert_equal (3 * ((2 * 2.5) + (2 * 3.0) + 0.3)).ceil, first_look_s(costs: measured)
    both = Mohs::Plan::Costs.new({ "3.4.5" => { measure_s: 3.0 }, "3.1.2" => { measure_s: 2.0 } })
    assert_equal (3 * ((2 * 2.5) + (2 * 3.0) + 0.3)).ceil, first_look_s(costs: both)
    assert_equal (3 * ((2 * 2.5) + 1.7)).ceil, first_look_s
  end

  test "with a budget, slices are cut so that the first look is reached before its end" do
    budgeted = ->(budget_s) { study.within(budget_s) }
    costs = Mohs::Plan::Costs.new({ "3.4.5" => { boot_s: 2.0, warm_up_s: 3.0, measure_s: 10.0 } })
    whole_s = first_look_s(costs:)

    assert_equal whole_s, first_look_s(budgeted.call(600), costs:)
    assert_equal 38, first_look_s(budgeted.call(45), costs:)
    assert_operator first_look_s(budgeted.call(15), costs:), :>, 15, "boots are not cut"
  end

  def rated(rate, **rules)
    first, second = study.variants.map do |one|
      Mohs::Study::Variant.new(**one.each_pair.to_h, rate:)
    end
    study(variants: [first, second],
          rules: Mohs::Compare::Rules.new(candidate: "3.4.5", **rules))
  end

  test "at a rate they take turns beside the driver, as long as their requests take" do
    assert_equal ["apart"], plan(rated(50, metric: "p99")).cohorts.map(&:scheme).uniq
    tails = [50, 400].map { |rate| first_look_s(rated(rate, metric: "p99"), quota_cores: 1.5) }
    others = [50, 400].map { |rate| first_look_s(rated(rate, metric: "cpu"), quota_cores: 1.5) }
    besides = 0.3 + (2 * 2.5)

    assert_equal [9.0, 4.0].map { |each_s| (3 * (besides + (2 * each_s))).ceil }, tails
    assert_equal [9.0, 2.0].map { |each_s| (3 * (besides + (2 * each_s))).ceil }, others
  end

  test "in turns boots add up, and of warm-ups the longer one counts where both are at once" do
    slow = Mohs::Plan::Costs.new({ "3.4.5" => { boot_s: 10.0, warm_up_s: 5.0 } })
    seconds = [nil, 1.5].map do |quota_cores|
      first_look_s(study(cores: 3), costs: slow, cores: 4, quota_cores:)
    end

    others = 10.7 + (2 * 2.0) + 0.3
    assert_equal [(3 * (others + 5)).ceil, (3 * (others + 6.8)).ceil], seconds
  end

  test "one that can't be served makes a plan of one cohort that says so" do
    first, second = study.variants
    refused = Mohs::Study::Variant.new(**second.each_pair.to_h,
refusal: Mohs::Reason.parse("no fork"))
    plan = study(variants: [first, refused]).procedure.plan(seed: 1)

    assert_equal [[nil, ["3.4.5"]]], plan.cohorts.map { |one| [one.baseline, one.variants] }
    assert_equal [[1, 0, 0]], plan.cohorts.map { |one| [one.round, one.position, one.estimate_s] }
    assert_equal [0, 1], [plan.estimate_s, plan.rounds]
  end

  test "it survives being written down" do
    written = JSON.generate(plan.to_h)
    assert_equal plan, Mohs::Plan.from_h(JSON.parse(written, symbolize_names: true))
  end
end

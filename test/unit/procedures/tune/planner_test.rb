# frozen_string_literal: true

require "test_helper"

class TunePlannerTest < Mohs::TestCase
  LIMIT = Mohs::Load::Limit.parse("p99 < 1 s")

  def study(names, budget_s: 600, **changes)
    variants = names.map do |name|
      processes, threads = name.scan(/\d+/).map(&:to_i)
      Mohs::Study::Variant.new(name:, server: "puma", processes:, threads:)
    end
    Mohs::Study.new(app: "/srv/shop", requests: [], variants:, baseline: names.first, env: {},
                    rules: Mohs::Tune::Rules.new(limit: LIMIT, budget_s:), **changes)
  end

  def rounds(names = %w[yours 1x1 2x5], seed: 5, cores: 2, **changes)
    Mohs::Tune::Planner.new(study(names, **changes), seed:, available: [*0...cores])
  end

  test "first comes a round of all settings, announced to take the whole budget" do
    plan = rounds.call

    assert_equal [1, 600, [1]], [plan.rounds, plan.estimate_s, plan.cohorts.map(&:round)]
    assert_equal [%w[1x1 2x5 yours]], plan.cohorts.map { |one| one.variants.sort }
    assert_equal [["yours", "whole", true, nil]],
                 plan.cohorts.map { |one|
                   [one.baseline, one.scheme, one.brief, one.own[:search_s]]
                 }.uniq
    assert_equal plan.to_h, study(%w[yours 1x1 2x5]).procedure.plan(seed: 5, hosts: 2).to_h
  end

  test "more than fit side by side are shared out, each cohort with the common one" do
    names = ["yours", *("a".."m")]
    first = rounds(names).call.cohorts.select { |one| one.round == 1 }

    assert_equal [true, nil, nil], first.map { |one| one.own[:opening] }
    assert_operator first.map { |one| one.variants.size }.max, :<=, Mohs::Tune::Planner::MOST
    assert(first.all? { |one| one.variants.include?("yours") })
    assert_equal names.sort, first.flat_map(&:variants).uniq.sort
    assert_equal [0, 1, 2, 3, 4], rounds(names).call.cohorts.map(&:position)
  end

  MANY = %w[yours 1x1 1x3 1x5 2x1 2x3 2x5 2x8].freeze

  test "of many settings a few open three rounds before the others follow" do
    plan = rounds(MANY).call
    opening, rest = plan.cohorts.partition { |one| one.own[:opening] }

    assert_equal [1, 2, 3, 1], plan.cohorts.map(&:round)
    assert_equal [%w[2x3 yours]] * 3, (opening.map { |one| one.variants.sort })
    assert_equal [["yours"], [%w[1x1 1x3 1x5 2x1 2x5 2x8 yours]]],
                 [opening.map(&:baseline).uniq, rest.map { |one| one.variants.sort }]
    assert_equal 3, opening.map(&:seed).uniq.size
    stored = JSON.parse(JSON.generate(plan.to_h), symbolize_names: true)
    assert_equal plan, Mohs::Plan.from_h(stored)
  end

  test "the next rounds are completed by what is left of the others, then they are whole" do
    second = rounds(MANY).longer(rounds(MANY).call, MANY - %w[1x1], common: "yours")
    third = rounds(MANY).longer(second, %w[2x3 yours], common: "yours")
    fourth = rounds(MANY).longer(third, %w[2x3 2x5 yours], common: "yours")
    added = [second, third, fourth].map { |plan| plan.cohorts.last }

    assert_equal [[2, %w[1x3 1x5 2x1 2x5 2x8 yours]], [3, %w[2x3 yours]],
                  [4, %w[2x3 2x5 yours]]],
                 (added.map { |one| [one.round, one.variants.sort] })
    assert_equal [7, 4], [fourth.cohorts.size, fourth.rounds]
  end

  test "nothing opens a race that has no time for it, or a present setting that can't run" do
    error = assert_raises(Mohs::UsageError) { rounds(MANY, budget_s: 1).call }
    least_s = error.message[/--budget (\d+)s/, 1].to_i
    assert_equal [1], rounds(MANY, budget_s: least_s).call.cohorts.map(&:round)

    study = study(MANY)
    reason = Mohs::Reason.new(summary: "no such flag", code: "flags_unknown")
    variants = [study.variants.first.refused(reason), *study.variants.drop(1)]
    study = Mohs::Study.new(**study.each_pair.to_h, variants:)
    plan = Mohs::Tune::Planner.new(study, seed: 1, available: [0, 1]).call
    assert(plan.cohorts.none? { |one| one.own[:opening] })
  end

  test "from four settings on the present one and a usual one open the race" do
    cohorts = rounds(%w[yours 1x1 1x5 2x5]).call.cohorts

    assert_equal [true, true, true, nil], cohorts.map { |one| one.own[:opening] }
    assert_equal [%w[2x5 yours], %w[1x1 1x5 yours]],
                 cohorts.last(2).map { |one| one.variants.sort }
  end

  test "a further round has those that are left, drawn by the seed and its number alone" do
    plan = rounds.call
    longer, again = Array.new(2) { rounds.longer(plan, %w[2x5 1x1], common: "2x5") }

    assert_equal plan.cohorts, longer.cohorts.first(1)
    added = longer.cohorts.drop(1)
    assert_equal [[2, 1, "2x5", %w[1x1 2x5]]],
                 added.map { |one| [one.round, one.position, one.baseline, one.variants.sort] }
    assert_equal longer, again
    assert_equal 2, longer.rounds
  end

  test "without a budget it is ten minutes, or as long as two rounds take" do
    assert_equal 600, rounds(budget_s: nil).call.estimate_s
    many = ["yours", *(1..160).map { |count| "1x#{count}" }]
    longer = rounds(many, budget_s: nil).call
    assert_equal (2 * longer.cohorts.sum(&:estimate_s)).ceil, longer.estimate_s
    assert_operator longer.estimate_s, :>, 600
  end

  test "a budget that has no room for a round and its searches is a mistake" do
    error = assert_raises(Mohs::UsageError) { rounds(budget_s: 1).call }
    assert_match(/\Athe budget of 1 s .*: .* 3 settings .* \d+ s/,
                 error.message)
    assert_match(/--budget \d+s .*--settings\.\z/, error.message)
  end

  test "searches are rounds of their own, with all of them in one cohort" do
    plan = rounds.searching(rounds.call, names: %w[2x5 yours], rounds: 2, search_s: 12.5)
    added = plan.cohorts.last(2)

    assert_equal [12.5, 12.5], added.map { |one| one.own[:search_s] }
    assert_equal [[2, 3], 3], [added.map(&:round), plan.rounds]
    assert_equal [%w[2x5 yours]], added.map { |one| one.variants.sort }.uniq
    assert(added.all? { |one| one.estimate_s > 25 })
    assert_equal plan,
Mohs::Plan.from_h(JSON.parse(JSON.generate(plan.to_h), symbolize_names: true))
  end

  test "what is refused before the start has a row, and no part in the race" do
    study = study(%w[yours 1x1])
    reason = Mohs::Reason.new(summary: "no such flag", code: "flags_unknown")
    refused = study.variants.last.refused(reason)
    study = Mohs::Study.new(**study.each_pair.to_h, variants: [study.variants.first, refused])
    plan = Mohs::Tune::Planner.new(study, seed: 1, available: [0, 1]).call

    assert_equal [["yours"]], plan.cohorts.first(1).map(&:variants)
    assert_equal [[nil, ["1x1"]]],
                 plan.cohorts.drop(1).map { |one| [one.baseline, one.variants] }
  end

  test "four cores spare one for the driver, unless cores are asked for" do
    cores = Mohs::Tune::Planner.method(:server_cores)

    assert_equal "apart", rounds(cores: 4).call.cohorts.first.scheme
    assert_equal "whole", rounds(cores: 2).call.cohorts.first.scheme
    assert_equal 2, cores.call(nil, [0, 1])
    assert_equal Mohs::Process::CpuSet.plan([0, 1, 2, 3])[:server].size,
                 cores.call(nil, [0, 1, 2, 3])
    assert_equal [2, 1], [cores.call(2, [0, 1, 2, 3]), cores.call([3], [0, 1, 2, 3])]
  end
end

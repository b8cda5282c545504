# frozen_string_literal: true

require "test_helper"

# What holds of every plan, whatever is declared: 150 random studies of a fixed seed.
class PlanPropertiesTest < Mohs::TestCase
  ENGINES = %w[ruby ruby ruby ruby jruby truffleruby].freeze
  STUDIES = 150

  def variant(random, index)
    refusal = Mohs::Reason.parse("does not start") if random.rand < 0.1
    Mohs::Study::Variant.new(name: "v#{index}", engine: ENGINES.sample(random:), refusal:)
  end

  def study(random)
    variants = Array.new(random.rand(0..14)) { |index| variant(random, index) }
    base = Mohs::Study::Variant.new(name: "base", engine: ENGINES.sample(random:))
    Mohs::Study.new(app: "/srv/shop", requests: [], baseline: "base", seed: 1, env: {},
                    variants: [*variants, base].shuffle(random:),
                    rules: rules(random))
  end

  def rules(random)
    Mohs::Rounds::Rules.new(rounds: [nil, 1, 3, 7].sample(random:),
                            budget_s: [nil, nil, 5.0, 60.0, 400.0].sample(random:))
  end

  def each_plan
    random = Random.new(20_261_120)
    STUDIES.times do |seed|
      study = study(random)
      yield study.procedure.plan(seed:), study, seed
    end
  end

  # Those that run.
  def loaded(plan) = plan.cohorts.select(&:baseline)

  test "the same study and seed give the same plan, through JSON too" do
    each_plan do |plan, study, seed|
      again = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

      assert_equal plan, again.procedure.plan(seed:)
      assert_equal plan,
                   Mohs::Plan.from_h(JSON.parse(JSON.generate(plan.to_h), symbolize_names: true))
    end
  end

  test "each round holds every candidate of the plan once, each cohort the baseline once" do
    each_plan do |plan, _, seed|
      rounds = loaded(plan).group_by(&:round)
      held = rounds.values.map do |cohorts|
        cohorts.flat_map do |cohort|
          cohort.variants - ["base"]
        end.sort
      end

      assert_equal (1..plan.rounds).to_a, rounds.keys.sort, seed
      assert_equal [held.first.uniq], held.uniq, seed
      assert_equal [["base"]], loaded(plan).map { |cohort| cohort.variants & ["base"] }.uniq, seed
    end
  end

  test "every variant is planned, refused before the start, or named among what was dropped" do
    each_plan do |plan, study, seed|
      dropped = plan.dropped.map { |cut| cut[:name] }.grep(/\Av/)

      assert_empty plan.variants & dropped, seed
      assert_equal study.variants.map(&:name).sort, (plan.variants + dropped).sort, seed
      assert_equal study.variants.select(&:refusal).map(&:name).sort,
                   plan.cohorts.reject(&:baseline).flat_map(&:variants).sort, seed
    end
  end

  test "blocks are permutations of their cohort, and no two cohorts draw the same" do
    each_plan do |plan, _, seed|
      loaded(plan).each do |cohort|
        assert_equal [cohort.variants.sort], cohort.blocks.map(&:sort).uniq, seed
        assert_operator cohort.variants.size, :<=, 1 + Mohs::Rounds::Draw::CANDIDATES, seed
      end
      wide = loaded(plan).select { |cohort| cohort.variants.size > 2 }.map(&:blocks)
      assert_equal wide.uniq.size, wide.size, seed
    end
  end

  test "a candidate that takes a minute is alone with the baseline, behind all that is quick" do
    each_plan do |plan, study, seed|
      slow = loaded(plan).map do |cohort|
        candidates = cohort.variants - ["base"]
        slow = candidates.select { |name| study.variant(name).lingers? }
        assert_equal 1, candidates.size, seed if slow.any?
        slow.any?
      end

      assert_equal slow.sort_by { |one| one ? 1 : 0 }, slow, seed
    end
  end

  test "the estimate is the sum of the cohorts', and keeps to the budget where the baseline does" do
    costs = Mohs::Plan::Costs.new
    each_plan do |plan, study, seed|
      sum = plan.cohorts.sum(&:estimate_s)
      assert_equal sum.ceil, plan.estimate_s, seed
      loaded(plan).each do |cohort|
        assert_in_delta cohort.variants.sum { |name| costs.for(study.variant(name)).total_s },
                        cohort.estimate_s, 1e-9, seed
      end
      budget_s = study.rules.budget_s
      next unless budget_s && costs.for(study.variant("base")).total_s <= budget_s

      assert_operator sum, :<=, budget_s + 1e-6, seed
    end
  end

  test "variants are cut before rounds: of two candidates or more each has three" do
    each_plan do |plan, study, seed|
      rounds = plan.dropped.select { |one| one.key?(:of) }
      wanted = study.rules.rounds || Mohs::Rounds::Budget::ROUNDS

      assert_equal plan.rounds < wanted ? [[wanted - plan.rounds, wanted]] : [],
                   rounds.map { |one| one.values_at(:rounds, :of) }, seed
      assert(plan.dropped.all? { |one| one[:values][:budget_s] == study.rules.budget_s }, seed)
      assert_empty plan.dropped, seed unless study.rules.budget_s
      candidates = loaded(plan).flat_map(&:variants).uniq.size - 1
      assert_operator plan.rounds, :>=, [wanted, 3].min, seed if candidates > 1
    end
  end

  test "positions count through the whole run" do
    each_plan do |plan, _, seed|
      assert_equal (0...plan.cohorts.size).to_a, plan.cohorts.map(&:position), seed
    end
  end
end

# frozen_string_literal: true

require "test_helper"

# What is left of a run that is resumed.
class ProceduresRestTest < Mohs::TestCase
  # A comparison whose cohorts took five seconds each.
  def compared(differences, **given)
    hash = CompareResult.new(differences, state: "interrupted", **given).to_h
    hash[:cohorts].each do |cohort|
      cohort[:spec] = { **cohort[:spec], variants: %w[a b], estimate_s: 27,
                        position: cohort[:position] }
    end
    rest(hash)
  end

  def rest(hash, costs = Mohs::Plan::Costs.new)
    run = Mohs::Stored.run(hash)
    run.study.procedure.rest(run, costs)
  end

  test "a comparison takes until its next look, by the cohorts that it has" do
    plan = compared([0.01, -0.02])

    assert_equal [28, 5], [plan.cohorts.size, plan.estimate_s]
    assert_equal 2, plan.cohorts.first.position
    looks = Mohs::Stats::Sequential::LOOKS
    assert_equal 5 * (looks[1] - looks[0]), compared([0.01, -0.02, 0.02]).estimate_s
  end

  test "before its first cohort it takes what was planned" do
    assert_equal 3 * 27, compared([]).estimate_s
  end

  test "a comparison that is decided has nothing left but each alone" do
    plan = compared([0.0] * 30)

    assert_equal [[], 0], [plan.cohorts, plan.estimate_s]
    hash = CompareResult.new([0.5, 0.51, 0.5], planned: 3).to_h
    hash[:cohorts] << { round: 4, position: 3, state: "queued", host: nil, trials: [],
                        spec: { scheme: "apart", solo: true, variants: %w[a b],
                                estimate_s: 9, position: 3 } }
    plan = rest(hash)
    assert_equal [[3], 9], [plan.cohorts.map(&:position), plan.estimate_s]
  end

  test "any other run takes what its variants took before" do
    hash = SampleResult.new({ "a" => 1000, "b" => 1000 }).to_h
    hash[:cohorts] << { round: 9, position: 9, state: "queued", host: nil, trials: [],
                        spec: { variants: %w[a b], baseline: "a", estimate_s: 8, position: 9 } }
    costs = Mohs::Plan::Costs.new(%w[a b].to_h { |name| [name, { boot_s: 14.0 }] })
    plan = rest(hash, costs)

    assert_equal [[9], (2 * (14 + 1.8 + 1.2 + 0.3)).ceil],
                 [plan.cohorts.map(&:position), plan.estimate_s]
  end

  test "of a tuning what is left of its time, whatever is planned so far" do
    made = SampleTuning.new({ "yours" => 1000.0, "1x1" => 700.0 }, rounds: 3, budget_s: 600,
                                                                    shapes: { "yours" => [1, 5] })
    plan = made.run.study.procedure.rest(made.run, Mohs::Plan::Costs.new)

    assert_equal [540, []], [plan.estimate_s, plan.cohorts]
  end
end

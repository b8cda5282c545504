# frozen_string_literal: true

require "test_helper"

class BudgetTest < Mohs::TestCase
  def variant(name, engine = "ruby") = Mohs::Study::Variant.new(name:, engine:)

  # Of a, so many seconds.
  def costs(total_s) = Mohs::Plan::Costs.new({ "a" => { boot_s: total_s - 3.3 } })

  # A trial of CRuby takes 4 s by default, one of JRuby 63.
  def budget(candidates, **given)
    candidates = candidates.map { |one| one.is_a?(String) ? variant(one) : one }
    Mohs::Plan::Budget.new(baseline: variant("base"), candidates:, costs: Mohs::Plan::Costs.new,
                           **given)
  end

  test "without a budget: three rounds, and more while two minutes last, up to ten" do
    assert_equal 10, budget(%w[a]).rounds
    assert_equal 4, budget(%w[a b c d e]).rounds
    assert_equal 3, budget(("a".."l").to_a).rounds
    assert_equal 6, budget(%w[a b c d]).rounds, "each 20 s"
    assert_equal 5, budget(%w[a b c d], costs: costs(4.1)).rounds, "each 20.1 s"
  end

  test "without a budget, a JVM gets its three rounds, however long" do
    budget = budget(["a", variant("jruby", "jruby")])

    assert_equal [3, []], [budget.rounds, budget.dropped]
    assert_in_delta 8 + 67, budget.round_s
  end

  test "rounds that were asked for are made, if no budget says otherwise" do
    assert_equal 1, budget(%w[a], rounds: 1).rounds
    assert_equal 20, budget(%w[a], rounds: 20).rounds
    both = budget(%w[a], rounds: 5, budget_s: 400)
    assert_equal [5, []], [both.rounds, both.dropped]
  end

  test "a large budget is not used up, and one that just does is enough" do
    assert_equal 10, budget(%w[a], budget_s: 1000).rounds
    exact = budget(%w[a], budget_s: 8)

    assert_equal [["a"], 1], [exact.candidates.map(&:name), exact.rounds]
  end

  test "seconds begun count for what it takes, the nearest ones for the budget" do
    result = [17.4, 17.6].map do |budget_s|
      budget(%w[a], budget_s:, costs: costs(4.1)).dropped.last[:why][/.*(?=;)/]
    end
    assert_equal ["one takes about 9 s, the budget is 17 s",
                  "one takes about 9 s, the budget is 18 s"], result
    result = [7.4, 7.6].map { |budget_s| budget(%w[a], budget_s:, costs: costs(4.1)).dropped.first }
    assert_equal ["one round with it takes about 9 s, the budget is 7 s",
                  "one round with it takes about 9 s, the budget is 8 s"],
                 result.map { |cut| cut[:why] }
  end

  test "three of five rounds are enough for an interval" do
    assert_equal [{ name: "2 of 5 rounds", why: "one takes about 8 s, the budget is 30 s" }],
                 budget(%w[a], rounds: 5, budget_s: 30).dropped
  end

  test "a budget cuts rounds first, and says what that costs" do
    budget = budget(%w[a], budget_s: 17)

    assert_equal 2, budget.rounds
    assert_equal [{ name: "1 of 3 rounds",
                    why: "one takes about 8 s, the budget is 17 s; with fewer than 3 there is no " \
                         "interval to trust" }], budget.dropped
  end

  test "then it cuts variants, the dearest first, then the last" do
    budget = budget(["a", variant("jruby", "jruby"), "b", "c"], budget_s: 13)

    assert_equal %w[a b], budget.candidates.map(&:name)
    assert_equal ["jruby", "c", "2 of 3 rounds"], budget.dropped.map { |cut| cut[:name] }
    assert_equal "one round with it takes about 83 s, the budget is 13 s",
                 budget.dropped.first[:why]
  end

  test "the baseline stays, whatever the budget" do
    budget = budget(%w[a], budget_s: 1)

    assert_equal [[], 1], [budget.candidates, budget.rounds]
  end
end

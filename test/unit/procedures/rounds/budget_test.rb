# frozen_string_literal: true

require "test_helper"

class RoundsBudgetTest < Mohs::TestCase
  def variant(name, engine = "ruby") = Mohs::Study::Variant.new(name:, engine:)

  # Of a, so many seconds.
  def costs(total_s) = Mohs::Plan::Costs.new({ "a" => { boot_s: total_s - 3.3 } })

  # A trial of CRuby takes 4 s by default, one of JRuby 63.
  def budget(candidates, **given)
    candidates = candidates.map { |one| one.is_a?(String) ? variant(one) : one }
    Mohs::Rounds::Budget.new(baseline: variant("base"), candidates:, costs: Mohs::Plan::Costs.new,
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
    assert_in_delta 8 + 317, budget.round_s
  end

  test "rounds that were asked for are made, if no budget says otherwise" do
    assert_equal 1, budget(%w[a], rounds: 1).rounds
    assert_equal 20, budget(%w[a], rounds: 20).rounds
    both = budget(%w[a], rounds: 5, budget_s: 400)
    assert_equal [5, []], [both.rounds, both.dropped]
  end

  test "of the variants that mohs chose, a plain Ruby goes before the JIT of the same" do
    variants = [["own yjit", "3.3.8", %w[--yjit]], ["new", "3.4.5", []],
                ["new yjit", "3.4.5", %w[--yjit]]]
    variants.map! { |name, ruby, flags| Mohs::Study::Variant.new(name:, ruby:, flags:) }

    out = [true, false].map do |chosen|
      budget(variants, budget_s: 36, chosen:).dropped.map { |cut| cut[:name] }
    end
    assert_equal [["new"], ["new yjit"]], out
  end

  test "a large budget is not used up, and one that just does is enough" do
    assert_equal 10, budget(%w[a], budget_s: 1000).rounds
    exact = budget(%w[a b], budget_s: 36)

    assert_equal [%w[a b], 3, []], [exact.candidates.map(&:name), exact.rounds, exact.dropped]
  end

  test "seconds begun count for what it takes" do
    values = budget(%w[a], budget_s: 17, costs: costs(4.1)).dropped.last[:values]

    assert_equal({ round_s: 9, budget_s: 17, needed: 3 }, values)
    cut = budget(%w[a], budget_s: 7, costs: costs(4.1)).dropped.first

    assert_equal ["dropped_variant", { rounds: 3, enough_s: 25, budget_s: 7 }],
                 cut.values_at(:code, :values)
  end

  test "three of five rounds are enough for an interval" do
    assert_equal [{ rounds: 2, of: 5, code: "dropped_rounds",
                    values: { round_s: 8, budget_s: 30, needed: nil } }],
                 budget(%w[a], rounds: 5, budget_s: 30).dropped
  end

  test "a budget drops candidates until three rounds of the rest fit" do
    budget = budget(("a".."k").to_a, budget_s: 60)

    assert_equal [%w[a b c d], 3], [budget.candidates.map(&:name), budget.rounds]
    assert_equal %w[k j i h g f e], budget.dropped.map { |cut| cut[:name] }
    assert_equal [{ rounds: 3, enough_s: 168, budget_s: 60 }],
                 budget.dropped.map { |cut| cut[:values] }.uniq
  end

  test "rounds that were dropped have no name, since a variant may be called as they would be" do
    budget = budget(["1 of 3 rounds"], budget_s: 17)

    assert_equal [["1 of 3 rounds"], 2], [budget.candidates.map(&:name), budget.rounds]
    assert_equal([nil], budget.dropped.map { |cut| cut[:name] })
  end

  test "fewer rounds than three are enough where they were asked for" do
    budget = budget(%w[a b], rounds: 1, budget_s: 12)

    assert_equal [%w[a b], 1, []], [budget.candidates.map(&:name), budget.rounds, budget.dropped]
  end

  test "experimental JITs go first, then the dearest, then the last" do
    rjit = Mohs::Study::Variant.new(name: "rjit", flags: ["--rjit"], ruby: "3.3.8")
    yjit = Mohs::Study::Variant.new(name: "yjit", flags: ["--yjit"], ruby: "3.3.8")
    budget = budget([rjit, yjit, variant("jruby", "jruby"), "b", "c"], budget_s: 25)

    assert_equal [%w[yjit], 3], [budget.candidates.map(&:name), budget.rounds]
    assert_equal %w[rjit jruby c b], budget.dropped.map { |cut| cut[:name] }
  end

  test "the last candidate stays, in fewer rounds: alone the baseline is compared with nothing" do
    budget = budget(%w[a b], budget_s: 17)

    assert_equal [%w[a], 2], [budget.candidates.map(&:name), budget.rounds]
    assert_equal ["b", [1, 3]],
                 budget.dropped.map { |cut| cut[:name] || cut.values_at(:rounds, :of) }
  end

  test "the least that tells anything is three rounds of the baseline and who is dropped last" do
    rjit = Mohs::Study::Variant.new(name: "rjit", flags: ["--rjit"], ruby: "3.3.8")
    least = budget([rjit, variant("jruby", "jruby"), "b", "c"], budget_s: 1).least_s

    assert_in_delta 24, least
    kept = budget([rjit, variant("jruby", "jruby"), "b", "c"], budget_s: least.ceil)
    assert_equal [%w[b], 3], [kept.candidates.map(&:name), kept.rounds]
    assert_in_delta 24, budget(%w[a b], rounds: 5).least_s
    assert_in_delta 8, budget(%w[a b], rounds: 1).least_s
    assert_in_delta 12, budget([]).least_s
  end

  test "the baseline stays, whatever the budget" do
    budget = budget(%w[a], budget_s: 1)

    assert_equal [[], 1], [budget.candidates, budget.rounds]
  end
end

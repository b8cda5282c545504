# frozen_string_literal: true

require "test_helper"

module Mohs
  # Who gets how much of the budget of `mohs repro --all`.
  class ReproSharedBudgetTest < TestCase
    Moment = Struct.new(:mono_ns)

    def clock = @clock ||= Moment.new(5_000_000_000)

    def budget(seconds, **options) = Repro::SharedBudget.new(seconds, clock:, **options)

    def wait(seconds) = clock.mono_ns += seconds * 1_000_000_000

    test "the studies that are left share what is left, each a second at least" do
      budget = budget(100)
      assert_equal [33, 100.0], budget.share(3).to_a
      wait(10)
      assert_equal [45, 90.0], budget.share(2).to_a
      wait(95)
      assert_equal [1, -5.0], budget.share(1).to_a
    end

    test "of a dry run what is planned counts as spent, and no time" do
      budget = budget(100, planned: true)
      wait(10)
      budget.plan(40)

      assert_equal [30, 60], budget.share(2).to_a
    end

    def study(budget_s)
      rules = Struct.new(:budget_s).new(budget_s)
      Struct.new(:rules) { def within(seconds) = seconds }.new(rules)
    end

    test "a study has its share, or the least that gives a result if that is left" do
      share = budget(60).share(3)
      assert_equal [20, 21, 60],
                   [19.5, 20.2, 60].map { |least_s| share.of(study(20), least_s:) }
      error = assert_raises(Repro::SharedBudget::NoTime) { share.of(study(20), least_s: 60.1) }

      assert_equal({ needed_s: 61, left_s: 60.0 }, error.facts)
    end
  end
end

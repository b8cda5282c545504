# frozen_string_literal: true

require "test_helper"

class CohortSpecTest < Mohs::TestCase
  COHORT = Mohs::Plan::CohortSpec.new(round: 2, position: 3, baseline: "base",
                                      variants: %w[x base y],
                                      blocks: [%w[base y x], %w[y x base]], estimate_s: 9)

  test "one that is in it already only becomes what the others are compared with" do
    against = COHORT.against("y")

    assert_equal({ **COHORT.to_h, baseline: "y" }, against.to_h)
    assert_predicate against, :frozen?
  end

  test "one that is not joins it, in every order next to the one it stands in for" do
    against = COHORT.against("z")

    assert_equal ["z", %w[x base z y], [%w[base z y x], %w[y x base z]]],
                 [against.baseline, against.variants, against.blocks]
    assert_equal [2, 3, 9], [against.round, against.position, against.estimate_s]
  end
end

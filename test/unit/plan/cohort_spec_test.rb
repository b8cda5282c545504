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

  test "its orders follow from its seed, and are not written down" do
    cohort = Mohs::Plan::CohortSpec.new(**COHORT.to_h.except(:blocks), seed: 5)

    assert_equal 30, cohort.blocks.size
    assert_equal [%w[base x y]], cohort.blocks.map(&:sort).uniq
    assert_operator cohort.blocks.uniq.size, :>, 1
    assert_equal cohort.blocks, Mohs::Plan::CohortSpec.new(**cohort.to_h).blocks
    refute_equal cohort.blocks, Mohs::Plan::CohortSpec.new(**cohort.to_h, seed: 6).blocks
    assert_equal COHORT.to_h.keys - %i[blocks], cohort.to_h.keys
    assert_includes Mohs::Plan::CohortSpec.new.to_h.keys, :baseline
    assert_equal cohort.blocks, cohort.document[:blocks]
  end

  test "what only its procedure knows is stored with it, and in no document" do
    own = Mohs::Plan::CohortSpec.new(**COHORT.to_h, solo: true)
    stored = Mohs::Plan::CohortSpec.new(**own.to_h)

    assert_equal [{}, { solo: true }], [COHORT.own, own.own]
    assert_equal [own, true], [stored, own.to_h[:solo]]
    assert_equal({ solo: true }, own.against("z").own)
    assert_equal COHORT.document, stored.document
  end

  test "who stands in joins orders that are drawn as those that were stored" do
    cohort = Mohs::Plan::CohortSpec.new(**COHORT.to_h.except(:blocks), seed: 5)

    joined = cohort.blocks.map { |names| names.flat_map { |one| one == "base" ? %w[base z] : one } }
    assert_equal joined, cohort.against("z").blocks
    assert_equal cohort.blocks, cohort.against("y").blocks
  end

  test "orders of a run that an older mohs stored are read as they are" do
    assert_equal [%w[base y x], %w[y x base]], Mohs::Plan::CohortSpec.new(**COHORT.to_h).blocks
    assert_equal COHORT.to_h.except(:seed, :brief, :recorded), COHORT.document
  end

  test "those refused before the start have none" do
    refused = Mohs::Plan::CohortSpec.new(round: 1, position: 0, variants: %w[x], estimate_s: 0)

    assert_empty refused.blocks
  end
end

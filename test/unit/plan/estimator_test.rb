# frozen_string_literal: true

require "test_helper"

class EstimatorTest < Mohs::TestCase
  def variant(name, engine = "ruby") = Mohs::Study::Variant.new(name:, engine:)

  # CRuby: 0.7 s and 1.8 s, JRuby 10 s and 50 s, and 1.5 s and 3 s of the rest.
  def estimator(costs = Mohs::Plan::Costs.new)
    Mohs::Plan::Estimator.new([variant("a"), variant("b"), variant("j", "jruby")], costs)
  end

  def cohort(*variants, recorded: [])
    Mohs::Plan::CohortSpec.new(variants:, recorded:)
  end

  test "under a rate of any variant all are measured until it has as many as a p99 needs" do
    costs = [[], [1000], [200, 100]].map { |rates| Mohs::Plan::Costs.new(rates:) }
    variant = variant("a")

    assert_equal [1.2, 1.2, 4.5], (costs.map { |one| one.for(variant).measure_s })
  end

  test "before anything ran it is what was planned" do
    assert_in_delta 4 + 4 + 313, estimator.cohort_s(cohort("a", "b", "j"))
    known = estimator(Mohs::Plan::Costs.new({ "a" => { boot_s: 5.7 } }))
    assert_in_delta 9, known.cohort_s(cohort("a"))
  end

  test "boots add up, and of servers that get warm at once the slowest counts" do
    measured = { "a" => { warm_up_s: 20.0 }, "b" => { warm_up_s: 2.0 }, "c" => { warm_up_s: 3.0 } }
    variants = %w[a b c].map { |name| variant(name) }
    one, two = [1, 2].map do |wave_size|
      Mohs::Plan::Estimator.new(variants, Mohs::Plan::Costs.new(measured, wave_size:))
    end
    others = 3 * 2.2 # a boot and the rest

    assert_in_delta others + 25, one.cohort_s(cohort("a", "b", "c"))
    assert_in_delta others + 20 + 3, two.cohort_s(cohort("a", "b", "c"))
    assert_in_delta others + 3 + 20, two.cohort_s(cohort("b", "c", "a"))
    two.in_turns
    assert_in_delta others + 25, two.cohort_s(cohort("a", "b", "c"))
  end

  test "of servers that were seen to serve twice as much as others, or to linger, both count" do
    estimator = estimator(Mohs::Plan::Costs.new({ "a" => { warm_up_s: 20.0 } }, wave_size: 2))
    assert_in_delta 22.2 + 2.2, estimator.cohort_s(cohort("a", "b"))
    estimator.serves("a", 40.0)
    assert_in_delta 22.2 + 2.2, estimator.cohort_s(cohort("a", "b")), 1e-9, "b is not known"
    estimator.serves("b", 81.0)
    assert_in_delta 22.2 + 4, estimator.cohort_s(cohort("a", "b"))
    estimator.serves("b", 80.0)
    assert_in_delta 22.2 + 2.2, estimator.cohort_s(cohort("a", "b"))
    jruby = estimator.cohort_s(cohort("j"))
    assert_in_delta 22.2 + jruby, estimator.cohort_s(cohort("a", "j"))
  end

  test "what a variant took, its next trial will take" do
    estimator = estimator()
    estimator.took("a", :boot_s, 3.0)
    estimator.took("a", :boot_s, 2.0)

    assert_in_delta 2.0, estimator.own_s("a", :boot_s)
  end

  test "what boots slowly is warm later, until a warm-up tells" do
    estimator = estimator()
    estimator.took("a", :boot_s, 2.8)

    assert_in_delta 7.2, estimator.own_s("b", :warm_up_s)
    estimator.took("a", :warm_up_s, 2.0)
    assert_in_delta 2.0, estimator.own_s("b", :warm_up_s)
  end

  test "a first boot from a cold disk says nothing about the others" do
    estimator = Mohs::Plan::Estimator.new(%w[a b c d].map { |name| variant(name) })
    { "a" => 7.0, "b" => 0.7, "c" => 0.7 }.each { |name, s| estimator.took(name, :boot_s, s) }

    assert_in_delta 0.7, estimator.own_s("d", :boot_s)
  end

  test "a host that is slower than in earlier runs is so for every engine" do
    estimator = estimator(Mohs::Plan::Costs.new({ "a" => { boot_s: 1.0 } }))
    estimator.took("a", :boot_s, 4.0)

    assert_in_delta 40, estimator.own_s("j", :boot_s)
    assert_in_delta 1200, estimator.own_s("j", :warm_up_s)
  end

  test "an application that is slow to boot is so on the next Ruby, but says nothing of a JVM" do
    estimator = estimator()
    estimator.took("a", :boot_s, 7.0)

    assert_in_delta 7.0, estimator.own_s("b", :boot_s)
    assert_in_delta 10.0, estimator.own_s("j", :boot_s)
    estimator.took("j", :warm_up_s, 90.0)
    assert_in_delta 90.0, estimator.own_s("j", :warm_up_s)
    estimator.took("b", :warm_up_s, 3.0)
    assert_in_delta 3.0, estimator.own_s("a", :warm_up_s)
  end

  test "a cold start that a round has already is followed by usual warm-ups" do
    cold_start = Mohs::Study::ColdStart.parse("64x1000")
    estimator = estimator(Mohs::Plan::Costs.new(cold_start:))
    again = cohort("a", "b", recorded: %w[a])

    assert_in_delta 4 + 4 + (2 * (256 - 1.8)), estimator.cohort_s(cohort("a", "b"))
    assert_in_delta 4 + 4 + 256 - 1.8, estimator.cohort_s(again)
    estimator.took("a", :warm_up_s, 128.0)
    assert_in_delta 4 + 4 + 128 - 1.8, estimator.cohort_s(again)
    estimator.took("a", :usual_s, 2.8)
    assert_in_delta 4 + 5 + 128 - 1.8, estimator.cohort_s(again)
    assert_in_delta 3.0, estimator.rest_s("a") + 1.5
  end

  test "the rest of a trial is alike for all, and the mean of the cohorts" do
    estimator = estimator()
    [2.0, 3.0].each { |seconds| estimator.rest(seconds) }

    assert_equal [2.5, 2.5], [estimator.rest_s("a"), estimator.rest_s("j")]
  end

  test "what could not be served costs nothing more" do
    estimator = estimator()
    estimator.ended("j")

    assert_equal %w[a], estimator.still_tried(%w[a j])
    assert_in_delta 4, estimator.cohort_s(cohort("a", "j"))
  end
end

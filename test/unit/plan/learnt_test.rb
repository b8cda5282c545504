# frozen_string_literal: true

require "test_helper"

class LearntTest < Mohs::TestCase
  def variant(name, engine = "ruby") = Mohs::Study::Variant.new(name:, engine:)

  # CRuby: 0.7 s and 1 s, JRuby 10 s and 50 s, and 2.3 s and 3 s of the rest.
  def learnt(costs = Mohs::Plan::Costs.new)
    Mohs::Plan::Learnt.new([variant("a"), variant("b"), variant("j", "jruby")], costs)
  end

  test "before anything ran it is what was planned" do
    assert_in_delta 4 + 4 + 63, learnt.cohort_s(%w[a b j])
    known = learnt(Mohs::Plan::Costs.new({ "a" => { boot_s: 5.7 } }))
    assert_in_delta 9, known.cohort_s(%w[a])
  end

  test "what a variant took, its next trial will take" do
    learnt = learnt()
    learnt.took("a", :boot_s, 3.0)
    learnt.took("a", :boot_s, 2.0)

    assert_in_delta 2.0, learnt.own_s("a", :boot_s)
    assert_in_delta 1.0, learnt.own_s("a", :warm_up_s)
  end

  test "an application that is slow to boot is so on the next Ruby, but says nothing of a JVM" do
    learnt = learnt()
    learnt.took("a", :boot_s, 7.0)

    assert_in_delta 7.0, learnt.own_s("b", :boot_s)
    assert_in_delta 10.0, learnt.own_s("j", :boot_s)
    learnt.took("j", :warm_up_s, 90.0)
    assert_in_delta 90.0, learnt.own_s("j", :warm_up_s)
    assert_in_delta 1.0, learnt.own_s("b", :warm_up_s)
  end

  test "the rest of a trial is alike for all, and the mean of the cohorts" do
    learnt = learnt()
    [2.0, 3.0].each { |seconds| learnt.rest(seconds) }

    assert_equal [2.5, 2.5], [learnt.rest_s("a"), learnt.rest_s("j")]
  end

  test "what could not be served costs nothing more" do
    learnt = learnt()
    learnt.ended("j")

    assert_equal %w[a], learnt.in_race(%w[a j])
    assert_in_delta 4, learnt.cohort_s(%w[a j])
  end
end

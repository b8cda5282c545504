# frozen_string_literal: true

require "test_helper"

# What became of --shield, over all cohorts of a run.
class AnalysisShieldTest < Mohs::TestCase
  NONE = { given: "real-time", threads: 4, shielded: 4, driver: "real-time", refusals: [],
           ended: nil }.freeze

  def shield(*result)
    cohorts = result.map { |one| { round: 1, host: { shield: one && { **NONE, **one } } } }
    Mohs::Stored.analysis({ run: SampleResult.new({ "a" => 1000 }).run, cohorts: }).shield
  end

  test "cohorts alike are as one, with the threads of all" do
    assert_equal({ given: "real-time", threads: 9, shielded: 7, driver: [], refusals: [],
                   endings: [], cohorts: 2 },
                 shield({}, { threads: 5, shielded: 3 }).to_h)
  end

  test "what differs from cohort to cohort is given in part" do
    found = shield({}, { given: "nice", driver: "nice" }, {})

    assert_equal ["in part", %w[real-time nice], 3], [found.given, found.driver, found.cohorts]
  end

  test "what a driver was given instead is named once, as each refusal, but each ending counts" do
    less = { driver: "none", refusals: ["not permitted"], ended: "the host was starved" }
    found = shield(less, less, {})

    assert_equal [%w[none], ["not permitted"], ["the host was starved"] * 2],
                 [found.driver, found.refusals, found.endings]
  end

  test "a cohort of which nothing is known does not count" do
    assert_equal 1, shield(nil, {}).cohorts
    assert_nil shield(nil)
    assert_nil shield
  end
end

# frozen_string_literal: true

require "test_helper"

# What became of --shield, in a line.
class ReportShieldTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  GIVEN = { given: "real-time", threads: 40, shielded: 40, driver: "real-time", refusals: [],
            ended: nil }.freeze
  REFUSED = ["real-time: not permitted (root or CAP_SYS_NICE)"].freeze

  def shield(*cohorts)
    hosts = cohorts.map { |changes| { host: { shield: { **GIVEN, **changes } } } }
    cohorts = [{ host: nil }, {}, *hosts]
    run = { key: "7c1a", state: "finished", created_ms: 0, study: { baseline: "a" } }
    Mohs::Stored.document({ run:, cohorts: })[:shield]
  end

  test "without one there is no line" do
    assert_nil shield
  end

  test "what was confirmed everywhere" do
    shield = shield({}, {})

    assert_equal ["real-time", 80, 80, 0], shield.values_at(:given, :threads, :shielded, :ended)
    assert_equal "real-time priority 1; confirmed for all 80 server threads and the driver's",
                 shield[:text]
  end

  test "what was given instead, and why" do
    nice = { given: "nice", driver: "nice", refusals: REFUSED }
    nothing = { given: "none", driver: "none", shielded: 0, refusals: REFUSED }

    assert_equal "asked, nice -10 given; confirmed for all 40 server threads and the driver's; " \
                 "#{REFUSED.first}", shield(nice)[:text]
    assert_said(shield(nothing, nothing)[:text])
    assert_equal "in part", shield({}, nothing)[:given]
  end

  test "what was not as it should be" do
    ended = shield({}, { ended: "the limit of 300 s", shielded: 0, driver: "none" })

    assert_equal [40, 1], ended.values_at(:shielded, :ended)
    assert_said(ended[:text])
  end
end

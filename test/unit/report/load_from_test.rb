# frozen_string_literal: true

require "test_helper"

# The line about load from another machine.
class ReportLoadFromTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  FROM = { host: "lab@b", name: "b", cpu: "Xeon", cores: 8, listen: "10.0.0.2",
           clock_unsure_ns: 90_000, foreign_cpu_share: 0.02,
           round_trip: { p50_ns: 210_000, p99_ns: 400_000 } }.freeze

  def document(*cohorts)
    hosts = cohorts.map { |from| { host: { apart: true, load_from: from } } }
    run = { key: "7c1a", state: "finished", created_ms: 0, study: { baseline: "a" } }
    Mohs::Stored.document({ run:, cohorts: [{ host: nil }, {}, *hosts] })
  end

  test "where it came from, and the round trip, as a median over cohorts" do
    slow = { **FROM, round_trip: { p50_ns: 900_000, p99_ns: 5_000_000 } }
    document = document(slow, FROM, FROM)
    from = document[:host][:load_from]

    assert_equal({ host: "lab@b", name: "b", cpu: "Xeon", cores: 8, listen: "10.0.0.2",
                   round_trip_ms: { p50: 0.21, p99: 0.4 }, foreign_cpu_share: 0.02 },
                 from.except(:text))
    text = "from b (lab@b) to 10.0.0.2: the round trip takes 0.21 ms (p99 0.4 ms), which " \
           "every latency includes"
    assert_equal [text, text],
                 [from[:text], document[:notes].find { |note| note[:name] == "load" }[:text]]
  end

  test "other processes that took much of that machine's CPU are named, as a mean over cohorts" do
    shares = [0.3, nil, 0.1].map { |share| { **FROM, foreign_cpu_share: share } }
    from = document(*shares)[:host][:load_from]

    assert_in_delta 0.2, from[:foreign_cpu_share]
    assert from[:text].end_with?("every latency includes; other processes took 20 % of its CPU")
    assert_nil document(shares[1])[:host][:load_from][:foreign_cpu_share]
  end

  test "a round trip that could not be measured is unknown" do
    from = document({ **FROM, round_trip: nil })[:host][:load_from]

    assert_nil from[:round_trip_ms]
    assert_said(from[:text])
  end

  test "from this machine there is no line" do
    assert_nil document[:host][:load_from]
    assert_empty(document[:notes].select { |note| note[:name] == "load" })
  end
end

# frozen_string_literal: true

require "test_helper"

# mohs run --stream as its user sees it, with the application whose truth its path says.
class RunStreamTest < Mohs::TestCase
  include Mohs::StreamedRun

  def run_events(*argv) = run_streams("events", "--stream", "--connections", "5", *argv)

  slow_test "Puma and Falcon hold every stream, and events come as their path says" do
    status, document = run_events("--get", "/events/20", "--variant", "puma:1x5",
                                   "--variant", "falcon:1")

    assert_equal 0, status, document[:sentence]
    assert_empty Mohs::JSONContract.new("In every document", "`run`").faults(document)
    assert_equal [["streams of GET /events/20"], 5,
                  { open_per_s: nil, slice_s: 0.5, protocol: "sse", messages_per_s: nil,
                    channel: nil, action: nil, fan_out: false, publish: nil }],
                 document.values_at(:requested, :connections, :streams)
    assert_equal %w[measured measured], (document[:rows].map { |row| row[:state] })
    document[:rows].each { |row| check(row) }
  end

  # Six slices of five streams, opened 20 ms apart: 25 + 24 + 23 + 22 + 21 events each.
  def check(row)
    streams = row[:streams]

    assert_equal [30, 30, 0], streams.values_at(:asked, :opened, :dropped)
    assert_in_delta 690, streams[:events], 60
    assert_in_delta 20, streams[:gap_ms][:p50], 1
    assert_operator streams[:first_event_ms][:p50], :<, 100
    assert_equal [30, 0, nil, nil],
                 [row[:requests], row[:errors][:total], row[:throughput_per_s][:value],
                  row[:verdict][:interval]]
  end

  slow_test "what is published comes to all streams of a server" do
    status, document = run_events("--get", "/everybody", "--publish", "/publish", "--rate", "50",
                                  "--variant", "puma:1x12", "--variant", "falcon:1")

    assert_equal 0, status, document[:sentence]
    assert_empty Mohs::JSONContract.new("In every document", "`run`").faults(document)
    assert_equal [true, "/publish", 50],
                 document[:streams].values_at(:fan_out, :publish, :messages_per_s)
    document[:rows].each do |row|
      streams = row[:streams]

      assert_equal [30, 30, 0, 0],
                   [*streams.values_at(:asked, :opened, :dropped), streams[:messages][:unsent]]
      assert_operator streams[:fan_out][:due], :>, 200
      assert_equal streams[:fan_out][:due], streams[:fan_out][:came]
      times = streams.values_at(:half_ms, :most_ms, :all_ms).map { |one| one[:p50] }
      assert_equal times.sort, times
      assert_equal [nil, nil], streams.values_at(:first_event_ms, :gap_ms)
    end
  end

  test "a path that takes no message is refused before anything is measured" do
    status, document = run_events("--get", "/everybody", "--publish", "/nowhere",
                                  "--variant", "puma:1x12")

    assert_equal [1, "refused"], [status, document[:rows].first[:state]]
    assert_match(/POST .nowhere was answered with status 404, so no message was published/,
                 document[:rows].first[:reason])
  end

  test "streams without a thread are failures; an answer that is no stream is refused" do
    status, document = run_events("--get", "/events/20", "--variant", "puma:1x2")
    row = document[:rows].first

    assert_equal [1, "invalid", { in_flight_at_end: 18 }],
                 [status, row[:state], row[:errors][:by_class]]
    status, document = run_events("--get", "/", "--variant", "puma:1x2")
    assert_equal [1, "refused"], [status, document[:rows].first[:state]]
    assert_match(%r{text/plain, not with an event stream}, document[:rows].first[:reason])
  end
end

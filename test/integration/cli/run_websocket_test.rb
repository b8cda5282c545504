# frozen_string_literal: true

require "test_helper"

# mohs run --websocket as its user sees it, with the application that sends messages back.
class RunWebsocketTest < Mohs::TestCase
  include Mohs::StreamedRun

  def run_websockets(*argv) = run_streams("echo", "--websocket", *argv)

  test "Puma and Falcon hold every WebSocket and send every message back" do
    status, document = run_websockets("--get", "/echo", "--connections", "5",
                                      "--variant", "puma:1x5", "--variant", "falcon:1")

    assert_equal 0, status, document[:sentence]
    assert_empty Mohs::JSONContract.new("In every document", "`run`").faults(document)
    assert_equal [["WebSockets of GET /echo"], 5,
                  { open_per_s: nil, slice_s: 0.5, protocol: "websocket", messages_per_s: 100,
                    channel: nil, action: nil, fan_out: false, publish: nil }],
                 document.values_at(:requested, :connections, :streams)
    assert_equal %w[measured measured], (document[:rows].map { |row| row[:state] })
    document[:rows].each { |row| check(row) }
  end

  # Six slices of five WebSockets, with messages in the last 0.4 s of each.
  def check(row)
    streams = row[:streams]
    due, received, lost, unsent = streams[:messages].values_at(:due, :received, :lost, :unsent)

    assert_equal [30, 30, 0, nil, nil],
                 streams.values_at(:asked, :opened, :dropped, :events, :first_event_ms)
    assert_in_delta 240, due, 80
    assert_equal [due, 0, 0], [received, lost, unsent]
    [streams[:opening_ms][:p50], streams[:echo_ms][:p50]].each do |ms|
      assert_includes 0.01..100, ms
    end
    assert_equal [due, 0, nil, nil],
                 [row[:requests], row[:errors][:total], row[:throughput_per_s][:value],
                  row[:verdict][:interval]]
  end

  slow_test "a message to all reaches everybody, on threads and on fibers" do
    status, document = run_websockets("--fan-out", "--get", "/everybody", "--connections", "4",
                                      "--variant", "puma:1x4", "--variant", "falcon:1")

    assert_equal 0, status, document[:sentence]
    assert_empty Mohs::JSONContract.new("In every document", "`run`").faults(document)
    assert_equal [true, 10], document[:streams].values_at(:fan_out, :messages_per_s)
    document[:rows].each do |row|
      due, came = row[:streams][:fan_out].values_at(:due, :came)
      times = %i[half_ms most_ms all_ms].map { |name| row[:streams][name][:p50] }

      assert_equal ["measured", due, times.sort], [row[:state], came, times]
      assert_operator due, :>=, row[:requests]
    end
  end

  test "connections without a thread are failures, whatever the others send back" do
    status, document = run_websockets("--get", "/echo", "--connections", "4",
                                      "--variant", "puma:1x2")
    row = document[:rows].first

    assert_equal [1, "invalid", { in_flight_at_end: 12 }],
                 [status, row[:state], row[:errors][:by_class]]
    assert_match(/50 % of the connections failed/, row[:reason])
  end

  test "a page that opens no WebSocket is refused" do
    status, document = run_websockets("--get", "/", "--variant", "puma:1x2")

    assert_equal [1, "refused"], [status, document[:rows].first[:state]]
    assert_match(/status 200, not with an upgrade to WebSocket/, document[:rows].first[:reason])
  end
end

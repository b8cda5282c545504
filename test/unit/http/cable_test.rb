# frozen_string_literal: true

require "test_helper"

class HttpCableTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-http"

  Cable = Mohs::Http::Cable
  TEXT = "mohs 0123456789abcdef"

  # What its clients send, as a server reads it: [the subscription, a message].
  def read(cable)
    join, before, after = cable.texts
    message = JSON.parse("#{before}#{TEXT}#{after}", symbolize_names: true)
    [JSON.parse(join, symbolize_names: true),
     { **message, data: JSON.parse(message[:data], symbolize_names: true) }]
  end

  test "a channel's name or JSON with its parameters identifies a subscription" do
    identifier = "{\"channel\":\"ChatChannel\"}"
    assert_equal [{ command: "subscribe", identifier: },
                  { command: "message", identifier:, data: { action: "echo", text: TEXT } }],
                 read(Cable.parse("ChatChannel"))

    given = "{\"channel\":\"ChatChannel\",\"room\":\"\\\"1\\\" \\u0001\"}"
    join, message = read(Cable.parse(given, action: "say"))
    assert_equal [JSON.parse(given)] * 2,
                 ([join, message].map { |one| JSON.parse(one[:identifier]) })
    assert_equal({ action: "say", text: TEXT }, message[:data])
  end

  test "clients offer the protocol and come from where the server is" do
    assert_equal({ "Sec-WebSocket-Protocol" => "actioncable-v1-json",
                   "Origin" => "http://localhost:3000" },
                 Cable.parse("A").headers("localhost:3000"))
  end

  test "what identifies no channel is refused" do
    ["{\"room\":1}", "{\"channel\":1}", "{room", "a" * 5000].each do |text|
      assert_said(assert_raises(Mohs::UsageError) { Cable.parse(text) }.message)
    end
  end
end

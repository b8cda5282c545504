# frozen_string_literal: true

require "test_helper"
require_relative "../../../apps/echo/echo"

# apps/echo without a server.
class AppsEchoTest < Mohs::TestCase
  KEY = "dGhlIHNhbXBsZSBub25jZQ==" # with its answer, of RFC 6455, 1.3
  ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
  ASKED = { "REQUEST_METHOD" => "GET", "HTTP_UPGRADE" => "WebSocket",
            "HTTP_SEC_WEBSOCKET_VERSION" => "13", "HTTP_SEC_WEBSOCKET_KEY" => KEY }.freeze

  def call(path, **env)
    Echo.new.call({ **ASKED, "PATH_INFO" => path, **env.transform_keys(&:to_s) })
  end

  # A frame as a client sends it.
  def masked(opcode, payload, last: true, mask: "\x01\x02\x03\xff".b)
    size = payload.bytesize
    head = [(last ? 128 : 0) | opcode, 128 | [size, 126].min].pack("CC")
    head << [size].pack("n") if size > 125
    hidden = payload.bytes.map.with_index { |byte, at| byte ^ mask.getbyte(at % 4) }
    head << mask << hidden.pack("C*")
  end

  def answers(*frames)
    talk = Talk.new
    [frames.map { |bytes| talk.answer(bytes) }.join, talk.over?]
  end

  def closes_with(code, *frames)
    assert_equal [Talk.frame(8, [code].pack("n")), true], answers(*frames)
  end

  test "a message comes back unmasked, wherever its bytes are cut" do
    text = masked(1, "mohs 17 \u2713".b)
    long = masked(2, "x" * 300)

    assert_equal ["\x81\x0bmohs 17 \u2713".b, false], answers(text)
    assert_equal [["\x82\x7e\x01\x2c", "x" * 300].join.b, false], answers(*long.chars)
    assert_equal ["\x81\x01a\x81\x01b".b, false], answers(masked(1, "a") + masked(1, "b"))
    assert_equal "\x82\x7f\x00\x00\x00\x00\x00\x01\x11\x70".b, Talk.frame(2, "x" * 70_000)[0, 10]
  end

  test "a message in several frames comes back whole, with the pong of a ping between them" do
    parts = [masked(1, "he", last: false), masked(9, "?"), masked(0, "l", last: false),
             masked(10, "unasked"), masked(0, "lo")]

    assert_equal ["\x8a\x01?\x81\x05hello".b, false], answers(*parts)
  end

  test "a close frame is answered with its code, and nothing follows" do
    close = masked(8, "\x03\xe8bye".b)

    assert_equal ["\x88\x02\x03\xe8".b, true], answers(close + masked(1, "late"))
    assert_equal ["\x88\x00".b, true], answers(masked(8, ""))
  end

  test "what the protocol forbids ends the connection with a code" do
    unmasked = "\x81\x01a".b
    reserved = masked(1, "a").tap { |bytes| bytes.setbyte(0, 0xc1) }
    [unmasked, reserved, masked(3, "a"), masked(0, "a"), masked(8, "\x03".b),
     masked(9, "", last: false), masked(9, "x" * 126)].each { |frame| closes_with(1002, frame) }
    closes_with(1002, masked(1, "a", last: false), masked(1, "b"))
    closes_with(1007, masked(1, "\xff".b))
    closes_with(1009, [0x82, 0xff, Talk::LIMIT + 1].pack("CCQ>"))
  end

  test "a streaming body talks until the client closes or hangs up" do
    status, headers, body = call("/echo")
    ours, theirs = UNIXSocket.pair
    ours.write(masked(1, "hello"), masked(8, ""))
    body.call(theirs)

    assert_equal [101, ACCEPT, "websocket", "upgrade"],
                 [status, *headers.values_at("sec-websocket-accept", "upgrade", "connection")]
    assert_equal ["\x81\x05hello\x88\x00".b, true], [ours.read, theirs.closed?]
    ours, theirs = UNIXSocket.pair.each(&:binmode)
    ours.close
    call("/echo").last.call(theirs)

    assert_predicate theirs, :closed?
  end

  test "what comes in over one stream of a room goes out over all that are left" do
    app = Echo.new
    pairs = Array.new(3) { UNIXSocket.pair.each(&:binmode) }
    talks = []
    3.times do |at| # who has heard it is in the room
      body = app.call({ **ASKED, "PATH_INFO" => "/everybody" }).last
      talks << Thread.new { body.call(pairs[at].last) }
      pairs[at].first.write(masked(1, "a"))
      assert_equal ["\x81\x01a".b] * (at + 1), (pairs.first(at + 1).map { |ours, _| ours.read(3) })
    end
    talks.pop.tap { pairs.pop.first.close }.join
    pairs.each { |ours, _| ours.write(masked(1, "hi")) }

    assert_equal ["\x81\x02hi".b * 2] * 2, (pairs.map { |ours, _| ours.read(8) })
    pairs.first.first.write(masked(8, ""))
    assert_equal "\x88\x00".b, pairs.first.first.read
    refute_predicate pairs.last.last, :closed?
  ensure
    pairs&.each { |ours, _| ours.close }
    talks&.each(&:join)
  end

  test "a server that writes the upgrade's headers itself is told the protocol" do
    headers = call("/echo", "rack.protocol": ["websocket"], HTTP_UPGRADE: nil)[1]

    assert_equal({ "sec-websocket-accept" => ACCEPT, "rack.protocol" => "websocket" }, headers)
  end

  test "one thread serves all connections that were handed over, and outlives those that go" do
    app = Echo.new
    pairs = Array.new(3) { UNIXSocket.pair }
    pairs.each do |_, theirs|
      app.call({ **ASKED, "PATH_INFO" => "/hijacked", "rack.hijack?" => true,
                 "rack.hijack" => -> { theirs } })
    end
    heads = pairs.map { |ours, _| ours.gets("\r\n\r\n") }
    pairs.shift.first.close
    talk = lambda do |ours|
      ours.write(masked(1, "hi"))
      ours.readpartial(4)
    end

    assert(heads.all? { |head| head.start_with?("HTTP/1.1 101 ") && head.include?(ACCEPT) })
    2.times { pairs.each { |ours, _| assert_equal "\x81\x02hi".b, talk.call(ours) } }
    pairs.first.first.write(masked(8, ""))
    assert_equal "\x88\x00".b, pairs.first.first.read
    assert_equal "\x81\x02hi".b, talk.call(pairs.last.first)
  ensure
    pairs.each { |ours, _| ours.close }
  end

  test "what is no WebSocket is told so" do
    assert_equal [200, 404, 501], (%w[/ /other /hijacked].map { |path| call(path).first })
    refused = [{ HTTP_UPGRADE: nil }, { HTTP_SEC_WEBSOCKET_VERSION: "8" },
               { REQUEST_METHOD: "POST" }, { HTTP_SEC_WEBSOCKET_KEY: "short" },
               { HTTP_SEC_WEBSOCKET_KEY: nil }]
    assert_equal [426], refused.map { |env| call("/echo", **env).first }.uniq
  end
end

# frozen_string_literal: true

require "test_helper"
require_relative "../../../apps/events/events"

# apps/events without a server.
class AppsEventsTest < Mohs::TestCase
  # A client that hangs up after so many events, and when each came.
  class Client
    attr_reader :text, :times

    def initialize(most)
      @most = most
      @text = +""
      @times = []
    end

    def write(text)
      raise Errno::EPIPE if @times.size == @most

      @times << Events.now
      @text << text
    end

    def close = @closed = true

    def closed? = @closed == true
  end

  def call(path, **env) = Events.new.call({ "PATH_INFO" => path, **env.transform_keys(&:to_s) })

  test "a stream has its first event at once and then one every so many ms, until it is closed" do
    status, headers, body = call("/events/20")
    client = Client.new(4)
    began = Events.now
    body.call(client)

    assert_equal [200, "text/event-stream"], [status, headers["content-type"]]
    assert_equal [0, 1, 2, 3].map { |n| "id: #{n}\ndata: #{n}\n\n" }.join, client.text
    due = client.times.each_with_index.map { |time, index| time - began - (0.02 * index) }
    assert due.all? { |late| late.between?(0, 0.5) }, due
    assert_predicate client, :closed?
  end

  test "a connection that is handed over gets the same, from a thread of the application" do
    ours, theirs = UNIXSocket.pair
    call("/hijacked/10", "rack.hijack?": true, "rack.hijack": -> { theirs })

    assert_equal "HTTP/1.1 200 OK\r\n", ours.gets
    head = ours.gets("\r\n\r\n")
    assert_includes head, "content-type: text/event-stream\r\n"
    assert_equal ["id: 0\ndata: 0\n\n", "id: 1\ndata: 1\n\n"], (Array.new(2) { ours.gets("\n\n") })
  ensure
    ours.close
  end

  test "a client that has gone does not disturb the others" do
    app = Events.new
    pairs = Array.new(2) { UNIXSocket.pair }
    pairs.each do |_, theirs|
      app.call({ "PATH_INFO" => "/hijacked/5", "rack.hijack?" => true,
                 "rack.hijack" => -> { theirs } })
    end
    pairs.each { |ours, _| ours.gets("\n\n") }
    pairs.first.first.close

    (1..20).each do |number|
      assert_equal "id: #{number}\ndata: #{number}\n\n", pairs.last.first.gets("\n\n")
    end
  ensure
    pairs.last.first.close
  end

  def post(app, text)
    app.call({ "PATH_INFO" => "/publish", "REQUEST_METHOD" => "POST",
               "rack.input" => StringIO.new(text) }).first
  end

  # What comes over a stream until the text is there, without the comments.
  def heard(reader, text)
    found = +""
    found << reader.readpartial(4096) until found.include?(text)
    found.gsub(":\n\n", "")
  end

  test "what is published comes to all streams, as an event of as many lines as it has" do
    app = Events.new
    pipes = Array.new(3) { IO.pipe }
    threads = pipes.map do |_, writer|
      status, headers, body = app.call({ "PATH_INFO" => "/everybody" })

      assert_equal [200, "text/event-stream"], [status, headers["content-type"]]
      Thread.new { body.call(writer) }
    end
    pipes.each { |reader, _| assert_equal ":\n\n", reader.readpartial(3) } # all are there

    assert_equal 204, post(app, "mohs 1\nand 2")
    pipes.each { |reader, _| assert_equal "data: mohs 1\ndata: and 2\n\n", heard(reader, "2\n\n") }
    pipes.first.first.close
    threads.first.join # a comment finds out that the client has gone

    assert_equal 204, post(app, "3")
    pipes.drop(1).each { |reader, _| assert_equal "data: 3\n\n", heard(reader, "3\n\n") }
    pipes.drop(1).each { |reader, _| reader.close }
    threads.each(&:join)
  end

  test "no text that is published ends its event" do
    assert_equal "data: a\ndata: \ndata: event: b\ndata: c\n\n", Hub.event("a\r\revent: b\r\nc\n")
    assert_equal "data: \n\n", Hub.event("\n")
  end

  test "only a POST with a text publishes" do
    app = Events.new

    assert_equal [405, 400], [app.call({ "PATH_INFO" => "/publish",
                                         "REQUEST_METHOD" => "GET" }).first, post(app, "")]
  end

  test "a server that hands nothing over says so; other paths say what there is" do
    assert_equal [501, 200, 404, 404, 404],
                 %w[/hijacked/20 / /events /events/0 /events/x].map { |path| call(path).first }
  end
end

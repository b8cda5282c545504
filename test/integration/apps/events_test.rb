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

  test "a server that hands nothing over says so; other paths say what there is" do
    assert_equal [501, 200, 404, 404, 404],
                 %w[/hijacked/20 / /events /events/0 /events/x].map { |path| call(path).first }
  end
end

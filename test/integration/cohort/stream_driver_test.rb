# frozen_string_literal: true

require "test_helper"
require_relative "../../../apps/echo/echo"

# Cohort::StreamDriver with servers of known truth.
class StreamDriverTest < Mohs::TestCase
  include Mohs::Served
  include Mohs::LoadHelper

  HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
  STREAMS = Mohs::Study::Streams.new(slice_s: 0.5)

  def driver(port, connections: 4, streams: STREAMS)
    request = Mohs::Load::Request.new(path: "/events")
    target = Mohs::Load::Target.new(name: "a", host: "127.0.0.1", port:, connections:,
                                    requests: [request])
    Mohs::Cohort::StreamDriver.new(targets: [target], streams:)
  end

  def step(**amount) = Mohs::Load::Step.new(**amount)

  # Sends the first event after so many seconds and then one every so many, until the client is
  # gone.
  def events(first_s, every_s, most: nil)
    lambda do |socket|
      socket.gets("\r\n\r\n") or next
      socket.write(HEAD)
      sleep first_s
      (1..).each do |number|
        socket.write("data: #{number}\n\n")
        break if number == most

        sleep every_s
      end
    rescue SystemCallError
      nil
    end
  end

  test "a slice holds its streams, and has their first events, gaps and memory" do
    result, recording = nil
    open_raw(events(0.03, 0.02)) do |port|
      driver = driver(port)
      driver.watch(0, [::Process.pid])
      driver.run([step(count: 2, warm_up: true)])
      result = driver.run([step(duration_ns: 500_000_000)]).first
      recording = driver.recording(0)

      refute Mohs::Probes::Listener.open?(port), "the next slice has the server to itself"
    end

    assert_equal [4, 4, {}, 6], [result.sent, result.good, result.errors, recording.size]
    assert_equal [4, 0, {}], result.streams.values_at(:opened, :dropped, :ends)
    assert_equal [nil, nil], result.streams.values_at(:lag_p50_ns, :fan_out)
    assert_in_delta 30, result.p50_ns / 1e6, 15
    assert_equal recording.ranked(:response, [0.5]).first.exact_ns, result.p50_ns
    assert_equal 4, result.streams[:open_at_reading]
    assert_in_delta 20, result.streams[:gap_p50_ns] / 1e6, 8
    assert_operator result.streams.values_at(:rss_bytes, :rss_before_bytes).min, :>, 1_000_000
  end

  test "a step with a count has a first event of each stream, however many come at once" do
    turn = Queue.new
    serve = lambda do |socket|
      socket.gets("\r\n\r\n") or next
      turn << 1
      sleep 0.2 if turn.size == 1
      socket.write(HEAD, "data: 1\n\n" * 5)
      socket.read
    end
    result = open_raw(serve) { |port| driver(port).run([step(count: 2, warm_up: true)]).first }

    assert_equal [2, 2, {}], [result.sent, result.good, result.errors]
  end

  test "memory is read while streams are open" do
    held = Queue.new
    grow = lambda do |socket|
      socket.gets("\r\n\r\n") or next
      held << ("x" * 40_000_000) # malloc maps it anew: smaller ones may be resident already
      events_of(socket, hold: true)
    end
    GC.start # what other tests left must not go while it is measured
    streams = open_raw(grow) do |port|
      driver = driver(port)
      driver.watch(0, [::Process.pid])
      driver.run([step(duration_ns: 1_200_000_000)]).first.streams
    end

    assert_equal 4, held.size
    assert_operator streams[:open_at_reading], :>, 0
    assert_operator streams[:rss_bytes] - streams[:rss_before_bytes], :>,
                    30_000_000 * streams[:open_at_reading]
  end

  test "connections that a server drops once its memory was read were open then" do
    reads, turn = Queue.new, Queue.new
    late = lambda do |socket|
      socket.gets("\r\n\r\n") or next
      turn << 1
      socket.write(HEAD, "data: 1\n\n")
      next socket.read if turn.size == 1 # a load without connections ends

      sleep 0.001 until reads.size == 2 # before the first connection, and now
    end
    streams = open_raw(late) do |port|
      driver = driver(port, connections: 3)
      driver.watch(0, [::Process.pid])
      driver.define_singleton_method(:memory) { |index| super(index).tap { reads << index } }
      driver.run([step(duration_ns: 1_000_000_000)]).first.streams
    end

    assert_equal [2, 3], streams.values_at(:dropped, :open_at_reading)
  end

  UPGRADED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
             "Sec-WebSocket-Accept: %s\r\n\r\n"
  WEBSOCKETS = Mohs::Study::Streams.new(protocol: "websocket", slice_s: 0.5)

  # Sends messages back. Yields whether it is to keep them.
  def echoes(swallow: -> { false })
    lambda do |socket|
      head = socket.gets("\r\n\r\n") or next
      key = head[/^Sec-WebSocket-Key: (\S+)/, 1]
      socket.write(format(UPGRADED, Digest::SHA1.base64digest(key + Echo::ACCEPTED)))
      talk = Talk.new
      until talk.over?
        out = talk.answer(socket.readpartial(4096))
        socket.write(out) unless swallow.call
      end
    rescue SystemCallError, EOFError
      nil
    end
  end

  def messages(rate_per_s)
    { arrivals: Mohs::Load::Arrivals.new(kind: :constant, rate_per_s:) }
  end

  test "a slice of WebSockets has a record for each message, and times of openings" do
    warm, result, recording = nil
    open_raw(echoes) do |port|
      driver = driver(port, streams: WEBSOCKETS)
      warm = driver.run([step(count: 2, warm_up: true)]).first
      result = driver.run([step(duration_ns: 500_000_000, **messages(100))]).first
      recording = driver.recording(0)
    end

    assert_equal 2, warm.good
    assert_equal [40, 40, {}, 4], [result.sent, result.good, result.errors,
                                   result.connections[:served]]
    assert_equal [40, 40, 0], result.streams[:messages].values_at(:sent, :received, :unsent)
    assert_equal [4, 4, {}], result.streams.values_at(:asked, :opened, :failed)
    assert_operator result.streams[:opening_p50_ns], :>, 0
    assert_equal recording.size, warm.sent + result.sent
  end

  test "messages that are lost have failed, as have WebSockets that are not opened" do
    turn = Queue.new
    echo, lossy = echoes, echoes(swallow: -> { true })
    serve = lambda do |socket|
      turn << 1
      next socket.write("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n") if turn.size == 2

      (turn.size == 3 ? lossy : echo).call(socket)
    end
    result = open_raw(serve) do |port|
      driver(port, streams: WEBSOCKETS).run([step(duration_ns: 500_000_000, **messages(30))]).first
    end

    assert_equal [4, 3, { "wrong_status" => 1 }], result.streams.values_at(:asked, :opened, :failed)
    assert_equal [12, 8], result.streams[:messages].values_at(:sent, :received)
    assert_equal [13, 8, { "wrong_status" => 1, "in_flight_at_end" => 4 }, 2],
                 [result.sent, result.good, result.errors, result.connections[:served]]
  end

  # Sends messages back over the first WebSocket, and closes the others soon after their upgrades.
  def dropping
    turn, echo = Queue.new, echoes
    lambda do |socket|
      turn << 1
      next echo.call(socket) if turn.size == 1

      key = socket.gets("\r\n\r\n")[/^Sec-WebSocket-Key: (\S+)/, 1]
      socket.write(format(UPGRADED, Digest::SHA1.base64digest(key + Echo::ACCEPTED)))
      sleep 0.1
    end
  end

  test "WebSockets that are dropped have failed, with messages and without" do
    silent = Mohs::Study::Streams.new(protocol: "websocket", messages_per_s: 0, slice_s: 0.5)
    talking, quiet = [WEBSOCKETS, silent].map do |streams|
      open_raw(dropping) do |port|
        driver = driver(port, streams:)
        arrivals = streams.messages? ? messages(100) : {}
        result = driver.run([step(duration_ns: 500_000_000, **arrivals)]).first
        [result, driver.recording(0).errors]
      end
    end

    assert_equal [3, 3], ([talking, quiet].map { |one, _| one.streams[:dropped] })
    assert_equal 3, talking.first.errors["dropped"]
    assert_equal [4, 1, { "dropped" => 3 }], [quiet.first.sent, quiet.first.good, quiet.last]
    [talking, quiet].each do |result, recorded|
      assert_equal result.errors, recorded
      assert_equal result.sent, result.good + result.errors.values.sum
    end
  end

  test "without messages, records are those of openings" do
    streams = Mohs::Study::Streams.new(protocol: "websocket", messages_per_s: 0)
    warm, result = open_raw(echoes) do |port|
      driver = driver(port, streams:)
      [step(count: 2, warm_up: true), step(duration_ns: 200_000_000)].map do |one|
        driver.run([one]).first
      end
    end

    assert_equal [2, 4, 4, {}], [warm.good, result.sent, result.good, result.errors]
    assert_equal result.streams[:opening_p50_ns], result.p50_ns
  end

  CABLE = Mohs::Study::Streams.new(protocol: "websocket", slice_s: 0.5, channel: "ChatChannel",
                                   fan_out: true)

  # A warm-up, and 20 messages that have to come to all of 4 connections. Returns what the result
  # has of streams, and the server's port.
  def twenty_to_all(service, streams:)
    warm, result, recording, port = nil
    open_raw(service) do |number|
      port = number
      driver = driver(port, streams:)
      warm = driver.run([step(count: 2, warm_up: true)]).first
      result = driver.run([step(duration_ns: 500_000_000, **messages(50))]).first
      recording = driver.recording(0)
    end
    check_to_all(warm, result)
    assert_equal warm.sent + result.sent, recording.size
    [result.streams, port]
  end

  def check_to_all(warm, result)
    assert_equal 2, warm.good
    assert_equal [20, 20, {}, 4], [result.sent, result.good, result.errors,
                                   result.connections[:served]]
    assert_equal [{ due: 80, came: 80 }, 20],
                 [result.streams[:fan_out], result.streams[:messages][:received]]
    times = result.streams.values_at(:half_p50_ns, :most_p50_ns, :all_p50_ns)
    assert_equal [times.sort, result.p50_ns], [times, result.streams[:most_p50_ns]]
  end

  test "messages to all that joined a channel are timed until 99 % of them have each" do
    channel = Mohs::CableChannel.new
    streams, port = twenty_to_all(channel, streams: CABLE)

    assert_operator streams[:lag_p99_ns], :>, 0
    assert_equal ["http://127.0.0.1:#{port}"], channel.origins.uniq
  end

  test "a step with a count waits until its messages have come to all" do
    result = open_raw(Mohs::CableChannel.new(late_s: 0.05)) do |port|
      driver(port, streams: CABLE).run([step(count: 2, warm_up: true)]).first
    end

    assert_equal 2, result.good # others fell due before anybody had joined
  end

  PUBLISHED = Mohs::Study::Streams.new(slice_s: 0.5, publish: "/publish")

  # Sends what is posted to all streams; yields whether it takes a message.
  def hub(posts = Queue.new)
    listeners = Queue.new
    lambda do |socket|
      while (head = socket.gets("\r\n\r\n"))
        next socket.write(HEAD) && (listeners << socket) if head.start_with?("GET")

        text = socket.read(21)
        posts << [head, text]
        taken = !block_given? || yield(posts.size)
        Array.new(listeners.size) { listeners.pop }.each do |one|
          one.write("data: #{text}\n\n") if taken
          listeners << one
        rescue SystemCallError, IOError
          nil # it has gone
        end
        socket.write("HTTP/1.1 #{taken ? 200 : 503} A\r\nContent-Length: 2\r\n\r\nok")
      end
    rescue SystemCallError
      nil
    end
  end

  test "messages that are published are timed until 99 % of the streams have each" do
    posts = Queue.new
    streams, = twenty_to_all(hub(posts), streams: PUBLISHED)

    assert_equal 0, streams[:messages][:unsent]
    head, text = posts.pop
    assert_match(%r{\APOST /publish HTTP/1\.1\r\n.*\r\nContent-Length: 21\r\n}m, head)
    assert_match(/\Amohs \h{16}\z/, text)
  end

  test "messages that a server does not take have failed" do
    result, failed = open_raw(hub { |number| number % 4 != 0 }) do |port|
      driver = driver(port, streams: PUBLISHED)
      [driver.run([step(duration_ns: 500_000_000, **messages(50))]).first, driver.first_failed(0)]
    end

    assert_equal [20, 15, { "wrong_status" => 5 }], [result.sent, result.good, result.errors]
    assert_equal [503, "ok"], [failed&.status, failed&.bytes]
    assert_equal [15, 5], result.streams[:messages].values_at(:sent, :unsent)
  end

  test "streams that are dropped are counted, and those without an event have failed" do
    quiet = Queue.new
    serve = lambda do |socket|
      socket.gets("\r\n\r\n") or next
      quiet << 1
      next events_of(socket) if quiet.size.even?

      socket.write(HEAD)
      socket.read
    end
    result = open_raw(serve) do |port|
      driver(port).run([step(duration_ns: 400_000_000)]).first
    end

    assert_equal [4, 2, { "in_flight_at_end" => 2 }], [result.sent, result.good, result.errors]
    assert_equal [4, 2, { "ended" => 2 }], result.streams.values_at(:opened, :dropped, :ends)
  end

  def events_of(socket, hold: false)
    socket.write(HEAD, "data: 1\n\n")
    socket.read if hold
    socket.close
  end

  test "an answer that is no event stream is a failure, and is kept" do
    serve = lambda do |socket|
      socket.gets("\r\n\r\n") or next
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno")
      socket.read
    end
    failed, result = nil
    open_raw(serve) do |port|
      driver = driver(port)
      result = driver.run([step(duration_ns: 300_000_000)]).first
      failed = driver.first_failed(0)
    end

    assert_equal [0, { "wrong_type" => 4 }, nil], [result.good, result.errors, result.p50_ns]
    assert_equal ["wrong_type", 200], failed.to_h.values_at(:error, :status)
  end
end

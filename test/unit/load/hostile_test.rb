# frozen_string_literal: true

require "test_helper"

module Mohs
  # Servers that do what no server should, or what few do: each request has its class, and load
  # goes on.
  class HostileTest < TestCase
    include LoadHelper

    HEAD = "HTTP/1.1 200 OK\r\n"

    # Answer => class, on a connection that stays open.
    BROKEN = {
      "a flood of interim answers" => ["HTTP/1.1 102 Processing\r\n\r\n" * 4000, "bad_header"],
      "a flood of headers" => ["#{HEAD}#{"X-A: b\r\n" * 9000}\r\n", "bad_header"],
      "a header longer than any" => ["#{HEAD}X-A: #{'b' * 9000}\r\n\r\n", "bad_header"],
      "a status line without an end" => ["HTTP/1.1 200 #{'x' * 9000}", "bad_status_line"],
      "a length that no number holds" => ["#{HEAD}Content-Length: #{'9' * 19}\r\n\r\n",
                                          "bad_length"],
      "a negative length" => ["#{HEAD}Content-Length: -1\r\n\r\n", "bad_length"],
      "a chunk that no number holds" => ["#{HEAD}Transfer-Encoding: chunked\r\n\r\n" \
                                         "#{'f' * 16}\r\nx", "bad_chunk"],
      "a chunk longer than it says" => ["#{HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n",
                                        "bad_chunk"],
      "a flood of trailers" => ["#{HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n" \
                                "#{"X-A: b\r\n" * 9000}\r\n", "bad_header"],
      "two answers at once" => [FakeServer::FINE * 2, "extra_bytes"],
      "an answer to an upgrade" => ["HTTP/1.1 101 Switching Protocols\r\n\r\n", "wrong_status"],
    }.freeze

    BROKEN.each do |name, (answer, error)|
      test "#{name} is a #{error}, and load goes on" do
        result = load_count(->(number) { number == 10 ? answer : :fine }, count: 40)
        assert_equal({ error => 1 }, result.errors)
        assert_equal 39, result.good
      end
    end

    # No answer of these has a body, whatever its head says.
    BODILESS = {
      204 => "HTTP/1.1 204 No Content\r\n\r\n",
      304 => "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n",
    }.freeze

    BODILESS.each do |status, answer|
      test "#{status} ends with its head, and the connection is kept" do
        check = Load::Check.new(mode: :length, statuses: [status], length: 0)
        result = load_count(->(_) { answer }, count: 40, requests: [Load::Request.new(check:)])
        assert_equal [40, 4, 0], [result.good, *result.connections.values_at(:opened, :lost)]
      end
    end

    test "HTTP/1.0 keeps a connection only where it says so" do
      head = "HTTP/1.0 200 OK\r\nContent-Length: 11\r\n"
      kept = load_count(->(_) { "#{head}Connection: keep-alive\r\n\r\n#{FakeServer::BODY}" },
                        count: 40)
      assert_equal [40, 4], [kept.good, kept.connections[:opened]]
      closed = load_count(->(_) { "#{head}\r\n#{FakeServer::BODY}" }, count: 40)
      assert_equal [40, 40], [closed.good, closed.connections[:opened]]
    end

    test "a HEAD answered with a body is more than was asked for" do
      request = Load::Request.new(method: "HEAD", check: Load::Check.new)
      result = load_count(->(number) { number == 5 ? :fine : "#{HEAD}Content-Length: 11\r\n\r\n" },
                          count: 20, requests: [request])
      assert_equal({ "extra_bytes" => 1 }, result.errors)
    end

    test "a connection that breaks after an answer is lost, wherever it was noticed" do
      serve = lambda do |socket|
        reply(socket, FakeServer::FINE)
        reset(socket)
      end
      open_raw(serve) do |port|
        result = run_on(port, count: 40, connections: 1)
        assert_equal 20, result.good
        assert_equal 20, result.errors.values.sum
        assert_empty result.errors.keys - %w[reset_between_requests]
        assert_equal 20, result.connections[:lost]
      end
    end

    test "an answer that comes before the request was read is what counts" do
      answer = "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nlarge"
      requests = [Load::Request.new(method: "POST", body: "x" * 8_000_000)]
      open_raw(lambda { |socket|
        socket.gets("\r\n\r\n")
        socket.write(answer) # and closes with bytes unread: a reset follows
      }) do |port|
        result = run_on(port, count: 6, connections: 2, requests:)
        assert_equal({ "wrong_status" => 6 }, result.errors)
        assert_equal [6, 30], [result.completed, result.bytes]
      end
    end

    test "a body without an end times out, and does not starve other connections" do
      endless = "x" * 262_144
      first = true
      serve = lambda do |socket|
        if first
          first = false
          socket.write("#{HEAD}\r\n")
          loop { socket.write(endless) }
        end
        loop { reply(socket, FakeServer::FINE) }
      end
      open_raw(serve) do |port|
        result = run_on(port, count: 20, connections: 2, timeout_s: 0.3)
        assert_equal({ "timeout" => 1 }, result.errors)
        assert_equal 19, result.good
        assert_operator result.bytes, :>, 19 * 11
      end
    end

    private

    # Yields the port of a server that does `serve` with each connection, in its thread.
    def open_raw(serve)
      listener = TCPServer.new("127.0.0.1", 0)
      threads = []
      accepting = Thread.new do
        loop { threads << Thread.new(listener.accept) { |socket| handle(socket, serve) } }
      end
      yield listener.addr[1]
    ensure
      [accepting, *threads].each { |thread| thread.kill.join }
      listener.close
    end

    def handle(socket, serve)
      serve.call(socket)
    rescue SystemCallError, IOError
      nil # the client is gone: its right
    ensure
      socket.close
    end

    def reply(socket, answer)
      socket.gets("\r\n\r\n") or raise EOFError
      socket.write(answer)
    end

    def reset(socket)
      socket.gets("\r\n\r\n")
      socket.setsockopt(Socket::Option.linger(true, 0))
      raise EOFError
    end

    def run_on(port, count:, **target)
      check = Load::Check.new(mode: :exact, body: FakeServer::BODY)
      target = { requests: [Load::Request.new(check:)], **target }
      with_driver([Load::Target.new(host: "127.0.0.1", port:, **target)]) do |driver|
        result = driver.run([Load::Step.new(count:)]).first
        assert_equal [count, count], [result.sent, driver.recording(0).size]
        result
      end
    end
  end
end

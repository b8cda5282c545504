# frozen_string_literal: true

require "test_helper"

module Mohs
  # Servers that break their connections, or answer too early or without end: each request has its
  # class, and load goes on. The answers themselves are in responses_test.rb.
  class HostileTest < TestCase
    include LoadHelper

    HEAD = "HTTP/1.1 200 OK\r\n"

    test "a connection that breaks after an answer is lost, wherever it was noticed" do
      serve = lambda do |socket|
        reply(socket)
        reset(socket)
      end
      open_raw(serve) do |port|
        result = run_on(port, count: 40, connections: 1)
        assert_equal 20, result.good
        assert_equal 20, result.errors.values.sum
        assert_empty result.errors.keys - %w[reset_between_requests reset_before_answer]
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
          socket.gets("\r\n\r\n")
          socket.write("#{HEAD}\r\n")
          loop { socket.write(endless) }
        end
        loop { reply(socket) }
      end
      open_raw(serve) do |port|
        result = run_on(port, count: 20, connections: 2, timeout_s: 0.3)
        assert_equal({ "timeout" => 1 }, result.errors)
        assert_equal 19, result.good
        assert_operator result.bytes, :>, 19 * 11
      end
    end

    private

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

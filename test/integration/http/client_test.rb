# frozen_string_literal: true

require "test_helper"
require "socket"

module Mohs
  module Http
    # Against a server that says what the test wants, byte by byte.
    class ClientTest < TestCase
      OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

      # Runs the block with the port of a server that reads one request and answers `bytes`, then
      # closes, or holds the connection; returns what was asked.
      def serving(bytes, hold: false, at: "127.0.0.1")
        server = TCPServer.new(at, 0)
        heard = Queue.new
        thread = Thread.new { answer(server.accept, bytes, heard, hold:) }
        yield server.addr[1]
        heard.pop
      ensure
        server.close
        thread.kill
        thread.join
      end

      def answer(socket, bytes, heard, hold: false)
        head = +""
        head << socket.readpartial(4096) until head.include?("\r\n\r\n")
        length = head[/^content-length: (\d+)/i, 1].to_i
        head << socket.readpartial(4096) until head.split("\r\n\r\n", 2).last.bytesize >= length
        heard << head
        bytes == :silence ? sleep : socket.write(bytes)
        sleep if hold
      ensure
        socket.close
      end

      def ask(port, timeout_s: 5, **request)
        Client.new(port:, timeout_s:).ask(App::Request.build(path: "/x?y=1", **request))
      end

      test "an answer comes back whole" do
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\n"
        serving("#{head}\r\nhello") do |port|
          reply = ask(port)

          assert_equal [200, "OK", "text/html", "hello"],
                       [reply.status, reply.reason, reply.type, reply.body]
        end
      end

      test "nothing but Host and the person's headers is sent" do
        heard = serving("HTTP/1.1 204 No Content\r\n\r\n") do |port|
          assert_equal 204, ask(port).status
        end

        assert_match(
          %r{\AGET /x\?y=1 HTTP/1\.1\r\nHost: [\d.:]+\r\nConnection: close\r\n\r\n\z}i, heard
        )
      end

      test "an IPv6 address is in brackets in Host" do
        heard = serving("HTTP/1.1 204 No Content\r\n\r\n", at: "::1") do |port|
          Client.new(host: "::1", port:, timeout_s: 5).ask(App::Request.build(path: "/"))
        end

        assert_match(/^Host: \[::1\]:\d+\r$/i, heard)
      end

      test "a Host of the person's replaces ours, and a body goes along" do
        heard = serving("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") do |port|
          assert_equal "",
                       ask(port, method: "post", body: "ä=1",
                                 headers: { "Host" => "shop.example" }).body
        end

        assert_equal 1, heard.scan(/^host:/i).size
        assert_match(/^host: shop\.example\r$/i, heard)
        assert heard.end_with?("\r\n\r\nä=1".b)
      end

      test "chunks are put together and what is compressed stays so" do
        head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
        serving("#{head}\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") do |port|
          assert_equal "abcde", ask(port).body
        end
      end

      test "hints before the answer are passed over" do
        bytes = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n#{OK}"
        serving(bytes) { |port| assert_equal [200, "ok"], ask(port).to_h.values_at(:status, :body) }
      end

      test "a HEAD has no body to wait for" do
        serving("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n") do |port|
          assert_equal "", ask(port, method: "head").body
        end
      end

      test "a unix socket is asked in the same way" do
        with_files do |dir|
          path = File.join(dir, "s")
          server = UNIXServer.new(path)
          thread = Thread.new { answer(server.accept, OK, Queue.new) }

          assert_equal "ok", Client.new(unix: path).ask(App::Request.build(path: "/")).body
          thread.join
        ensure
          server.close
        end
      end

      {
        "no HTTP" => ["garbage\r\n\r\n", /not HTTP/],
        "nothing at all" => ["", /breaking the connection/],
        "a body cut short" => ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
                               /breaking the connection/],
        "a head without an end" => ["HTTP/1.1 200 OK\r\nA: #{'a' * 2_000_000}",
                                    /header .*1 MB/],
        "a header that takes Ruby the square of its length" =>
          ["HTTP/1.1 200 OK\r\nA: a#{' ' * 100_000}b\r\n\r\n", /header .*100 blanks/],
        "silence" => [:silence, /nothing .*0\.5 s/],
      }.each do |what, (bytes, message)|
        test "#{what} is a failed trial" do
          error = assert_raises(TrialError) { serving(bytes) { |port| ask(port, timeout_s: 0.5) } }

          assert_match message, error.message
          assert_equal :failed, error.state
        end
      end

      # What has come when the time is over => what is reported of it.
      {
        "HTTP/1.1 200 OK\r\nA: b\r\n" => "23 bytes of a header",
        "HTTP/1.1 103 Early Hints\r\n\r\n" * 2 => "56 bytes of a header",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello" => "43 bytes of a response",
      }.each do |bytes, part|
        test "#{bytes.inspect} and no end is a failed trial that says how much came" do
          error = assert_raises(Client::Unfinished) do
            serving(bytes, hold: true) { |port| ask(port, timeout_s: 0.5) }
          end

          assert_match(%r{\AGET /x\?y=1 .*#{part} .*0\.5 s\z}, error.message)
          assert_equal :failed, error.state
        end
      end

      EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\n\r\n"

      test "a stream of events is refused as soon as its head is there" do
        error = assert_raises(TrialError) do
          serving("#{EVENTS}data: 1\n\n", hold: true) { |port| ask(port, timeout_s: 60) }
        end

        assert_equal :refused, error.state
        assert_match(/no end \(text\/event-stream\).*--get/, error.message)
      end

      test "an upgrade that was asked for is a whole reply, and any other no answer" do
        switch = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 101 Switching Protocols\r\n\r\n"
        reply = nil
        asked = serving(switch, hold: true) do |port|
          streams = Study::Streams.new(protocol: "websocket")
          reply = Client.new(port:, timeout_s: 5, streams:).ask(App::Request.build(path: "/echo"))
        end

        assert_equal [101, ""], [reply.status, reply.body]
        assert_match(/\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n/, asked)
        assert_match(/\r\nSec-WebSocket-Key: #{Core::STREAM_KEY}\r\n/i, asked)
        assert_raises(TrialError) do
          serving(switch, hold: true) { |port| ask(port, timeout_s: 0.3) }
        end
      end

      test "what a HEAD says of a stream ends with its head" do
        serving(EVENTS) { |port| assert_equal 200, ask(port, method: "head").status }
      end

      ["", "Transfer-Encoding: chunked\r\n"].each do |framing|
        test "a body without an end is refused when time is up (#{framing.inspect})" do
          part = framing.empty? ? "hello" : "5\r\nhello\r\n"
          error = assert_raises(TrialError) do
            serving("HTTP/1.1 200 OK\r\n#{framing}\r\n#{part}", hold: true) do |port|
              ask(port, timeout_s: 0.3)
            end
          end

          assert_equal [:refused, true],
                       [error.state, error.message.include?("no end (5 bytes until")]
        end
      end

      test "a body larger than the limit is refused" do
        request = App::Request.build(path: "/")
        error = assert_raises(TrialError) do
          serving("HTTP/1.1 200 OK\r\n\r\n#{'x' * 5000}") do |port|
            Client.new(port:, limit: 1000).ask(request)
          end
        end

        assert_equal [:refused, true],
                     [error.state, error.message.include?("(more than 1000 bytes)")]
      end

      test "a server that is not there is a failed trial" do
        port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }

        assert_raises(Errno::ECONNREFUSED) { Client.new(port:).reach }

        assert_match(/breaking the connection/, assert_raises(TrialError) { ask(port) }.message)
      end

      { "the head" => "HTTP/1.1 200 OK\r\nA: ",
        "the body" => "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" }.each do |part, start|
        test "a server that drips #{part} is left at the deadline" do
          server = TCPServer.new("127.0.0.1", 0)
          thread = Thread.new do
            socket = server.accept
            socket.write(start)
            loop { socket.write("x") && sleep(0.02) }
          rescue SystemCallError
            nil
          end
          started = Clock.mono_ns

          assert_raises(TrialError) { ask(server.addr[1], timeout_s: 0.3) }
          assert_operator Clock.mono_ns - started, :<, 5_000_000_000
        ensure
          server.close
          thread.kill.join
        end
      end
    end
  end
end

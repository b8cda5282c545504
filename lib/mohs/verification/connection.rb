# frozen_string_literal: true

require "socket"

module Mohs
  class Verification
    # One connection to a server, byte by byte, for what Http::Client does not do: a second request,
    # half a request, a body that arrives in parts, a client that leaves. nil is returned for what
    # does not arrive in time, and on a broken connection.
    class Connection
      HEAD_END = "\r\n\r\n"
      PART_BYTES = 16_384
      BROKEN = [SystemCallError, IOError].freeze
      # Makes close(2) reset the connection: linger on, zero seconds for unsent data.
      RESET = [1, 0].pack("ii")

      # Opens a connection for the duration of the block.
      #: [T] (Load::Target, ?timeout_s: Numeric) { (Connection) -> T } -> T
      def self.open(target, **options)
        connection = new(target, **options)
        yield connection
      ensure
        connection&.close
      end

      # timeout_s: for each response.
      #: (Load::Target, ?timeout_s: Numeric) -> void
      def initialize(target, timeout_s: 10)
        @timeout_s = timeout_s
        @received = +"".b
        host, port, unix = target.to_h.values_at(:host, :port, :unix)
        @socket = unix ? UNIXSocket.new(unix) : TCPSocket.new(host, port)
      rescue *BROKEN
        @socket = nil
      end

      # Sends a GET request. True if the connection took it.
      #: (String, ?headers: Hash[String, String]) -> bool
      def get(path, headers: {})
        lines = { "Host" => "localhost", **headers }.map { |name, value| "#{name}: #{value}\r\n" }
        write("GET #{path} HTTP/1.1\r\n#{lines.join}\r\n")
      end

      #: (String) -> bool
      def write(bytes)
        return false unless @socket

        @socket.write(bytes)
        true
      rescue *BROKEN
        false
      end

      # The body of the next response, whose length the application gives; nil if it is not a
      # complete response with status 200.
      #: () -> String?
      def answer
        head = take_until(HEAD_END) or return
        length = head[/^content-length:\s*(\d+)/i, 1]
        body = take(length.to_i) if length
        body if head.match?(%r{\AHTTP/1\.\d 200 })
      end

      # All bytes up to the end of `text`.
      #: (String) -> String?
      def take_until(text)
        take(@received.index(text) + text.bytesize) if receive { @received.include?(text) }
      end

      #: (Integer) -> String?
      def take(bytes)
        @received.slice!(0, bytes) if receive { @received.bytesize >= bytes }
      end

      # Resets the connection, whatever is under way.
      #: () -> void
      def leave
        @socket&.setsockopt(Socket::SOL_SOCKET, Socket::SO_LINGER, RESET)
        close
      rescue *BROKEN
        nil
      end

      #: () -> void
      def close
        @socket&.close
      rescue *BROKEN
        nil
      end

      private

      # Reads until the block is true. Whether that was before the timeout.
      def receive
        deadline = Clock.deadline(@timeout_s)
        until yield
          left_s = (deadline - Clock.mono_ns) / 1e9
          return false unless @socket && left_s.positive? && @socket.wait_readable(left_s)

          @received << @socket.read_nonblock(PART_BYTES)
        end
        true
      rescue *BROKEN
        false
      end
    end
  end
end

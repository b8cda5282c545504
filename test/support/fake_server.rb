# frozen_string_literal: true

require "socket"

module Mohs
  # A scripted HTTP server of known truth, on a free port of `host` or on a unix socket. `script`
  # is called with each request's number (from 1, over all connections) and decides what is done
  # with it: a name of DEEDS, or a response of its own as a String or as
  # [response, :keep | :close | ...]. Counts what it did in `deeds`.
  #
  #     script = ->(number) { (number % 50).zero? ? :reset : :fine }
  #     FakeServer.open(script) { |server| ... server.port ... }
  class FakeServer
    BODY = "hello world"
    FINE = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n#{BODY}".freeze

    # What is sent for each deed, and what the connection does then: :keep, :close, :reset or :hang.
    DEEDS = {
      fine: [FINE, :keep],
      chunked: ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" \
                "5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nA: b\r\n\r\n", :keep],
      until_close: ["HTTP/1.1 200 OK\r\n\r\n#{BODY}", :close],
      http10: ["HTTP/1.0 200 OK\r\nContent-Length: 11\r\n\r\n#{BODY}", :close],
      interim: [
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n#{FINE}", :keep],
      says_close: ["HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\n#{BODY}",
                   :close],
      not_found: ["HTTP/1.1 404 Not Found\r\nContent-Length: 11\r\n\r\n#{BODY}", :keep],
      wrong_body: [FINE.sub("hello world", "hello_world"), :keep],
      shorter: ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", :keep],
      garbage: ["\x16\x03\x01 this is no HTTP", :keep],
      no_colon: ["HTTP/1.1 200 OK\r\ngarbage\r\nContent-Length: 11\r\n\r\n#{BODY}", :keep],
      bad_length: [FINE.sub("11", "11x"), :keep],
      two_lengths: ["HTTP/1.1 200 OK\r\nContent-Length: 11\r\nContent-Length: 12\r\n\r\n#{BODY}",
                    :keep],
      bad_chunk: ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello", :keep],
      extra: ["#{FINE}and more", :keep],
      half_header: ["HTTP/1.1 200 OK\r\nContent-", :close],
      truncated: [FINE[0...-3], :close],
      reset_in_body: [FINE[0...-3], :reset],
      one_byte_short: [FINE[0...-1], :hang],
      close: ["", :close],
      reset: ["", :reset],
      hang: ["", :hang],
    }.freeze

    attr_reader :deeds, :port, :path

    # Yields a server, which is gone with its threads and connections after the block.
    #: (^(Integer) -> (Symbol | String | [String, Symbol])) ?{ (FakeServer) -> void } -> void
    def self.open(script = ->(_) { :fine }, **options)
      server = new(script, **options)
      yield server
    ensure
      server&.stop
    end

    # `pieces`: responses are sent in pieces of so many bytes.
    #: (^(Integer) -> (Symbol | String | [String, Symbol]), ?host: String, ?path: String?, ?pieces: Integer?) -> void
    def initialize(script, host: "127.0.0.1", path: nil, pieces: nil)
      @script = script
      @path = path
      @pieces = pieces
      @listener = path ? UNIXServer.new(path) : TCPServer.new(host, 0)
      @port = @listener.addr[1] unless path
      @lock = Mutex.new
      @deeds = Hash.new(0)
      @number = 0
      @sockets = []
      @accepting = Thread.new { accept }
    end

    # Requests read so far.
    #: () -> Integer
    def requests = @lock.synchronize { @number }

    # Connections accepted so far.
    #: () -> Integer
    def accepted = @lock.synchronize { @sockets.size }

    #: () -> void
    def stop
      @accepting.kill.join
      @listener.close
      @lock.synchronize { @sockets.dup }.each do |thread, socket|
        thread.kill.join
        socket.close
      end
    end

    private

    def accept
      loop do
        socket = @listener.accept
        socket.setsockopt(:TCP, :NODELAY, 1) unless @path
        @lock.synchronize { @sockets << [Thread.new { serve(socket) }, socket] }
      end
    end

    def serve(socket)
      nil while read_request(socket) && answer(socket)
    rescue SystemCallError, IOError
      nil # the client is gone, as it may be
    ensure
      socket.close
    end

    # The request line and header, and a body of known length; nil at the end of the connection.
    def read_request(socket)
      head = socket.gets("\r\n\r\n") or return
      length = head[/^content-length: (\d+)/i, 1].to_i
      socket.read(length) if length.positive?
      head
    end

    def answer(socket)
      bytes, fate = choose
      write(socket, bytes)
      case fate
      when :keep then return true
      when :reset then socket.setsockopt(Socket::Option.linger(true, 0))
      when :hang then sleep
      end
      false
    end

    def choose
      @lock.synchronize do
        deed = @script.call(@number += 1)
        @deeds[deed] += 1
        case deed
        when String then [deed, :keep]
        when Array then deed
        else DEEDS.fetch(deed)
        end
      end
    end

    def write(socket, bytes)
      return socket.write(bytes) unless @pieces

      bytes.b.scan(/.{1,#{@pieces}}/mn) { |piece| socket.write(piece) }
    end
  end
end

# frozen_string_literal: true

require "net/http"
require "socket"

module Mohs
  class App
    # Asks a server one request at a time, to learn what it answers. Never follows a redirect, adds
    # no header of its own but Host (what is learned must be what load will get), and stops at a
    # deadline, whatever the server does.
    class HttpClient
      # A body larger than this is read no further: no page is.
      BODY_LIMIT = 64 * 1024 * 1024

      # host and port of the server, or unix: the path of its socket.
      #: (?host: String, ?port: Integer?, ?unix: String?, ?timeout_s: Numeric) -> void
      def initialize(host: "127.0.0.1", port: nil, unix: nil, timeout_s: 30)
        @host = host
        @port = port
        @unix = unix
        @timeout_s = timeout_s
      end

      # The answer to an App::Request. Raises TrialError where none comes, or one that is no HTTP.
      #: (App::Request) -> App::Reply
      def ask(request)
        deadline = Clock.deadline(@timeout_s)
        socket = connect
        exchange(socket, message(request), deadline)
      rescue Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError, Net::ProtocolError => error
        fail_with(request, "with something that is no HTTP (#{error.message.byteslice(0, 80)})")
      rescue Net::ReadTimeout, Net::OpenTimeout
        fail_with(request, "with nothing within #{@timeout_s} s")
      rescue SystemCallError, IOError => error
        fail_with(request, "by breaking the connection (#{error.message})")
      ensure
        socket&.close
      end

      private

      def fail_with(request, how)
        raise TrialError.new("#{request} was answered #{how}", state: :failed)
      end

      def connect
        @unix ? UNIXSocket.new(@unix) : Socket.tcp(@host, @port, connect_timeout: @timeout_s)
      end

      # Net::HTTP's own additions (Accept, User-Agent, Accept-Encoding) change what some
      # applications answer.
      def message(request)
        message = Net::HTTPGenericRequest.new(
          request.method, !request.body.nil?, request.method != "HEAD", request.path, {},
        )
        message.each_name.to_a.each { |name| message.delete(name) }
        message["Host"] = @unix ? "localhost" : "#{@host}:#{@port}"
        request.headers.each { |name, value| message[name] = value }
        message["Connection"] = "close"
        message.body = request.body if request.body
        message
      end

      def exchange(socket, message, deadline)
        wire = Net::BufferedIO.new(
          socket, read_timeout: remaining(deadline), write_timeout: @timeout_s,
        )
        message.exec(wire, "1.1", message.path)
        response = head(wire)
        body = +"".b
        response.reading_body(wire, message.response_body_permitted?) do
          response.read_body { |part| append(body, part, wire, deadline) }
        end
        missing = response.content_length.to_i - body.bytesize
        cut_short if missing.positive? && message.response_body_permitted?
        Reply.new(
          status: response.code.to_i, reason: response.message,
          headers: response.to_hash, body: body.freeze,
        )
      end

      # Net::HTTP takes a body that ends too early for a whole one.
      def cut_short = raise(EOFError, "the body ended before its Content-Length")

      # The final answer: 100 and 103 come before it.
      def head(wire)
        response = Net::HTTPResponse.read_new(wire)
        response = Net::HTTPResponse.read_new(wire) while response.is_a?(Net::HTTPInformation)
        response.decode_content = false
        response
      end

      def append(body, part, wire, deadline)
        body << part
        raise Net::ReadTimeout if remaining(deadline) <= 0.001
        raise IOError, "more than #{BODY_LIMIT} bytes of body" if body.bytesize > BODY_LIMIT

        wire.read_timeout = remaining(deadline)
      end

      def remaining(deadline) = [(deadline - Clock.mono_ns) / 1e9, 0.001].max
    end
  end
end

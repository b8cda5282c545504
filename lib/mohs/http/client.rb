# frozen_string_literal: true

require "delegate"
require "net/http"
require "socket"
require "mohs/core"

module Mohs
  module Http
    # Sends one request at a time, each on a connection of its own: to check whether a server is
    # ready, and to learn its responses. It never follows a redirect, adds no headers except Host
    # and Connection (a learned response must be the one sent under load), and stops at a deadline
    # and at a byte limit, whatever the server does. A response that never ends can't be measured
    # and is refused: at once if its type shows it, else at one of these limits.
    class Client
      # Most bytes of a response, and of its header: no page has more.
      LIMIT = 64 * 1024 * 1024
      HEAD_LIMIT = 1024 * 1024

      # The content type of server-sent events, and all types of bodies that go on until the client
      # hangs up.
      EVENTS = "text/event-stream"
      STREAMS = [EVENTS, "multipart/x-mixed-replace"].freeze

      # What asks for a WebSocket (RFC 6455 4.1), with a key that the core replaces by one of its
      # own for each connection; and the status that grants it.
      UPGRADE = { "Connection" => "Upgrade", "Upgrade" => "websocket",
                  "Sec-WebSocket-Version" => "13", "Sec-WebSocket-Key" => Core::STREAM_KEY }.freeze
      UPGRADED = 101

      # A response that has begun and does not end: the message says what was received of it.
      class Endless < StandardError; end
      private_constant :Endless

      # A response that can't be measured: `fact` says how the server responded.
      class Refused < TrialError
        attr_reader :fact

        #: (App::Request, String) -> void
        def initialize(request, fact)
          @fact = fact
          super("#{request} #{fact}, which can't be measured. Name another page: --get /path.",
                code: "endless", values: { request: request.to_s }, state: :refused)
        end
      end

      # A response that had begun but not ended when its time was up.
      class Unfinished < TrialError; end

      # host and port of the server, or unix: the path of its socket. tls: the host name that the
      # server is told in a TLS handshake ("": none); nil: no TLS. timeout_s and limit: time and
      # bytes for each response. redact: a Secrets::Redaction for what a response may quote.
      # streams: those that requests open (Study::Streams): the header of an event stream or of an
      # upgrade is its whole reply, which has no body. silent_s: seconds without a byte after which
      # a plain server is asked whether it waits for TLS; nil: never.
      #: (?host: String?, ?port: Integer?, ?unix: String?, ?tls: String?, ?timeout_s: Numeric, ?limit: Integer, ?redact: _Redaction, ?streams: Study::Streams?, ?silent_s: Numeric?) -> void
      def initialize(host: "127.0.0.1", port: nil, unix: nil, tls: nil, timeout_s: 30,
                     limit: LIMIT, redact: Reply::PLAIN, streams: nil, silent_s: nil)
        @streams = streams
        @host = host
        @port = port
        @unix = unix
        @tls = tls
        @silent_s = silent_s unless tls || unix
        @timeout_s = timeout_s
        @limit = limit
        @redact = redact
      end

      # The response to an App::Request, within `timeout_s`. Raises Refused if the response never
      # ends, Unfinished if it does not end in time, else TrialError if there is no response or no
      # valid HTTP. connected: called with our local port before anything is sent (not for a unix
      # socket, which has none).
      #: (App::Request, ?timeout_s: Numeric, ?connected: ^(Integer) -> void) -> Http::Reply
      def ask(request, timeout_s: @timeout_s, connected: nil)
        deadline = Clock.deadline(timeout_s)
        socket = connect(timeout_s)
        connected&.call(socket.to_io.local_address.ip_port) unless @unix
        limited = Limited.new(socket, deadline, HEAD_LIMIT)
        exchange(limited, message(request))
      rescue Endless => error
        raise Refused.new(request, "answered with a response that has no end (#{error.message})")
      rescue Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError, Net::ProtocolError => error
        shown = @redact.call(error.message).byteslice(0, 80)
        fail_with(request, "with something that is not HTTP (#{shown})", code: "not_http")
      rescue Net::ReadTimeout, Net::WriteTimeout, Net::OpenTimeout
        too_late(request, limited, timeout_s)
      rescue TooLong => error
        fail_with(request, "with a header of #{error.message}", code: "header_too_long")
      rescue SystemCallError, IOError, *Tls.errors => error
        fail_with(request, "by breaking the connection (#{error.message})",
                  code: "connection_broken", error: error.class.name)
      ensure
        socket&.close
      end

      # Connects and hangs up. Raises SystemCallError if nothing accepts a connection, and
      # EnvironmentError if what does has no TLS, but should.
      #: () -> void
      def reach = connect(@timeout_s).close

      private

      def fail_with(request, how, code:, **values)
        raise TrialError.new("#{request} was answered #{how}",
                             code:, values: { request: request.to_s, **values })
      end

      def too_late(request, socket, timeout_s)
        seconds = "within #{timeout_s.round(1)} s"
        fail_with(request, "with nothing #{seconds}", code: "no_answer") \
          if socket.nil? || socket.received.zero?

        part = socket.head ? "header" : "response"
        raise Unfinished.new("#{request} was answered with #{socket.received} bytes of a #{part} " \
                             "that did not end #{seconds}",
                             code: "no_whole_answer", values: { request: request.to_s, part: })
      end

      def connect(timeout_s)
        return UNIXSocket.new(@unix) if @unix

        socket = Socket.tcp(@host, @port, connect_timeout: timeout_s)
        @tls ? Tls.over(socket, name: @tls, timeout_s:) : socket
      end

      # Headers that Net::HTTP adds (Accept, User-Agent, Accept-Encoding) change the responses of
      # some applications.
      def message(request)
        message = Net::HTTPGenericRequest.new(
          request.method, !request.body.nil?, request.method != "HEAD", request.path, {},
        )
        message.each_name.to_a.each { |name| message.delete(name) }
        message["Host"] = @unix ? "localhost" : HostName.at(@host, @port)
        request.headers.each { |name, value| message[name] = value }
        message["Connection"] = "close"
        ask_for_upgrade(message) if @streams&.websocket?
        message.body = request.body if request.body
        message
      end

      def ask_for_upgrade(message)
        UPGRADE.each { |name, value| message[name] = value }
        @streams.cable&.headers(message["Host"]).to_h
                .each { |name, value| message[name] ||= value }
      end

      def exchange(socket, message)
        wire = Wire.new(socket)
        message.exec(wire, "1.1", message.path)
        Tls.verify_plain(@host, @port) if @silent_s && !socket.__getobj__.wait_readable(@silent_s)
        response = head(wire)
        socket.head_read(@limit)
        body = +"".b if response.is_a?(Net::HTTPSwitchProtocol)
        body ||= read_body(response, wire, permitted: message.response_body_permitted?)
        Reply.new(
          status: response.code.to_i, reason: response.message,
          headers: response.to_hash, body: body.freeze, redact: @redact,
        )
      end

      def read_body(response, wire, permitted:)
        type = response["content-type"].to_s.split(";").first.to_s.strip.downcase
        return +"".b if permitted && @streams && type == EVENTS
        raise Endless, type if permitted && STREAMS.include?(type)

        body = +"".b
        response.reading_body(wire, permitted) { response.read_body { |part| body << part } }
        cut_short if permitted && response.content_length.to_i > body.bytesize
        body
      rescue Net::ReadTimeout
        raise unless body && response.content_length.nil?

        raise Endless, "#{body.bytesize} bytes until it was given up"
      rescue TooLong => error
        raise Endless, error.message
      end

      # Net::HTTP accepts a truncated body as complete.
      def cut_short = raise(EOFError, "the body ended before its Content-Length")

      # The final response; 100 and 103 may precede it. 101 is final if it was asked for.
      def head(wire)
        response = Net::HTTPResponse.read_new(wire)
        response = Net::HTTPResponse.read_new(wire) while
          response.is_a?(Net::HTTPInformation) && !upgraded?(response)
        response.decode_content = false
        response
      end

      def upgraded?(response)
        @streams&.websocket? && response.is_a?(Net::HTTPSwitchProtocol)
      end

      class TooLong < IOError; end
      private_constant :TooLong

      # Net::HTTP parses headers with patterns that take quadratic time in consecutive blanks.
      class Wire < Net::BufferedIO
        BLANKS = 100
        MANY = /\s{#{BLANKS}}/n

        #: (String, ?bool) -> String
        def readuntil(*)
          super.tap { |line| raise TooLong, "#{BLANKS} blanks in a row" if line.match?(MANY) }
        end
      end
      private_constant :Wire

      # A socket as Net::BufferedIO uses it, with a deadline and a limit for everything that is
      # read: the timeouts of Net::BufferedIO restart with each piece, and it does not limit a
      # header's length.
      class Limited < SimpleDelegator
        # Bytes received so far; whether the header is still being read.
        attr_reader :received, :head

        # socket: a Socket, a UNIXSocket or, over TLS, an OpenSSL::SSL::SSLSocket.
        #: (untyped, Integer, Integer) -> void
        def initialize(socket, deadline, limit)
          super(socket)
          @deadline = deadline
          @limit = limit
          @received = 0
          @head = true
        end

        # From now on, header and body together may have `limit` bytes.
        #: (Integer) -> void
        def head_read(limit)
          @limit = limit
          @head = false
        end

        #: (Integer, *untyped, **untyped) -> (String | Symbol | nil)
        def read_nonblock(size, *buffer, **options)
          raise Net::ReadTimeout if remaining_s.zero?

          part = super
          @received += part.bytesize if part.is_a?(String)
          raise TooLong, "more than #{limit}" if @received > @limit

          part
        end

        # The object that Net::BufferedIO waits on, with timeouts of its own.
        #: () -> Http::Client::Limited
        def to_io = self

        #: (Numeric?) -> untyped
        def wait_readable(_timeout_s) = __getobj__.to_io.wait_readable(remaining_s)

        #: (Numeric?) -> untyped
        def wait_writable(_timeout_s) = __getobj__.to_io.wait_writable(remaining_s)

        private

        def limit = @limit < 1 << 20 ? "#{@limit} bytes" : "#{@limit >> 20} MB"

        def remaining_s = [(@deadline - Clock.mono_ns) / 1e9, 0].max
      end
      private_constant :Limited
    end
  end
end

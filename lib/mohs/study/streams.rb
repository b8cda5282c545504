# frozen_string_literal: true

module Mohs
  class Study
    # Measures long-lived connections instead of responses: event streams (text/event-stream), or
    # WebSockets on which the server has to send messages back. In each slice of load, connections
    # are opened at `open_per_s` a second (nil: all within a fifth of the slice) and held until its
    # `slice_s` seconds are over. `messages_per_s` are sent over all WebSockets together from when
    # the last of them had to be opened on (0: none; nil for event streams). `channel`: that of
    # ActionCable which each WebSocket joins, as JSON that identifies the subscription, and the
    # `action` of it that is called with each message (nil: WebSockets without). `fan_out`: whether
    # the server has to send each message to all connections, and not only back. `publish`: of event
    # streams, the path to which messages are posted, each of which has to come to all of them (nil:
    # the application sends events of its own).
    class Streams < Struct.new(:open_per_s, :slice_s, :protocol, :messages_per_s, :channel,
                               :action, :fan_out, :publish, keyword_init: true)
      include Value

      SSE, WEBSOCKET = "sse", "websocket"
      PROTOCOLS = [SSE, WEBSOCKET].freeze
      # What one of them is called in sentences.
      TITLES = { SSE => "stream", WEBSOCKET => "WebSocket" }.freeze
      SUBSCRIPTION = "subscription"
      MESSAGE = "message"

      SLICE_S = 1.0
      # A load is recorded in memory until it ends.
      LONGEST_S = 600
      # In the slices of a boot enough for a p99, and so few that most servers could send more back.
      MESSAGES_PER_S = 100
      # If each goes to all connections, which multiplies them.
      FANNED_PER_S = 10
      MOST_MESSAGES = 1_000_000

      # As many as `mohs load` has.
      CONNECTIONS = 10

      # Blocks of a cohort, each of two slices: first events of one slice have one median, and those
      # of six a trimmed mean.
      BLOCKS = 3

      # What measures something else, by its key in a declaration, in words.
      EXCLUDED = { scenario: "a scenario", jobs: "jobs", cold_start: "a cold start",
                   profile: "a profile", load_from: "load from another machine" }.freeze

      # Each WebSocket has a key of its own, which is written into the request.
      KEY = "Sec-WebSocket-Key"
      # Of a request that asks for a WebSocket, without what mohs adds: less than MOHS_BUFFER_BYTES
      # (ext/mohs/core/loop.h).
      REQUEST_BYTES = 65_000
      # Beside the name and the value of a header.
      HEADER_BYTES = 4

      # Raises UsageError if the request can't open a WebSocket. name: what asks for it.
      #: (App::Request, ?name: String) -> void
      def self.check_upgrade(request, name: "a WebSocket")
        raise UsageError, "#{name} needs a GET, not #{request.method}." if request.method != "GET"
        raise UsageError, "#{name} has a #{KEY} of its own for each connection: leave out that " \
                          "header." if request.header(KEY)

        size = request.path.bytesize + request.headers.to_a.flatten.sum(&:bytesize) +
               (HEADER_BYTES * request.headers.size)
        return if size <= REQUEST_BYTES

        raise UsageError, "#{name} takes requests of up to #{REQUEST_BYTES} bytes: path and " \
                          "headers of this one have #{size}."
      end

      # Why no message would be sent, as these fall due when the last connection had to be opened;
      # nil: some are.
      #: (connections: Integer, open_per_s: Numeric, duration_s: Numeric) -> String?
      def self.unsent(connections:, open_per_s:, duration_s:)
        return if connections / open_per_s < duration_s

        "at #{open_per_s}/s the #{connections} connections are not open within #{duration_s} s, " \
          "and no message is sent before they are"
      end

      # channel: a name as well. A channel is joined without messages unless an action, a rate or
      # fan_out asks for them. What is published goes to all, so that needs no fan_out.
      #: (?open_per_s: Numeric?, ?slice_s: Numeric, ?protocol: String, ?messages_per_s: Numeric?, ?channel: String?, ?action: String?, ?fan_out: bool, ?publish: String?) -> void
      def initialize(open_per_s: nil, slice_s: SLICE_S, protocol: SSE, messages_per_s: nil,
                     channel: nil, action: nil, fan_out: false, publish: nil)
        raise UsageError, "protocol #{protocol}: use #{PROTOCOLS.join(' or ')}" unless
          PROTOCOLS.include?(protocol)
        raise UsageError, "a slice of #{slice_s} s: use #{LONGEST_S} s or less" if
          slice_s > LONGEST_S
        raise UsageError, "#{open_per_s} connections per second: use a number above 0" if
          open_per_s && !open_per_s.positive?

        fan_out ||= !publish.nil?
        messages_per_s ||= Streams.usual_rate(channel:, action:, fan_out:) if
          protocol == WEBSOCKET || publish
        cable = Http::Cable.parse(channel, action:) if channel
        super(open_per_s:, slice_s:, protocol:, messages_per_s:, channel: cable&.identifier,
              action: action || cable&.action, fan_out:, publish:)
        check_publish
        check_messages
        check_channel
      end

      def self.usual_rate(channel:, action:, fan_out:)
        return FANNED_PER_S if fan_out

        channel && action.nil? ? 0 : MESSAGES_PER_S
      end

      # The channel that each WebSocket joins; nil without one.
      #: () -> Http::Cable?
      def cable = channel && Http::Cable.new(identifier: channel, action:)

      #: () -> bool
      def websocket? = protocol == WEBSOCKET

      # Whether messages are sent.
      #: () -> bool
      def messages? = messages_per_s.to_f.positive?

      # "streams", "WebSockets" or "subscriptions".
      #: () -> String
      def title = "#{one}s"

      # The POST that publishes a message to those who listen with this request; nil: there is none.
      #: (App::Request | Load::Request) -> App::Request?
      def post(request) = (App::Publication.post(request, publish) if publish)

      # What its latencies are the time to, from when a connection had to be opened or a message
      # was due: "first-event" of a stream, "echo" of a message, "fan-out" of one (until 99 % of the
      # connections have it), or "opening" of a WebSocket.
      #: () -> String
      def timed
        return "first-event" unless websocket? || publish
        return "opening" unless messages?

        fan_out ? "fan-out" : "echo"
      end

      # What has such a latency: "messages", or the connections.
      #: () -> String
      def counted = "#{item}s"

      # One of these: "message", ...
      #: () -> String
      def item = messages? ? MESSAGE : one

      # Seconds of load of each server in a cohort.
      #: () -> Numeric
      def measure_s = 2 * BLOCKS * slice_s

      # Raises UsageError if no message would be sent over so many connections.
      #: (Integer) -> void
      def check_connections(connections)
        return unless messages? && open_per_s

        why = Streams.unsent(connections:, open_per_s:, duration_s: slice_s)
        raise UsageError, "#{title}: #{why}. Use a longer slice or a higher open rate." if why
      end

      # What is requested unless a study names it; nil: what the application has by default.
      #: () -> Array[App::Request]?
      def usual_requests = ([App::Request.build(path: Http::Cable::PATH)] if channel)

      # The request of a stream, as a browser's EventSource sends it, or of a WebSocket, to which
      # the driver adds what an upgrade needs. Raises UsageError if it can't open one.
      #: (App::Request) -> App::Request
      def request(request)
        raise UsageError, "#{request}: #{title} exclude an expected text, as their responses " \
                          "have no end." if request.expect

        Streams.check_upgrade(request) if websocket?
        return request if websocket? || request.header("Accept")

        request.with_headers("Accept" => Http::Client::EVENTS)
      end

      # Raises TrialError unless the response opens a stream, and the server takes a message: the
      # block sends a request and returns the status of its response.
      #: (App::Answer) ?{ (App::Request) -> Integer } -> void
      def verify(answer)
        websocket? ? verify_upgrade(answer) : verify_type(answer)
        post = post(answer.request)
        verify_post(post, yield(post)) if post
      end

      private

      def one = channel ? SUBSCRIPTION : TITLES.fetch(protocol)

      def check_publish
        raise UsageError, "a fan-out to event streams needs a path to publish messages to" if
          fan_out && !websocket? && publish.nil?
        return if publish.nil?
        raise UsageError, "messages are published to event streams; a WebSocket sends them" if
          websocket?

        post(App::Request.build(path: "/")) # raises if it is no path
      end

      def check_channel
        raise UsageError, "an action is one of a channel" if action && channel.nil?
        raise UsageError, "a channel is joined over WebSockets" if channel && !websocket?
        raise UsageError, "a fan-out is one of messages: give #{title} a rate of them" if
          fan_out && !messages?
      end

      def check_messages
        return if messages_per_s.nil?
        raise UsageError, "a rate of messages is for WebSockets, or for event streams with a " \
                          "path to publish them to" unless websocket? || publish
        raise UsageError, "#{messages_per_s} messages per second: use 0 to #{MOST_MESSAGES}" unless
          messages_per_s.between?(0, MOST_MESSAGES)
      end

      def verify_type(answer)
        type = answer.type
        return if type == Http::Client::EVENTS

        refuse(answer, "#{type || 'no type'}, not with an event stream (#{Http::Client::EVENTS})",
               type:)
      end

      def verify_upgrade(answer)
        status = answer.status
        return if status == Http::Client::UPGRADED

        refuse(answer, "status #{status}, not with an upgrade to WebSocket " \
                       "(#{Http::Client::UPGRADED})", status:)
      end

      def verify_post(request, status)
        return if status / 100 == 2

        raise TrialError.new("#{request} was answered with status #{status}, so no message was " \
                             "published (2xx)",
                             code: "not_published", state: :refused,
                             values: { request: request.to_s, status: })
      end

      def refuse(answer, how, **values)
        request = answer.request.to_s
        raise TrialError.new("#{request} was answered with #{how}",
                             code: "no_stream", state: :refused, values: { request:, **values })
      end
    end
  end
end

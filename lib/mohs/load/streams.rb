# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # A load of long-lived connections (ext/mohs/core/streams.h). Each sends its target's request
    # once, and then listens to the event stream that the server answers with, or becomes a
    # WebSocket over which messages are sent and have to come back. They are opened at a given rate
    # and kept until the time is over; a stream that ends is not opened again, unless a Load::Storm
    # has dropped it.
    class Streams
      # Events after which the load ends, whatever its time, or messages that are sent at most: 640
      # MB of records.
      EVENTS = 20_000_000
      TYPE = Http::Client::EVENTS
      # Seconds to wait for messages to come back after the time is over, unless given.
      DRAIN_S = 5
      # All connections are opened within this many seconds, and within this share of the time,
      # unless a rate is given.
      OPEN_WITHIN_S, OPEN_WITHIN = 1.0, 0.2

      # The counts of a load under way, as in Result.
      Live = Struct.new(:asked, :opened, :failed, :dropped, :away, :speaking, :events, :bytes,
                        keyword_init: true) do
        include Value
      end

      # What came of it. Times are in ns, on the monotonic clock; ended_ns is when the time was
      # over: what is waited for after that is in neither driver_cpu_ns nor thread_stats.
      #   asked     streams whose time to be opened had come
      #   opened    of these, the server answered with an event stream; `failed`: it did not, by
      #             `errors` ({ "class" => count })
      #   dropped   of the opened ones, did not last until the end, by `ends` ({ "ended" => 1 }):
      #             the server completed its response or sent a close frame (ended), closed the
      #             connection without that (closed) or reset it, or what came was not HTTP or not
      #             WebSocket (broken)
      #   away      of the opened ones, dropped by a storm and not open again
      #   speaking  opened, and an event came
      #   events    over all streams, and the bytes of their data
      #   openings  Load::Recording, a record for each stream: due to the head of the response
      #   firsts    the same for each opened stream: due to the first event
      #   drops     the same for each that was dropped: due to when it ended, as a failure
      #   gaps      a record for each further event: from the one before it on the same stream. What
      #             is left of a silence at the end of the load or of the stream counts, as
      #             unanswered, if it is longer than every gap of that stream or, if it has had
      #             none, of any stream
      #   messages  of WebSockets, else nil: { sent:, received:, disordered:, repeated:, others:,
      #             unsent: }: received are echoes, of which disordered came after that of a later
      #             message; repeated: further echoes of one; others: messages that are none;
      #             unsent: fell due while no connection was open, or took more, or the driver
      #             was late
      #   echoes    of WebSockets, a record for each message that fell due: due to its echo
      #   fan_out   of messages that should come to all connections, else nil: FanOut
      #   storm     Load::Storm::Result; nil: there was none
      #   first_failed  Load::FailedResponse, the first answer that was no event stream; nil: none
      Result = Struct.new(:asked, :opened, :failed, :dropped, :away, :speaking, :events, :bytes,
                          :errors, :ends, :messages, :epoch_ns, :ended_ns, :driver_cpu_ns,
                          :thread_stats, :openings, :firsts, :drops, :gaps, :echoes, :fan_out,
                          :storm, :first_failed, keyword_init: true) do
        include Value

        #: () -> Integer
        def wall_ns = ended_ns - epoch_ns
      end

      # Messages to all: how often they should come to a connection that was open when they were
      # sent (`due`), and did (`came`); and, with a record for each message, due to when half of the
      # connections had it, 99 % of them, and the last.
      FanOut = Struct.new(:due, :came, :halves, :mosts, :alls, keyword_init: true) do
        include Value
      end

      # The request of an event stream, as a browser's EventSource sends it, or of a WebSocket.
      # more: headers that it has unless the request has them.
      #: (App::Request | Load::Request, ?websocket: bool, ?more: Hash[String, String]) -> Load::Request
      def self.request(request, websocket: false, more: {})
        given = request.headers.keys.map(&:downcase)
        usual = websocket ? Http::Client::UPGRADE : { "Accept" => TYPE }
        own = { **usual, **more }.reject do |name, _|
          given.include?(name.downcase)
        end
        Request.new(**request.to_h.slice(:method, :path, :body),
                    headers: { **own, **request.headers })
      end

      # Connections opened per second if no rate is given.
      #: (connections: Integer, duration_s: Numeric) -> Float
      def self.open_per_s(connections:, duration_s:)
        connections / [OPEN_WITHIN_S, OPEN_WITHIN * duration_s].min
      end

      # target: with one request. open_per_s: connections opened per second. cpu: that the driver's
      # thread is kept on; nil: any. websocket: the request asks for one; `messages` are sent as
      # these arrivals say, from when the last connection had to be opened on; nil: none. cable: the
      # channel that each joins; a WebSocket is open once it has. fan_out: whether each message
      # should come to all. storm: drops some of them; nil: none. brief: it ends when each stream
      # has had its first event, or can't have one; of WebSockets, when they are open and `events`
      # messages came back. drain_s: how long to wait, after `duration_s`, for messages and for
      # connections that the storm dropped.
      #: (Load::Target, duration_s: Numeric, open_per_s: Numeric, ?cpu: Integer?, ?websocket: bool, ?cable: Http::Cable?, ?fan_out: bool, ?messages: Load::Arrivals?, ?storm: Load::Storm?, ?seed: Integer, ?events: Integer, ?brief: bool, ?drain_s: Numeric) -> void
      def initialize(target, duration_s:, open_per_s:, cpu: nil, websocket: false, cable: nil,
                     fan_out: false, messages: nil, storm: nil, seed: 0, events: EVENTS,
                     brief: false, drain_s: DRAIN_S)
        bytes = Wire.render(target.requests.first, host: Address.host_header(target))
        @core = Core::Streams.new(
          **Address.place(target), bytes:, connections: target.connections,
          duration_ns: Clock.span_ns(duration_s),
          open_per_s: Float(open_per_s), count: [events, *most(messages, duration_s)].min, cpu:,
          brief:, websocket:, cable: cable&.texts, fan_out:, seed:,
          arrivals: messages&.packed, storm: storm&.packed, drain_ns: Clock.span_ns(drain_s)
        )
      end

      # Once. Yields a Streams::Live about every 100 ms. After an Interrupt there is a result, too.
      #: () ?{ (Load::Streams::Live) -> void } -> void
      def run
        live = Live # loaded before load may take every descriptor
        @core.run { |counts| yield live.new(**counts) if block_given? }
      end

      # Raises EnvironmentError if there was no memory for all of it.
      #: () -> Load::Streams::Result
      def result
        counts = @core.counts
        lost = counts.delete(:lost_records)
        raise EnvironmentError, "no memory was left to record #{lost} events" unless lost.zero?

        failed, deliveries = @core.failed_response, counts.delete(:deliveries)
        Result.new(**counts, errors: Recording.named(counts[:errors]), ends: ends(counts[:ends]),
                             openings: Recording.new(@core.openings),
                             firsts: Recording.new(@core.firsts),
                             drops: Recording.new(@core.drops),
                             gaps: Recording.new(@core.gaps),
                             echoes: Recording.new(@core.echoes),
                             fan_out: fan_out(deliveries), storm:,
                             first_failed: failed && FailedResponse.new(**failed))
      end

      private

      # More messages than can fall due, for which memory is reserved; nil: there are none.
      def most(messages, duration_s)
        return unless messages

        rate = [messages.rate_per_s, *messages.to_per_s].max
        ((2 * rate * duration_s) + (10 * messages.burst) + 1000).ceil
      end

      def fan_out(deliveries)
        return unless deliveries

        FanOut.new(**deliveries, **recordings(:halves, :mosts, :alls))
      end

      def storm
        found = @core.storm or return
        Storm::Result.new(**found, errors: Recording.named(found[:errors]),
                                   **recordings(:returns, :before, :during))
      end

      def recordings(*names)
        names.to_h { |name| [name, Recording.new(@core.public_send(name))] }
      end

      # Those that did not last until the end.
      def ends(counts)
        named = Core::STREAM_ENDS.map(&:to_s).zip(counts).to_h
        named.except("lasts").reject { |_, count| count.zero? }
      end
    end
  end
end

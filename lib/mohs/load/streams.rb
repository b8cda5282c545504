# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # A load of long-lived connections (ext/mohs/core/streams.h): each sends its target's request
    # once and then listens to the event stream that the server answers with. They are opened at a
    # given rate and kept until the time is over; a stream that ends is not opened again.
    class Streams
      # Events after which the load ends, whatever its time: 640 MB of records.
      EVENTS = 20_000_000
      TYPE = "text/event-stream"

      # The counts of a load under way, by Core::STREAM_COUNTS.
      Live = Struct.new(*Core::STREAM_COUNTS, keyword_init: true) do
        include Value
      end

      # What came of it. Times are in ns, on the monotonic clock.
      #   asked     streams whose time to be opened had come
      #   opened    of these, the server answered with an event stream; `failed`: it did not, by
      #             `errors` ({ "class" => count })
      #   dropped   of the opened ones, did not last until the end, by `ends` ({ "ended" => count }):
      #             the server completed its response (ended), closed the connection within it
      #             (closed) or reset it, or what came was not HTTP (broken)
      #   speaking  opened, and an event came
      #   events    over all streams, and the bytes of their data
      #   openings  Load::Recording, a record for each stream: due to the head of the response
      #   firsts    the same for each opened stream: due to the first event
      #   gaps      a record for each further event: from the one before it on the same stream. What
      #             is left of a silence at the end counts, as unanswered, if it is longer than
      #             every gap
      #   first_failed  Load::FailedResponse, the first answer that was no event stream; nil: none
      Result = Struct.new(:asked, :opened, :failed, :dropped, :speaking, :events, :bytes, :errors,
                          :ends, :epoch_ns, :ended_ns, :driver_cpu_ns, :thread_stats, :openings,
                          :firsts, :gaps, :first_failed, keyword_init: true) do
        include Value

        #: () -> Integer
        def wall_ns = ended_ns - epoch_ns
      end

      # The request of an event stream, as a browser's EventSource sends it.
      #: (App::Request) -> Load::Request
      def self.request(request)
        given = request.headers.keys.map(&:downcase)
        accept = given.include?("accept") ? {} : { "Accept" => TYPE }
        Request.new(**request.to_h.slice(:method, :path, :body),
                    headers: { **accept, **request.headers })
      end

      # target: with one request. open_per_s: connections opened per second. cpu: that the driver's
      # thread is kept on; nil: any.
      #: (Load::Target, duration_s: Numeric, open_per_s: Numeric, ?cpu: Integer?, ?events: Integer) -> void
      def initialize(target, duration_s:, open_per_s:, cpu: nil, events: EVENTS)
        bytes = Wire.render(target.requests.first, host: Address.host_header(target))
        @core = Core::Streams.new(
          address: Address.of(target), bytes:, connections: target.connections,
          sources: target.source_addresses.map { |host| Address.source(host) },
          timeout_ns: (target.timeout_s * 1e9).round, duration_ns: (duration_s * 1e9).round,
          open_per_s: Float(open_per_s), count: events, cpu:
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

        failed = @core.failed_response
        Result.new(**counts, errors: Recording.named(counts[:errors]), ends: ends(counts[:ends]),
                             openings: Recording.new(@core.openings),
                             firsts: Recording.new(@core.firsts),
                             gaps: Recording.new(@core.gaps),
                             first_failed: failed && FailedResponse.new(**failed))
      end

      private

      # Those that did not last until the end.
      def ends(counts)
        named = Core::STREAM_ENDS.map(&:to_s).zip(counts).to_h
        named.except("lasts").reject { |_, count| count.zero? }
      end
    end
  end
end

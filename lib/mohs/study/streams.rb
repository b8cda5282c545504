# frozen_string_literal: true

module Mohs
  class Study
    # Measures event streams (text/event-stream) instead of responses: in each slice of load,
    # connections are opened at `open_per_s` a second (nil: all within a fifth of the slice) and
    # held until its `slice_s` seconds are over.
    class Streams < Struct.new(:open_per_s, :slice_s, keyword_init: true)
      include Value

      SLICE_S = 1.0
      # A load is recorded in memory until it ends.
      LONGEST_S = 600

      # As many as `mohs load` has.
      CONNECTIONS = 10

      # Blocks of a cohort, each of two slices: first events of one slice have one median, and those
      # of six a trimmed mean.
      BLOCKS = 3

      # What measures something else, by its key in a declaration, in words.
      EXCLUDED = { scenario: "a scenario", jobs: "jobs", cold_start: "a cold start",
                   profile: "a profile", load_from: "load from another machine" }.freeze

      #: (?open_per_s: Numeric?, ?slice_s: Numeric) -> void
      def initialize(open_per_s: nil, slice_s: SLICE_S)
        raise UsageError, "a slice of #{slice_s} s: use #{LONGEST_S} s or less" if
          slice_s > LONGEST_S

        super
      end

      # Seconds of load of each server in a cohort.
      #: () -> Numeric
      def measure_s = 2 * BLOCKS * slice_s

      # The request of a stream, as a browser's EventSource sends it. Raises UsageError if it can't
      # open one.
      #: (App::Request) -> App::Request
      def request(request)
        raise UsageError, "#{request}: streams exclude an expected text, as their responses have " \
                          "no end." if request.expect

        request.header("Accept") ? request : request.with_headers("Accept" => Http::Client::EVENTS)
      end

      # Raises TrialError unless the response is an event stream.
      #: (App::Answer) -> void
      def verify(answer)
        type = answer.type
        return if type == Http::Client::EVENTS

        request = answer.request.to_s
        raise TrialError.new("#{request} was answered with #{type || 'no type'}, not with an " \
                             "event stream (#{Http::Client::EVENTS})",
                             code: "no_stream", state: :refused, values: { request:, type: })
      end
    end
  end
end

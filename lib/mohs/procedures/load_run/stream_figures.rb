# frozen_string_literal: true

module Mohs
  class LoadRun
    # The figures of a load of event streams or WebSockets.
    class StreamFigures < Exporters::Figures
      KIND = StreamView::KIND
      METRICS = {
        **METRICS,
        **metrics(["events_per_s", "events", "events/s", "more",
                   "events per second of all streams"],
                  ["first_event_p50_ms", "first_event_p50", "ms", "less",
                   "median time from when a stream had to be opened to its first event"],
                  ["first_event_p99_ms", "first_event_p99", "ms", "less",
                   "99th percentile of that time"],
                  ["event_gap_p99_ms", "event_gap_p99", "ms", "less",
                   "99th percentile of the time between two events of a stream"],
                  ["echo_p50_ms", "echo_p50", "ms", "less",
                   "median time from when a message was due on a WebSocket to its echo"],
                  ["echo_p99_ms", "echo_p99", "ms", "less", "99th percentile of that time"]),
      }.freeze

      #: () -> Array[Exporters::Figures::Figure]
      def to_a
        asked, failed = @document[:streams][:asked], @document[:errors][:total]
        share = failed.fdiv(asked) if asked.positive?
        [figure("events_per_s", value: @document[:events_per_s]),
         *times(:first_event, %i[p50 p99]), *times(:gap, %i[p99]), *times(:echo, %i[p50 p99]),
         figure("error_share", value: share)].compact
      end

      private

      NAMES = { first_event: "first_event", gap: "event_gap", echo: "echo" }.freeze
      private_constant :NAMES

      def times(kind, quantiles)
        values = @document[:"#{kind}_ms"] or return []
        quantiles.map { |name| figure("#{NAMES[kind]}_#{name}_ms", value: values[name]) }
      end
    end
  end
end

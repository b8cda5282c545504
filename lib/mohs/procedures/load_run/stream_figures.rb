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
                  ["echo_p99_ms", "echo_p99", "ms", "less", "99th percentile of that time"],
                  ["fan_out_p50_ms", "fan_out_p50", "ms", "less",
                   "median time from when a message was due until 99 % of the connections had it"],
                  ["fan_out_p99_ms", "fan_out_p99", "ms", "less", "99th percentile of that time"],
                  ["back_p50_ms", "back_p50", "ms", "less",
                   "time until half of the connections were back that a storm had dropped"],
                  ["back_p99_ms", "back_p99", "ms", "less", "time until 99 % of them were back"]),
      }.freeze

      #: () -> Array[Exporters::Figures::Figure]
      def to_a
        counts = @document[:streams]
        [figure("events_per_s", value: @document[:events_per_s]),
         *times(:first_event, %i[p50 p99]), *times(:gap, %i[p99]), *times(:echo, %i[p50 p99]),
         *times(:most, %i[p50 p99]), *back,
         figure("error_share", value: share(@document[:errors][:total], counts[:asked])),
         *streams({ **@document, **counts.slice(:opened, :dropped) })].compact
      end

      private

      NAMES = { first_event: "first_event", gap: "event_gap", echo: "echo",
                most: "fan_out" }.freeze
      private_constant :NAMES

      def back
        storm = @document[:storm] or return []
        [figure("back_p50_ms", value: storm[:half_back_ms]),
         figure("back_p99_ms", value: storm[:most_back_ms])]
      end

      def times(kind, quantiles)
        values = @document[:"#{kind}_ms"] or return []
        quantiles.map { |name| figure("#{NAMES[kind]}_#{name}_ms", value: values[name]) }
      end
    end
  end
end

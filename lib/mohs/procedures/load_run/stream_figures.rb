# frozen_string_literal: true

module Mohs
  class LoadRun
    # The figures of a load of event streams.
    class StreamFigures < Exporters::Figures
      KIND = StreamView::KIND

      #: () -> Array[Exporters::Figures::Figure]
      def to_a
        asked, failed = @document[:streams][:asked], @document[:errors][:total]
        share = failed.fdiv(asked) if asked.positive?
        [figure("events_per_s", value: @document[:events_per_s]),
         figure("first_event_p50_ms", value: @document[:first_event_ms][:p50]),
         figure("first_event_p99_ms", value: @document[:first_event_ms][:p99]),
         figure("event_gap_p99_ms", value: @document[:gap_ms][:p99]),
         figure("error_share", value: share)].compact
      end
    end
  end
end

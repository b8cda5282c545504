# frozen_string_literal: true

module Mohs
  class LoadRun
    # The figures of a search for a number of connections.
    class ConnectionFigures < Exporters::Figures
      KIND = ConnectionView::KIND
      METRICS = {
        **METRICS,
        **metrics(["connections", "connections", "connections", "more",
                   "the highest number of connections that kept the limit"]),
      }.freeze

      #: () -> Array[Exporters::Figures::Figure]
      def to_a
        kept, missed = @document.values_at(:kept, :missed)
        [figure("connections", value: kept, low: kept, high: missed, verdict: @document[:outcome])]
      end
    end
  end
end

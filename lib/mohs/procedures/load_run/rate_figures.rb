# frozen_string_literal: true

module Mohs
  class LoadRun
    # The figures of a search for a rate.
    class RateFigures < Exporters::Figures
      KIND = RateView::KIND
      METRICS = {
        **METRICS,
        **metrics(["capacity_per_s", "capacity", "requests/s", "more",
                   "correct responses per second of a closed loop"]),
      }.freeze

      #: () -> Array[Exporters::Figures::Figure]
      def to_a
        rate = @document[:rate_per_s] || { value: nil }
        [figure("rate_per_s", **rate.slice(:value, :low, :high), verdict: @document[:outcome]),
         figure("capacity_per_s", value: @document[:capacity_per_s])].compact
      end
    end
  end
end

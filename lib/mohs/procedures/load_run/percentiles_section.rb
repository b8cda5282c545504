# frozen_string_literal: true

module Mohs
  class LoadRun
    # The latencies of a load at every percentile.
    class PercentilesSection < Report::Sections::Percentiles
      private

      # Documents of an earlier mohs don't name the server.
      def sources = [@document.values_at(:server, :latency_ms)].select(&:first)
    end
  end
end

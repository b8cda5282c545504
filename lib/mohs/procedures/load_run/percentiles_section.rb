# frozen_string_literal: true

module Mohs
  class LoadRun
    # The latencies of a load at every percentile.
    class PercentilesSection < Report::Sections::Percentiles
      private

      def sources = [@document.values_at(:server, :latency_ms)]
    end
  end
end

# frozen_string_literal: true

module Mohs
  class LoadRun
    # Figures of batches, and of which batches they are.
    module Batches
      FIGURES = { answered_per_s: "answered/s", p50_ms: "p50, ms", p99_ms: "p99, ms" }.freeze
      COURSE = %i[first lowest median highest last].freeze
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Bisect
    # The figures of a bisection: one for each comparison.
    class Figures < Exporters::Figures
      KIND = View::KIND

      # Each bisection has other steps.
      #: () -> bool
      def self.series? = false

      #: () -> Array[Exporters::Figures::Figure]
      def to_a = @document[:steps].map { |step| of_step(step) }

      private

      def of_step(step)
        metric = Analysis::Metric.fetch(@document[:metric]).key.to_s
        Figure.new(variant: step[:b], metric: METRICS.fetch(metric), baseline: step[:a],
                   **effect(step, step[:verdict]))
      end
    end
  end
end

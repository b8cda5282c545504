# frozen_string_literal: true

module Mohs
  module Cohort
    # Rates by CPU time of a server's measured slices, which all of them together decide.
    module ComputedRates
      # spread: of its processes.
      #: (Trial, Cohort::Spread) -> void
      def self.give(trial, spread)
        slices = trial.samples.select(&:block)
        spans = spread.computed_spans_ns(slices.map(&:result), waited_ns: trial.core_wait_ns)
        slices.zip(spans) do |slice, span_ns|
          slice.result = Load::StepResult.from_h({ **slice.result.to_h, span_ns: }) if span_ns
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Repro
    # The metrics that claims may be about besides those that every run compares.
    module Metrics
      # From the batches of a cold start (Analysis::ColdStart): the rate of the first batch, and how
      # many times p50 p99 is.
      BATCHES = [
        Analysis::Metric.new(name: "first", key: :first_per_s,
                             title: "requests/s of the first batch", more: true),
        Analysis::Metric.new(name: "stretch", key: :latency_stretch, title: "p99 over p50",
                             more: false),
      ].each(&:freeze).freeze

      NAMED = [Analysis::Metric::TAIL, *BATCHES].freeze

      # The metric of the name that a claim has. Raises UsageError.
      #: (String) -> Analysis::Metric
      def self.fetch(name) = Analysis::Metric.fetch(name, *NAMED)
    end
  end
end

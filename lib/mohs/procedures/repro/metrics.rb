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

      # Of two variants (Effects#overhead_ratio): the time that a request takes on one beyond that
      # on the other, 1 / rate each.
      OVERHEAD = Analysis::Metric.new(name: "overhead", key: :overhead_us, title: "overhead",
                                      more: false).freeze

      # Those that a row of a run has.
      OF_ROWS = [*Analysis::Metric::ALL, Analysis::Metric::TAIL].freeze

      NAMED = [Analysis::Metric::TAIL, *BATCHES].freeze

      # The title of the metric with this name in a document; the name itself if there is none.
      #: (String) -> String
      def self.titled(name)
        [*Analysis::Metric::ALL, *NAMED].find { |metric| metric.name == name }&.title || name
      end

      # The metric of the name that a claim has. Raises UsageError.
      #: (String) -> Analysis::Metric
      def self.fetch(name) = Analysis::Metric.fetch(name, *NAMED)
    end
  end
end

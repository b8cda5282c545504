# frozen_string_literal: true

module Mohs
  module Report
    # What the rates in a run's document count: requests, or jobs if each request is a batch of
    # jobs. Documents contain figures of requests; only what people read is converted. Streams have
    # no rate; what is counted of them is what is timed.
    module Unit
      module_function

      # "requests" or "jobs"; "streams", "messages", "WebSockets" or "subscriptions".
      #: (Hash[Symbol, untyped]) -> String
      def name(document)
        return Study::Streams.new(**document[:streams]).counted if document[:streams]

        document[:jobs] ? "jobs" : "requests"
      end

      # The verb for what a variant does with them.
      #: (Hash[Symbol, untyped]) -> String
      def verb(document) = document[:jobs] ? "runs" : "serves"

      # The estimate of a row's rate.
      #: (Hash[Symbol, untyped], Hash[Symbol, untyped]) -> Hash[Symbol, Numeric?]?
      def rate(document, row)
        row[:throughput_per_s]&.transform_values { |value| value && (value * count(document)) }
      end

      # CPU time of a request or job, in microseconds; nil if unknown.
      #: (Hash[Symbol, untyped], Hash[Symbol, untyped]) -> Numeric?
      def cpu_us(document, row) = row.dig(:cpu_us_per_request, :value)&.fdiv(count(document))

      def count(document) = document.dig(:jobs, :count) || 1
      private_class_method :count
    end
  end
end

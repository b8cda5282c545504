# frozen_string_literal: true

module Mohs
  module Report
    # What the rates in a run's document count: requests, or jobs if each request is a batch of
    # jobs. Documents contain figures of requests; only what people read is converted. Streams have
    # no rate; what is counted of them is what is timed.
    module Unit
      # Titles of metrics that are of each job; latencies are of whole batches.
      OF_JOBS = { "throughput" => "jobs/s", "cpu" => "CPU a job" }.freeze
      private_constant :OF_JOBS

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

      # The title of one of the document's metrics.
      #: (Hash[Symbol, untyped], Hash[Symbol, untyped]) -> String
      def title(document, metric)
        document[:jobs] ? OF_JOBS.fetch(metric[:name], metric[:title]) : metric[:title]
      end

      # The value that one side has in one of the document's metrics; nil if unknown.
      #: (Hash[Symbol, untyped], Hash[Symbol, untyped], Numeric?) -> Numeric?
      def value(document, metric, value)
        case value && metric[:name]
        when "throughput" then value * count(document)
        when "cpu" then value.fdiv(count(document))
        else value
        end
      end

      def count(document) = document.dig(:jobs, :count) || 1
      private_class_method :count
    end
  end
end

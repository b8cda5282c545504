# frozen_string_literal: true

module Mohs
  module Load
    # Recomputes a step's counts from its records alone.
    class Tally
      SHARES = { p50: 0.5, p99: 0.99 }.freeze

      # connections: number asked for. open_loop: whether requests fell due by a schedule.
      #: (Load::Recording, connections: Integer, open_loop: bool) -> void
      def initialize(recording, connections:, open_loop:)
        @recording = recording
        @asked = connections
        @open_loop = open_loop
        @totals = recording.totals
      end

      # Fields of a Load::StepResult.
      #: () -> Hash[Symbol, untyped]
      def to_h
        errors = @recording.errors
        { sent: @recording.size, errors:, good: @recording.size - errors.values.sum,
          **@totals.slice(:completed, :bytes, :latency_sum_ns, :service_sum_ns),
          p50_ns: @recording.ranked(:service, [0.5]).first&.exact_ns,
          turn_ns: @recording.quantiles(:lag, [0.5]).first || 0,
          max_ns: @recording.quantiles(:response, [1.0]).first, **open_loop }
      end

      # Counts of its connections: how many had a good response; the fewest and the most good
      # responses on one connection.
      #: () -> Hash[Symbol, Integer]
      def connections
        counts = @totals.slice(:served, :requests_min, :requests_max)
        counts[:served] < @asked ? { **counts, requests_min: 0 } : counts
      end

      private

      def open_loop
        return {} unless @open_loop

        { queued: @totals[:queued] + @recording.unsent_size,
          lag_ns: times(:lag), queue_ns: times(:queue) }
      end

      def times(kind) = SHARES.keys.zip(@recording.quantiles(kind, SHARES.values)).to_h
    end
  end
end

# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # Counts of a step again, from its records alone: what the core counted while it loaded.
    class Tally
      # Of the core's enum mohs_error: an answer came whole, right or wrong.
      ANSWERED = ["ok", "wrong_status", "wrong_length", "wrong_body"].freeze
      QUEUED = 32 # this flag: due when no connection was free
      SHARES = { p50: 0.5, p99: 0.99 }.freeze

      # `connections` asked for; `open_loop`: whether requests fell due by a schedule.
      #: (Load::Recording, connections: Integer, open_loop: bool) -> void
      def initialize(recording, connections:, open_loop:)
        @recording = recording
        @asked = connections
        @open_loop = open_loop
        @completed = @bytes = @latency_sum_ns = @queued = 0
        @answers = Hash.new(0)
        count
      end

      # Fields of a Load::StepResult.
      #: () -> Hash[Symbol, untyped]
      def to_h
        errors = @recording.errors
        { sent: @recording.size, completed: @completed, errors:, bytes: @bytes,
          good: @recording.size - errors.values.sum, latency_sum_ns: @latency_sum_ns,
          p50_ns: @recording.quantiles(:service, [0.5]).first,
          max_ns: @recording.quantiles(:response, [1.0]).first, **open_loop }
      end

      # Of its connections: how many had a good answer, the fewest and the most on one.
      #: () -> Hash[Symbol, Integer]
      def connections
        counts = @answers.values
        { served: counts.size, requests_min: counts.size < @asked ? 0 : counts.min || 0,
          requests_max: counts.max || 0 }
      end

      private

      def count
        answered = ANSWERED.map { |name| Core::ERRORS.index(name) }
        @recording.each_row do |fields|
          done, bytes, error, flags = fields.values_at(3, 4, 6, 7)
          @bytes += bytes
          @queued += 1 unless (flags & QUEUED).zero?
          @completed += 1 if answered.include?(error)
          good(done) if error.zero?
        end
      end

      def good(done)
        @latency_sum_ns += done & Recording::DONE_MASK
        @answers[done >> Recording::DONE_BITS] += 1
      end

      def open_loop
        return {} unless @open_loop

        { queued: @queued, lag_ns: times(:lag), queue_ns: times(:queue) }
      end

      def times(kind) = SHARES.keys.zip(@recording.quantiles(kind, SHARES.values)).to_h
    end
  end
end

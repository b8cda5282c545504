# frozen_string_literal: true

module Mohs
  module Analysis
    # A load in batches of as many requests, in the order in which these ended: how rate and
    # latencies changed meanwhile. One batch follows the other without a rest, and begins when the
    # last request of the one before has ended.
    class Batches
      # kind: of the latencies, as Load::Recording has them.
      #: (Mohs::Load::StepResult, Mohs::Load::Recording, kind: Symbol) -> void
      def initialize(step, recording, kind:)
        @recording = recording
        @kind = kind
        @started_ns = step.started_ns
      end

      # `batches` of docs/json.md, of so many requests each.
      #: (Integer) -> Array[Hash[Symbol, untyped]]
      def call(size)
        from_ns = @started_ns
        @recording.each_batch(size).map do |batch|
          to_ns = [batch.ended_ns, from_ns].max
          facts(batch, (to_ns - from_ns) / 1e9).tap { from_ns = to_ns }
        end
      end

      # [first, lowest, median, highest, last] of one figure of all batches; the middle three of
      # those that are known.
      #: (Array[Numeric?]) -> Array[Numeric?]
      def self.spread(values)
        known = values.compact
        median = Stats::Center.median(known) if known.any?
        [values.first, known.min, median, known.max, values.last]
      end

      private

      def facts(batch, seconds)
        { requests: batch.size, errors: batch.errors.values.sum, duration_s: seconds,
          answered_per_s: seconds.positive? ? batch.good / seconds : nil,
          latency_ms: Load.times_ms(batch, @kind, Load::OF_A_PART) }
      end
    end
  end
end

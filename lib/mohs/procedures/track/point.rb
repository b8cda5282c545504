# frozen_string_literal: true

module Mohs
  module Track
    # What a history records about a finished comparison (Store::Point).
    module Point
      module_function

      #: (Analysis::Run) -> Hash[Symbol, untyped]
      def of(measured)
        stored = measured.stored
        track = stored.study.track
        { run_id: stored.id, run: stored.key, at_ms: stored.created_ms,
          requested: Report::Subject.requested(stored.study),
          connections: stored.study.load_connections, effects: effects(measured.result),
          reason: reason(measured.result),
          **track.to_h.slice(:reference, :reference_id, :commit) }
      end

      def effects(comparison)
        return {} if comparison.verdict.outcome == :invalid

        known = comparison.gated_lines.select(&:effect)
        known.to_h do |line|
          [line.metric.key, [line.effect, line.low, line.high].map { |one| one && Math.log(one) }]
        end
      end

      def reason(comparison)
        verdict = comparison.verdict
        return unless verdict.outcome == :invalid

        Report::Render.verdict(verdict)[:reasons].first
      end

      private_class_method :effects, :reason
    end
  end
end

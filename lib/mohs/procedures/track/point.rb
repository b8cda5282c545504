# frozen_string_literal: true

module Mohs
  module Track
    # What a history records about a finished comparison (Store::Point).
    module Point
      module_function

      #: (Analysis::Run) -> Hash[Symbol, untyped]
      def of(measured)
        stored = measured.stored
        { run_id: stored.id, run: stored.key, at_ms: stored.created_ms,
          effects: effects(measured.result), reason: reason(measured.result),
          **Same.facts(stored.study),
          **stored.study.rules.question.history.to_h.slice(:reference, :commit) }
      end

      def effects(comparison)
        return {} if comparison.verdict.outcome == :invalid

        known = comparison.latest_lines.select(&:effect)
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

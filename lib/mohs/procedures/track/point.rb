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
          effects: effects(measured.result), finding: finding(measured.result),
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

      # Why a stored point has no effects, in words; nil if it has.
      #: (Store::Point) -> String?
      def reason(point)
        return unless point.finding

        code, values = point.finding.values_at(:code, :values)
        reason = Reason.restore(values[:reason], nil)
        Report::Render.text(code, **values, **(reason ? { reason: } : {}))
      end

      def finding(comparison)
        verdict = comparison.verdict
        return unless verdict.outcome == :invalid

        finding = verdict.findings.first
        reason = finding.values[:reason]&.to_h
        { code: finding.code, values: { **finding.values, **(reason ? { reason: } : {}) } }
      end

      private_class_method :effects, :finding
    end
  end
end

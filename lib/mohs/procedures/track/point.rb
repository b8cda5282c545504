# frozen_string_literal: true

module Mohs
  module Track
    # One measurement of a history: `run` is its key; `at_ms` when it began; `reference` what it was
    # measured against, as typed, and `reference_id` the same with the id of its commit;
    # `requested`, `connections` of its load, and `load_id`, a digest of all of it, by which loads
    # are compared; `commit` { id:, short:, date:, title:, changes: } of the application, nil
    # without git; `effects` { metric's key => [log of the ratio to the reference, its low end, its
    # high end] }, better is bigger, the ends nil if unknown; `biases` { the same key => [below,
    # above] }, how far this logarithm may be off because of a server that may still get faster or
    # that took from the other, {} from an earlier mohs; `finding` { code:, values: } why there are
    # no effects, nil if there are.
    class Point < Struct.new(:id, :track, :run, :run_id, :at_ms, :reference, :reference_id,
                             :requested, :connections, :load_id, :commit, :effects, :biases,
                             :finding, keyword_init: true)
      include Store::Record
      extend Store::Record::Members

      EMPTY = { requested: [].freeze, effects: {}.freeze, biases: {}.freeze }.freeze

      class << self
        # rows: of Store#points.
        #: (Array[Hash[Symbol, untyped]]) -> Array[Track::Point]
        def all(rows) = rows.map { |row| of(row) }

        # What a history records about a finished comparison (Store#add_point).
        #: (Analysis::Run) -> Hash[Symbol, untyped]
        def record(measured)
          stored = measured.stored
          { run_id: stored.id, run: stored.key, at_ms: stored.created_ms,
            effects: effects(measured.result), biases: biases(measured.result),
            finding: finding_of(measured.result),
            **Same.facts(stored.study),
            **stored.study.rules.question.history.to_h.slice(:reference, :commit) }
        end

        private

        def effects(comparison)
          lines(comparison).to_h do |line|
            [line.metric.key,
             [line.effect, line.low, line.high].map { |one| one && Math.log(one) }]
          end
        end

        # Without that of an adjustment, which differs from point to point as the host does.
        def biases(comparison)
          look = comparison.looks.last or return {}
          lines(comparison).to_h do |line|
            [line.metric.key, look.own_bias(line.metric).to_a]
          end
        end

        def lines(comparison)
          return [] if comparison.verdict.outcome == :invalid

          comparison.latest_lines.select(&:effect)
        end

        def finding_of(comparison)
          verdict = comparison.verdict
          return unless verdict.outcome == :invalid

          finding = verdict.findings.first
          reason = finding.values[:reason]&.to_h
          { code: finding.code, values: { **finding.values, **(reason ? { reason: } : {}) } }
        end
      end

      # How far its ratio in a metric may be off.
      #: (Analysis::Metric) -> Stats::Bias
      def bias(metric)
        below, above = biases.fetch(metric.key, [0.0, 0.0])
        Stats::Bias.new(below:, above:)
      end

      # Why it has no effects, in words; nil if it has.
      #: () -> String?
      def reason
        return unless finding

        code, values = finding.values_at(:code, :values)
        reason = Reason.restore(values[:reason], nil)
        Report::Render.text(code, **values, **(reason ? { reason: } : {}))
      end
    end
  end
end

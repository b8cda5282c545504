# frozen_string_literal: true

module Mohs
  module Report
    # The document of docs/json.md, command `import`, for results of other tools. Pure.
    class ImportModel
      #: (Analysis::Imports) -> Hash[Symbol, untyped]
      def self.document(imports) = new(imports).document

      #: (Analysis::Imports) -> void
      def initialize(imports)
        @imports = imports
      end

      #: () -> Hash[Symbol, untyped]
      def document
        fields = { files:, baseline: (@imports.baseline if @imports.comparisons.any?),
                   rows: @imports.rows.map { |row| row(row) },
                   comparisons: @imports.comparisons.map { |one| comparison(one) },
                   alpha: (@imports.alpha if @imports.comparisons.any?),
                   notes: @imports.notes.map { |finding| text(finding) } }
        { sentence: Headline::Imports.new(fields).to_s, **fields }
      end

      private

      def files
        @imports.samples.group_by(&:file).map do |file, samples|
          { file:, format: samples.first.format, variants: samples.map(&:variant).uniq,
            runs: samples.size }
        end
      end

      def row(row)
        { variant: row.variant, benchmark: row.benchmark, runs: row.samples.size,
          measure: measure(row.measure, row.estimate), throughput_per_s: rate(row),
          requests: row.total(:requests), good: row.total(:good),
          errors: { total: row.errors.values.sum, by_class: row.errors },
          seconds: row.total(:seconds), latency_ms: row.latency_ms,
          lacks: row.lacks.map { |finding| text(finding) } }
      end

      def measure(measure, estimate)
        { name: measure.name, unit: measure.unit, better: better(measure),
          **estimate.to_h.slice(:value, :low, :high) }
      end

      def better(measure) = measure.more ? "more" : "less"

      def rate(row)
        found = row.estimate if row.measure == Analysis::Imports::RATE
        { value: found&.value, low: found&.low, high: found&.high }
      end

      def comparison(one)
        verdict = Render.verdict(one.verdict)
        { variant: one.variant, benchmark: one.benchmark, against: one.verdict.against,
          metric: one.measure.name, runs: one.runs,
          **verdict.slice(:outcome, :effect, :interval, :margin, :text, :reasons),
          latency: one.ratios.filter_map { |name, ratio| ratio(name, ratio) } }
      end

      def ratio(name, ratio)
        return unless ratio.value

        { metric: name.to_s, effect: ratio.value, interval: ratio.low && [ratio.low, ratio.high] }
      end

      def text(finding)
        { code: finding.code, values: finding.values, text: Render.call(finding) }
      end
    end
  end
end

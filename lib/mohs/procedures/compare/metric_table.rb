# frozen_string_literal: true

module Mohs
  module Compare
    # The table of two variants' metrics, B against A, from the document of a comparison, or from
    # another with the same keys.
    class MetricTable
      include Report::Views::Cells

      # The value of one side alone would hide the other's errors. Metric and verdict always stay.
      LEAST_FIRST = [%i[a b], %i[interval], %i[change]].freeze
      UNTESTED = "not tested"
      NO_VERDICT = "no verdict"

      # A metric's value with its unit; a dash if there is none.
      #: (String, Numeric?) -> String
      def self.value(metric, value)
        return Report::Numbers::NONE unless value

        known = Analysis::Metric.named(metric)
        [Report::Numbers.figure(known ? known.shown(value) : value), *known&.unit].join(" ")
      end

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @document = document
      end

      # above: lines above it. reasons: whether a metric without a verdict says why; a screen has
      # no room for that.
      #: (?above: Array[String], ?reasons: bool) -> Report::View::Table
      def to_table(above: [], reasons: false)
        table(:metrics, columns, [*shown.map { |one| row(one, reasons:) }, errors],
              least_first: LEAST_FIRST, above:)
      end

      # The metrics, with the tail after the median.
      #: () -> Array[Hash[Symbol, untyped]]
      def shown
        metrics = @document[:metrics].reject { |one| one[:name] == @document[:tail][:name] }
        medians = ["p50", *Analysis::Metric::TIMED.map(&:name)]
        at = metrics.index { |one| medians.include?(one[:name]) }
        metrics.insert(at + 1, @document[:tail])
      end

      # The metric of one side, :a or :b; for a latency that can't be compared, that of the
      # variant's row.
      #: (Hash[Symbol, untyped], Symbol) -> Report::View::Cell
      def cell_of(metric, side)
        value = Report::Unit.value(@document, metric, metric[side]) ||
                row_of(@document[side])&.dig(:latency_ms, metric[:name].to_sym)
        cell(self.class.value(metric[:name], value), value:)
      end

      # Whether a metric has figures without a verdict.
      #: (Hash[Symbol, untyped]) -> bool
      def untested?(metric)
        !metric[:missing].nil? && %i[a b].any? { |side| cell_of(metric, side).value }
      end

      # The row of a variant; nil for one that was not booted.
      #: (String) -> Hash[Symbol, untyped]?
      def row_of(name) = @document[:rows].find { |row| row[:variant] == name }

      private

      def columns
        [column(:metric, "metric"), column(:a, "A"), column(:b, "B"),
         column(:change, "B against A"), column(:interval, "", name: "interval"),
         column(:verdict, "", name: "verdict")]
      end

      def row(metric, reasons:)
        a, b = %i[a b].map { |side| cell_of(metric, side) }
        cells = { metric: cell(Report::Unit.title(@document, metric)), a:, b:, **against(metric) }
        return { **cells, verdict: mark(metric) } unless metric[:missing]
        return { **cells, verdict: cell(metric[:missing]) } if reasons

        { **cells, verdict: cell(untested?(metric) ? UNTESTED : "") }
      end

      def mark(metric)
        return cell(NO_VERDICT) if Document.invalid?(@document) && metric[:mark]

        cell(metric[:mark], tone: Tones::MARKS[metric[:mark]])
      end

      # "+33.1 %", "[31.8, 34.3]".
      def against(metric)
        return { change: cell(Report::Numbers::NONE) } unless metric[:effect]

        change = Report::Change.equal(metric, better: metric[:better])
        { change: cell(change.signed, value: metric[:effect]), interval: cell(change.interval) }
      end

      def errors
        a, b = %i[a b].map { |side| row_of(@document[side])&.fetch(:errors) }
        outcome = b&.fetch(:outcome)
        { metric: cell("errors"), a: cell(error_text(a)), b: cell(error_text(b)),
          verdict: cell(outcome, tone: Tones::MARKS[outcome]) }
      end

      def error_text(errors)
        return Report::Numbers::NONE unless errors
        return "0" if errors[:total].zero?

        "#{Report::Numbers.whole(errors[:total])} (#{Report::Numbers.percent(errors[:share])})"
      end
    end
  end
end

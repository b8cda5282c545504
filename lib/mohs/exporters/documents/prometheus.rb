# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # Prometheus's text exposition format 0.0.4, for the textfile collector of node_exporter and
      # for a Pushgateway: gauges in base units. Without timestamps, which neither of them accepts;
      # the time when the run ended is a gauge of its own.
      class Prometheus < Base
        HELP = "Prometheus text format 0.0.4"
        MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
        ENDINGS = %w[.prom].freeze

        # mohs's unit => [Prometheus's unit, the number of mohs's units in one of them].
        UNITS = { "ms" => ["seconds", 1000.0], "us" => ["seconds", 1_000_000.0],
                  "bytes" => ["bytes", 1], "share" => ["ratio", 1],
                  "requests/s" => ["requests_per_second", 1],
                  "jobs/s" => ["per_second", 1] }.freeze
        # Part of a figure => [suffix of the name, end of the help].
        BOUNDS = { value: ["", "."], low: ["_low", ": low end of the interval."],
                   high: ["_high", ": high end of the interval."] }.freeze
        EFFECT = BOUNDS.transform_keys(value: :effect, low: :effect_low, high: :effect_high).freeze
        SIGNS = { "\\" => "\\\\", "\"" => "\\\"", "\n" => "\\n" }.freeze

        #: () -> Array[String]
        def self.kinds = Documents.of_variants | Figures.kinds(&:series?)

        private

        def text(document)
          figures = Figures.of(document)
          labels = labels(document)
          [*info(document, labels), *values(figures, labels), *effects(figures, labels),
           *verdicts(figures, labels)].join
        end

        # Labels of every line, in addition to the variant.
        def labels(document)
          { app: document[:app] || document[:server],
            request: Report::Subject.requests(document[:requested].to_a) }.compact
        end

        def info(document, labels)
          ended_ms = document[:finished_ms]
          facts = { **labels, run: document[:run], command: document[:command],
                    version: document[:mohs] }.compact
          [family("mohs_run_info", "what was measured.", [[facts, 1]]),
           *(ended_ms && family("mohs_run_finished_timestamp_seconds", "when the run ended.",
                                [[labels, ended_ms / 1000.0]]))]
        end

        def values(figures, labels)
          figures.group_by(&:metric).flat_map do |metric, same|
            unit, scale = UNITS.fetch(metric.unit) { [nil, 1] }
            BOUNDS.filter_map do |bound, (ending, help)|
              family("mohs_#{name(metric, unit)}#{ending}", "#{metric.title}#{help}",
                     samples(same, labels) { |one| scaled(one[bound], scale) })
            end
          end
        end

        def scaled(value, scale) = value && Figures.rounded(value / scale)

        def name(metric, unit) = [metric.name, *unit].join("_")

        def samples(figures, labels)
          figures.filter_map do |figure|
            value = yield figure
            [{ **labels, variant: figure.variant }.compact, value] if value
          end
        end

        def effects(figures, labels)
          EFFECT.filter_map do |part, (ending, help)|
            found = figures.select(&part).map { |one| [of(one, labels), one[part]] }
            family("mohs_effect_ratio#{ending}", "ratio to the baseline, better is bigger#{help}",
                   found)
          end
        end

        def verdicts(figures, labels)
          found = figures.select(&:verdict).map do |one|
            [{ **of(one, labels), verdict: one.verdict }, 1]
          end
          [*family("mohs_verdict", "verdict of the comparison with the baseline.", found)]
        end

        def of(figure, labels)
          { **labels, variant: figure.variant, metric: figure.metric.name,
                      baseline: figure.baseline }.compact
        end

        # nil if there are no samples: an empty family is of no use.
        def family(name, help, samples)
          return if samples.empty?

          lines = samples.map { |labels, value| "#{name}#{written(labels)} #{value}\n" }
          "# HELP #{name} #{help}\n# TYPE #{name} gauge\n#{lines.join}"
        end

        def written(labels)
          return "" if labels.empty?

          pairs = labels.map do |name, value|
            "#{name}=\"#{Printable.call(value.to_s).gsub(/[\\"\n]/, SIGNS)}\""
          end
          "{#{pairs.join(',')}}"
        end
      end
    end
  end
end

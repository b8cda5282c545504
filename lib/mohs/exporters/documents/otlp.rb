# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # OTLP/JSON: an ExportMetricsServiceRequest with a gauge for each metric, for POST /v1/metrics
      # of an OpenTelemetry collector (OTLP 1.x, JSON Protobuf Encoding: 64-bit integers are
      # strings).
      class Otlp < Base
        HELP = "OTLP/JSON metrics, for OpenTelemetry"
        MEDIA_TYPE = "application/json"
        ENDINGS = %w[.otlp.json].freeze

        # Units in UCUM, as OpenTelemetry's conventions require; others become annotations.
        UNITS = { "bytes" => "By", "share" => "1", "ms" => "ms", "us" => "us",
                  "requests/s" => "{request}/s", "jobs/s" => "{job}/s" }.freeze
        BOUNDS = { value: "", low: ".low", high: ".high" }.freeze
        EFFECT = { effect: "", effect_low: ".low", effect_high: ".high" }.freeze

        #: () -> Array[String]
        def self.kinds = Prometheus.kinds

        private

        def text(document)
          figures = Figures.of(document)
          @time = ((document[:finished_ms] || 0) * 1_000_000).to_s # 0: unknown
          metrics = [info(document), *gauges(figures), *effects(figures), *verdicts(figures)]
          scope = { name: "mohs", version: document[:mohs] }
          JsonText.pretty(resourceMetrics: [{ resource: { attributes: resource(document) },
                                              scopeMetrics: [{ scope:, metrics: }] }])
        end

        # The resource identifies the series across runs, so it has nothing that differs between
        # runs.
        def resource(document)
          attributes("service.name" => document[:app] || document[:server] || "mohs",
                     "mohs.request" => Report::Subject.requests(document[:requested].to_a))
        end

        def info(document)
          facts = { "mohs.run" => document[:run], "mohs.command" => document[:command] }
          gauge("mohs.run", "what was measured", "1", [point(1, facts)])
        end

        def gauges(figures)
          figures.group_by(&:metric).flat_map do |metric, same|
            BOUNDS.filter_map do |bound, ending|
              points = same.select(&bound).map do |one|
                point(one[bound], { "mohs.variant" => one.variant })
              end
              gauge("mohs.#{metric.name}#{ending}", metric.title,
                    UNITS.fetch(metric.unit) { |other| "{#{other}}" }, points)
            end
          end
        end

        def effects(figures)
          EFFECT.filter_map do |part, ending|
            points = figures.select(&part).map { |one| point(one[part], compared(one)) }
            gauge("mohs.effect#{ending}", "ratio to the baseline, better is bigger", "1", points)
          end
        end

        def verdicts(figures)
          points = figures.select(&:verdict).map do |one|
            point(1, { **compared(one), "mohs.verdict" => one.verdict })
          end
          title = "verdict of the comparison with the baseline"
          [gauge("mohs.verdict", title, "1", points)].compact
        end

        def compared(figure)
          { "mohs.variant" => figure.variant, "mohs.metric" => figure.metric.name,
            "mohs.baseline" => figure.baseline }
        end

        # nil if there are no points to send.
        def gauge(name, description, unit, points)
          { name:, description:, unit:, gauge: { dataPoints: points } } if points.any?
        end

        def point(value, facts)
          { timeUnixNano: @time, asDouble: value, attributes: attributes(facts) }
        end

        def attributes(facts)
          facts.compact.map do |key, value|
            { key:, value: { stringValue: Printable.call(value.to_s) } }
          end
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # Bencher Metric Format (bencher.dev/docs/reference/bencher-metric-format): a benchmark for
      # each variant, a measure for each of its figures. Times are in nanoseconds, as in Bencher's
      # own measure Latency.
      class Bencher < Base
        HELP = "Bencher Metric Format"
        MEDIA_TYPE = "application/json"
        ENDINGS = %w[.bencher.json].freeze

        # Most characters of a benchmark's name.
        LONGEST = 1024
        NANOSECONDS = { "ms" => 1_000_000, "us" => 1000 }.freeze

        #: () -> Array[String]
        def self.kinds = Documents.of_variants

        private

        def text(document)
          known = Figures.of(document).select(&:value).group_by(&:variant)
          JsonText.pretty(known.to_h { |variant, all| [name(document, variant), measures(all)] })
        end

        def name(document, variant) = Printable.cut(benchmark(document, variant), LONGEST)

        def measures(figures)
          figures.to_h { |figure| [figure.metric.name.tr("_", "-"), values(figure)] }
        end

        def values(figure)
          scale = NANOSECONDS.fetch(figure.metric.unit, 1)
          { value: figure.value, lower_value: figure.low, upper_value: figure.high }
            .compact.transform_values { |value| Figures.rounded(value * scale) }
        end
      end
    end
  end
end

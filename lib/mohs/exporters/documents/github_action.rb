# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # Input of benchmark-action/github-action-benchmark with its tool customBiggerIsBetter: the
      # figures for which more is better. Each file has one direction, so the other figures are in
      # GithubActionSmaller.
      class GithubAction < Base
        HELP = "rates for github-action-benchmark"
        MEDIA_TYPE = "application/json"
        ENDINGS = %w[.github.json].freeze
        BETTER = "more"
        # Significant digits in texts.
        DIGITS = 4

        #: () -> Array[String]
        def self.kinds = Documents.of_variants

        private

        def text(document)
          figures = Figures.of(document).select do |figure|
            figure.value && figure.metric.better == self.class::BETTER
          end
          JsonText.pretty(figures.map { |figure| entry(document, figure) })
        end

        def entry(document, figure)
          metric = figure.metric
          { name: "#{benchmark(document, figure.variant)}, #{metric.name.tr('_', ' ')}",
            unit: metric.unit, value: figure.value, range: range(figure), extra: extra(figure) }
            .compact
        end

        # Half of the interval, which the charts print after the value.
        def range(figure)
          low, high = figure.low, figure.high
          "± #{Figures.rounded((high - low) / 2.0, DIGITS)}" if low && high
        end

        def extra(figure)
          return unless figure.effect

          ratio, *ends = [figure.effect, figure.effect_low, figure.effect_high]
                         .map { |one| one && Figures.rounded(one, DIGITS) }
          ["#{figure.verdict}, x #{ratio}", *Report::Numbers.bracket(*ends), "against",
           figure.baseline].join(" ")
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # The latency of each variant at every percentile; without curves, at the percentiles of its
      # row.
      class Percentiles < Base
        KEY = "percentiles"
        TITLE = "Latency by percentile"
        HOW = "Read upwards at a percentile: the lower the line, the faster. Each step to the " \
              "right leaves a tenth as many slower requests, so the tail has as much room as the " \
              "median; both axes are logarithmic. A line ends where too few requests are slower " \
              "to go on, where waits for a thread are longer than a slice, or where all slower " \
              "ones had no correct response: such a line ends early, and is not the faster for it."
        HEIGHT = 300
        # Percentiles of a row. Its maximum is left out, as it has no place on the axis.
        OF_ROW = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999 }.freeze
        # Percentiles that have marks and ticks.
        TICKS = { 0.0 => "fastest", 0.5 => "p50", 0.9 => "p90", 0.99 => "p99", 0.999 => "p99.9",
                  0.9999 => "p99.99", 0.99999 => "p99.999" }.freeze

        private

        def any? = lines.any? { |line| line[:points].size > 1 }

        def parts = [picture, details]

        # [{ name:, points: [[share, ms]] }], in the order of the variants.
        def lines
          @lines ||= (curved? ? of_curves : of_rows).select { |line| line[:points].any? }
        end

        def curved? = curves.any? { |one| one[:percentiles_ms].to_a.size > 1 }

        def of_curves
          curves.map do |one|
            points = @document.dig(:curves, :shares).zip(one[:percentiles_ms])
            { name: one[:variant], points: points.select { |_, ms| ms&.positive? } }
          end
        end

        def of_rows
          sources.map do |name, latency|
            points = OF_ROW.map { |key, share| [share, latency.to_h[key]] }
            { name:, points: points.select { |_, ms| ms&.positive? } }
          end
        end

        # [[name, its latencies], ...]
        def sources = measured.map { |row| [row[:variant], row[:latency_ms]] }

        def picture
          points = lines.flat_map { |line| line[:points] }
          across = Parts::Axis.new(values: points.map { |share, _| place(share) },
                                   ticks: TICKS.transform_keys { |share| place(share) })
          down = Parts::Axis.new(values: points.map(&:last), unit: :ms, ticks: 7, log: true)
          Parts::Chart.new(key: "plot", title: "Latency by percentile", height: HEIGHT,
                           text: lines.map { |line| summary(line) }.join("; "), across:, down:,
                           lines: lines.map { |line| curve(line) },
                           marks: lines.flat_map { |line| marks(line) })
        end

        # log10(n) where one request in n is slower.
        def place(share) = -Math.log10(1 - share)

        def curve(line)
          points = line[:points].map { |share, ms| [place(share), ms] }
          Parts::Line.new(points:, name: line[:name], series: number(line[:name]))
        end

        def marks(line)
          marked(line).map do |share, ms|
            text = "#{line[:name]}: #{TICKS.fetch(known(share))} #{Numbers.figure(ms)} ms"
            Parts::Mark.new(x: place(share), y: ms, series: number(line[:name]), small: true, text:)
          end
        end

        # The points at ticks. Shares are sums of rounded powers, so the nearest tick counts.
        def marked(line) = line[:points].select { |share, _| known(share) }

        def known(share) = TICKS.keys.find { |one| (place(one) - place(share)).abs < 0.02 }

        def summary(line)
          figures = marked(line).map do |share, ms|
            "#{TICKS.fetch(known(share))} #{Numbers.figure(ms)} ms"
          end
          "#{line[:name]}: #{figures.join(', ')}"
        end

        def details
          return unless curved?

          shares = TICKS.keys.select { |share| lines.any? { |line| at(line, share) } }
          rows = lines.map do |line|
            [line[:name], *shares.map { |share| Numbers.figure(at(line, share)) }]
          end
          folded("Figures", listed("Latency in ms at each percentile, the median of the boots",
                                   ["variant", *TICKS.values_at(*shares)], rows))
        end

        def at(line, share) = line[:points].find { |one, _| known(one) == share }&.last
      end
    end
  end
end

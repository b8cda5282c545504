# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The latency of each variant at every percentile; without curves, at the percentiles of its
      # row.
      class Percentiles < Section
        ID = "percentiles"
        TITLE = "Latency by percentile"
        HOW = "Read upwards at a percentile: the lower the line, the faster. Each step to the " \
              "right leaves a tenth as many slower requests, so the tail has as much room as the " \
              "median; both axes are logarithmic. A line ends where too few requests are slower " \
              "to go on, where waits for a thread are longer than a slice, or where all slower " \
              "ones had no correct response: such a line ends early, and is not the faster for it."
        HEIGHT = 300
        BOTTOM = 268
        # Percentiles of a row. Its maximum is left out, as it has no place on the axis.
        OF_ROW = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999 }.freeze
        # Percentiles that have marks and ticks.
        TICKS = { 0.0 => "fastest", 0.5 => "p50", 0.9 => "p90", 0.99 => "p99", 0.999 => "p99.9",
                  0.9999 => "p99.99", 0.99999 => "p99.999" }.freeze

        #: () -> bool
        def any? = kind::ALIKE && lines.any? { |line| line[:points].size > 1 }

        #: () -> untyped
        def content = [picture, legend(lines), details]

        private

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

        def sources
          return [[@document[:server], @document[:latency_ms]]] if @document[:server]

          measured.map { |row| [row[:variant], row[:latency_ms]] }
        end

        def across
          places = all_points.map { |share, _| place(share) }
          @across ||= Scale.linear(places).indented
        end

        # log10(n) where one request in n is slower.
        def place(share) = -Math.log10(1 - share)

        def down = @down ||= Scale.log(all_points.map(&:last))

        def all_points = lines.flat_map { |line| line[:points] }

        def y(ms) = down.y(ms, BOTTOM)

        def picture
          plot = plot("plot", title: "Latency by percentile", height: HEIGHT,
                              text: lines.map { |line| summary(line) }.join("; "))
          plot.down(down, down.ticks(7), 0, BOTTOM) { |tick| "#{Plot.tick(tick)} ms" }
          ticks = TICKS.transform_keys { |share| place(share) }.select { |at, _| across.cover?(at) }
          plot.across(across, ticks.keys, 0, BOTTOM) { |at| ticks.fetch(at) }
          plot.curves(lines.map { |line| [points(line), Plot.series(number(line[:name]))] })
          lines.each { |line| marks(plot, line, number(line[:name])) }
          plot.to_element
        end

        def points(line) = line[:points].map { |share, ms| [across.at(place(share)), y(ms)] }

        def marks(plot, line, at)
          marked(line).each do |share, ms|
            plot.mark(across.at(place(share)), y(ms), Plot.shape(at), "small #{Plot.series(at)}",
                      "#{line[:name]}: #{TICKS.fetch(known(share))} #{Numbers.figure(ms)} ms")
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
          folded("Figures", table("Latency in ms at each percentile, the median of the boots",
                                  ["variant", *TICKS.values_at(*shares)], rows))
        end

        def at(line, share) = line[:points].find { |one, _| known(one) == share }&.last
      end
    end
  end
end

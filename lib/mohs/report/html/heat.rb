# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The latencies of each variant over time, drawn as shaded cells.
      class Heat < Section
        ID = "time"
        TITLE = "Latency over time"
        HOW = "The load runs from left to right, boot after boot between the dashed lines, " \
              "without its pauses and warm-up; latency grows upwards. The darker a cell, the " \
              "more requests of its column are in it. A steady server has one even band; drift, " \
              "pauses and a server that was not warm yet show as slopes, gaps and steps. " \
              "Crosses at the top are requests without a correct response."
        # Shares of a column's requests at which a cell's shades begin.
        SHADES = [0.0, 0.003, 0.03, 0.12, 0.3].freeze
        ROW = 6
        TOP = 24
        AXIS = 8
        HEAD = ["variant", "boot", "correct", "without a correct response", "from and to"].freeze
        # Per cent of the width that the labels take.
        LEFT = 10

        #: () -> bool
        def any? = shown.any?

        #: () -> untyped
        def content
          pictures = shown.each_with_index.map { |one, at| picture(one, at) }
          [element(:div, pictures, class: "panels"), figures]
        end

        private

        def shown = @shown ||= curves.select { |one| one[:counts].to_a.flatten.any?(&:positive?) }

        # In ms: where each row begins, and where the last one ends.
        def edges
          @edges ||= @document.dig(:curves, :from_ms).then do |from|
            [*from, from.last * (from.size > 1 ? from[1] / from[0] : 1.26)]
          end
        end

        def count = edges.size - 1

        def tall = count * ROW

        def picture(one, at)
          columns = one[:counts].size
          plot = plot(at.to_s, title: "Latency of #{one[:variant]} over time", text: words(one),
                               height: TOP + tall + AXIS)
          plot.name(0, 14, one[:variant])
          plot.text(100, 14, caption(one), anchor: "end", kind: "value")
          plot.stretched(cells(one), view: "0 0 #{columns} #{count}", y: TOP, height: tall,
                         from: LEFT, kind: "heat")
          boots(plot, one, columns)
          ticks(plot)
          plot.to_element
        end

        # A table of the boots shown in the pictures.
        def figures
          rows = shown.flat_map do |one|
            ends = [*one[:starts].drop(1), one[:counts].size]
            one[:starts].zip(ends).map.with_index(1) { |(from, to), at| boot(one, at, from...to) }
          end
          folded("Figures", table("Requests of each boot, and their latencies", HEAD, rows))
        end

        def boot(one, number, columns)
          failed = one[:unanswered][columns].sum
          totals = one[:counts][columns].transpose.map(&:sum)
          [one[:variant], number.to_s, [Numbers.whole(totals.sum), totals.sum],
           [Numbers.whole(failed), failed], range(totals)]
        end

        # "0.5 to 12.6 ms", the range of the rows that have requests; "" if none has.
        def range(totals)
          used = totals.each_index.select { |row| totals[row].positive? }
          return "" if used.empty?

          ends = [edges[used.first], edges[used.last + 1]].map { |ms| Numbers.figure(ms) }
          "#{ends.join(' to ')} ms"
        end

        def caption(one)
          boots = one[:boots].to_a.size
          drawn = one[:starts].to_a.size
          return one[:kind] + " times" if boots.zero?

          of = " of #{boots}" if drawn < boots
          "#{Numbers.counted(drawn, 'boot')}#{of}, #{one[:kind]} times"
        end

        def words(one)
          failed = one[:unanswered].sum
          [range(one[:counts].transpose.map(&:sum)), *(unanswered(failed) if failed.positive?)]
            .join(", ")
        end

        # One path for each shade; neighbouring cells in a row become one rectangle.
        def cells(one)
          all = one[:counts].map(&:sum)
          paths = Hash.new { |found, shade| found[shade] = +"" }
          one[:counts].transpose.each_with_index do |cells, row|
            shades = cells.zip(all).map { |cell, total| shade(cell, total) }
            runs(shades).each do |shade, from, length|
              paths[shade] << "M#{from} #{count - 1 - row}h#{length}v1h-#{length}z"
            end
          end
          paths.sort.map { |shade, d| element(:path, d:, class: "h#{shade}") }
        end

        # nil: an empty cell.
        def shade(cell, all)
          SHADES.rindex { |least| cell.fdiv(all) >= least } if cell.positive?
        end

        # [[shade, from, length], ...] without empty cells.
        def runs(shades)
          at = 0
          found = shades.chunk_while { |one, other| one == other }.map do |same|
            [same.first, (at += same.size) - same.size, same.size]
          end
          found.select(&:first)
        end

        def boots(plot, one, columns)
          one[:starts].to_a.drop(1).each do |start|
            x = across(start.fdiv(columns))
            plot.line(x, TOP, x, TOP + tall, "boot")
          end
          one[:unanswered].each_with_index do |failed, column|
            next unless failed.positive?

            x = across((column + 0.5) / columns)
            plot.mark(x, TOP + 2, :cross, "o-worse", unanswered(failed))
          end
        end

        def unanswered(count)
          "#{Numbers.counted(count, 'request')} without a correct response"
        end

        def across(share) = (LEFT + (share * (100 - LEFT))).round(2)

        # Powers of ten, or round values if there are too few of them.
        def ticks(plot)
          scale = Scale.new(edges.first, edges.last, log: true)
          scale.ticks(4).each do |ms|
            share = Math.log(ms / edges.first) / Math.log(edges.last / edges.first)
            y = (TOP + (tall * (1 - share))).round(1)
            plot.line(LEFT, y, 100, y, "grid over")
            plot.text(0, y + 4, "#{Plot.tick(ms)} ms", kind: "tick")
          end
        end
      end
    end
  end
end

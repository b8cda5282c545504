# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # Draws latencies over time as shaded cells, a picture for each variant.
      class Heat
        # Shares of a column's requests at which a cell's shades begin.
        SHADES = [0.0, 0.003, 0.03, 0.12, 0.3].freeze
        ROW = 6
        TOP = 24
        AXIS = 8
        # Per cent of the width that the labels take.
        LEFT = 10

        #: (View::Section::Heat, id: String) -> void
        def initialize(heat, id:)
          @edges = heat.edges_ms
          @panels = heat.panels
          @id = id
        end

        #: () -> Markup::Element
        def to_element
          pictures = @panels.each_with_index.map { |one, at| picture(one, at) }
          element(:div, pictures, class: "panels")
        end

        private

        def element(...) = Markup.element(...)

        def count = @edges.size - 1

        def tall = count * ROW

        def picture(one, at)
          columns = one[:counts].size
          plot = Plot.new("#{@id}-#{at}", title: one[:title], text: one[:text],
                                          height: TOP + tall + AXIS)
          plot.name(0, 14, one[:name])
          plot.text(100, 14, one[:caption], anchor: "end", kind: "value")
          plot.stretched(cells(one), view: "0 0 #{columns} #{count}", y: TOP, height: tall,
                         from: LEFT, kind: "heat")
          boots(plot, one, columns)
          ticks(plot)
          plot.to_element
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
          one[:starts].drop(1).each do |start|
            x = across(start.fdiv(columns))
            plot.line(x, TOP, x, TOP + tall, "boot")
          end
          one[:unanswered].each_with_index do |failed, column|
            next unless failed.positive?

            plot.mark(across((column + 0.5) / columns), TOP + 2, :cross, Markup.tone(:bad),
                      "#{Numbers.counted(failed, 'request')} without a correct response")
          end
        end

        def across(share) = (LEFT + (share * (100 - LEFT))).round(2)

        # Powers of ten, or round values if there are too few of them.
        def ticks(plot)
          scale = Scale.new(@edges.first, @edges.last, log: true)
          scale.ticks(4).each do |ms|
            share = Math.log(ms / @edges.first) / Math.log(@edges.last / @edges.first)
            y = (TOP + (tall * (1 - share))).round(1)
            plot.line(LEFT, y, 100, y, "grid over")
            plot.text(0, y + 4, Ticks.text(:ms, ms), kind: "tick")
          end
        end
      end
    end
  end
end

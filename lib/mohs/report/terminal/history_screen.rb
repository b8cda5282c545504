# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs history NAME` for people: the answer, the points as a picture, each
      # change with where it happened.
      class HistoryScreen < Screen
        HEAD = ["changed between", "and", "", "interval", "points"].freeze

        #: () -> String
        def to_s
          lines = [*legend, *remarks].map { |line| @style.named(*line) }
          table = Columns.new(cells).to_s.chomp if cells.any?
          paragraphs(head, plot, *table, lines.join("\n"))
        end

        # Its changes, the newest first.
        #: () -> Array[Array[String]]
        def cells
          rows = @document[:changes].reverse.map { |change| row(change) }
          rows.any? ? [HEAD, *rows] : []
        end

        #: () -> Array[[String, String]]
        def remarks = [against, *without, newest].compact

        private

        def better = @document[:metric][:better]

        def line = @line ||= HistoryLine.new(@document)

        def kept = line.kept

        def plot
          return if kept.empty?

          label = ->(value) { format("%+.1f %%", value) }
          HistoryPlot.new(line.values, stretches: line.stretches, changes: line.firsts, label:,
                                       style: @style).lines.join("\n")
        end

        def row(change)
          shown = Change.new(change, better:)
          [place(change[:from]), place(change[:to]), shown.signed, shown.interval.to_s,
           change[:points].join(" + ")]
        end

        def place(one)
          commit = one[:commit] or return time(one[:at_ms])
          "#{commit[:short]} (#{commit[:date]})"
        end

        def time(at_ms) = Time.at(at_ms / 1000).strftime("%Y-%m-%d %H:%M")

        # What the picture shows.
        def legend
          return [] if kept.empty?

          [["picture", "#{HistoryPlot::POINT} a point, #{HistoryPlot::LINE} the mean between " \
                       "changes, #{HistoryPlot::CHANGE} a change; up is " \
                       "#{better == 'more' ? 'better' : 'worse'}"]]
        end

        def against
          title, reference = @document[:metric][:title], @document[:reference]
          ["points", "#{title} against #{reference}, measured in the same session"] if kept.any?
        end

        def without
          left = @document[:points].reject { |point| point[:effect] }
          left.last(2).map { |point| ["without", "run #{point[:run]}: #{point[:reason]}"] }
        end

        def newest
          point = @document[:points].last or return
          ["newest", "run #{point[:run]}, #{time(point[:at_ms])} · mohs show #{point[:run]}"]
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs history NAME` for people: the answer, the points as a plot, each
      # change with its place.
      class HistoryScreen < Screen
        HEAD = ["changed between", "and", "change", "interval", "points"].freeze

        #: () -> String
        def to_s
          paragraphs(head, plot, Columns.new(cells).to_s.chomp, named([*legend, *remarks]))
        end

        # The changes, the newest first.
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
          places = change.values_at(:from, :to).map { |point| HistoryLine.place(point) }
          [*places, shown.signed, shown.interval.to_s, change[:points].join(" + ")]
        end

        # What the marks of the plot mean.
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
          run, at_ms = point.values_at(:run, :at_ms)
          ["newest", "run #{run}, #{Numbers.minute(at_ms)} · mohs show #{run}"]
        end
      end
    end
  end
end

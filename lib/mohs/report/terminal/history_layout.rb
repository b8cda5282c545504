# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # A history: its points as a plot, then its changes.
      class HistoryLayout < Layout
        private

        def above = picture ? [plot] : []

        def picture = @view.pictures[:history]

        def plot
          label = ->(value) { format("%+.1f %%", value) }
          HistoryPlot.new(picture[:values], stretches: picture[:stretches],
                                            changes: picture[:changes], label:,
                                            style: @style).lines.join("\n")
        end

        # What the marks of the plot mean, then the others.
        def remarks
          return super unless picture

          text = "#{HistoryPlot::POINT} a point, #{HistoryPlot::LINE} the mean between changes, " \
                 "#{HistoryPlot::CHANGE} a change; up is " \
                 "#{picture[:better] == 'more' ? 'better' : 'worse'}"
          [View::Remark.new(name: "picture", text:), *super]
        end
      end
    end
  end
end

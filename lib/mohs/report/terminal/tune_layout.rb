# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # A tuning; below its table, rates against memory.
      class TuneLayout < Layout
        PLOT_ROWS = 8

        private

        def below
          points = @view.pictures[:front] or return []
          [FrontPlot.new(points, height: PLOT_ROWS, style: @style).lines.join("\n")]
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Tune
    # A tuning; below its table, rates against memory.
    class Layout < Report::Terminal::Layout
      KIND = View::KIND

      PLOT_ROWS = 8

      private

      def below
        points = @view.pictures[:frontier] or return []
        [FrontierPlot.new(points, height: PLOT_ROWS, style: @style).lines.join("\n")]
      end
    end
  end
end

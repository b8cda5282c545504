# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The comparisons of a bisection, or the studies of mohs repro --all: tables of their screens.
      class Steps < Section
        ID = "steps"

        #: () -> bool
        def any? = !screen.nil? && rows.size > 1

        #: () -> untyped
        def content = [table(title, rows.first, rows.drop(1), figures: 1..), pairs(screen.remarks)]

        private

        def title = @document[:studies] ? "Studies" : "Comparisons"

        def rows = @rows ||= screen.cells

        def screen
          style = Terminal::Style.new(width: WIDE)
          @screen ||= if @document[:command] == "bisect" && @document[:steps]
                        Terminal::BisectScreen.new(@document, style:)
                      elsif @document[:studies] && @document[:counts]
                        Terminal::ReproAllScreen.new(@document, style:)
                      end
        end
      end
    end
  end
end

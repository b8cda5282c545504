# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The comparisons of a bisection, or the studies of `mohs repro --all`: the tables of their
      # screens.
      class Steps < Section
        ID = "steps"

        #: () -> bool
        def any? = steps? && rows.size > 1

        #: () -> untyped
        def content = [table(title, rows.first, rows.drop(1), figures: 1..), pairs(screen.remarks)]

        private

        def title = @document[:studies] ? "Studies" : "Comparisons"

        def rows = @rows ||= screen.cells

        def steps?
          needed = @document[:command] == "bisect" ? %i[steps] : %i[studies counts]
          needed.all? { |key| @document[key] }
        end
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # The causes of the difference between two variants, as in mohs explain. document: of
      # Compare::PairModel.
      class Causes < View
        ID = "causes"
        TITLE = "Where it comes from"
        HOW = "Figures of the kernel and of the servers' own processes, per request."

        #: () -> bool
        def any? = !@document[:explain].nil?

        #: () -> untyped
        def content
          explain = @document[:explain]
          causes = Report::Views::Explain.new(explain).to_view.table(:causes)
          [(element(:p, "Why: #{explain[:why]}.") if explain[:why]),
           table_of(causes, caption: "A against B: what moved", figures: 1..)]
        end
      end
    end
  end
end

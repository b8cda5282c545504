# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # The causes of the difference between two variants, as in mohs explain. document: of
      # PairModel.
      class Causes < View
        ID = "causes"
        TITLE = "Where it comes from"
        HOW = "Figures of the kernel and of the servers' own processes, per request."

        #: () -> bool
        def any? = !@document[:explain].nil?

        #: () -> untyped
        def content
          explain = @document[:explain]
          style = Report::Terminal::Style.unlimited
          head, *rows = Report::Terminal::ExplainScreen::Pair.new(explain, style:).cells
          [(element(:p, "Why: #{explain[:why]}.") if explain[:why]),
           table("A against B: what moved", head.map { |one| one.empty? ? "interval" : one }, rows)]
        end
      end
    end
  end
end

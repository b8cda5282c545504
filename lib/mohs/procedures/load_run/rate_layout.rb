# frozen_string_literal: true

module Mohs
  class LoadRun
    # A search for a rate: the answer, every probe, and what they rest on.
    class RateLayout < Report::Terminal::Layout
      KIND = RateView::KIND

      #: () -> String
      def to_s
        lines = [wrapped(@view.subject), headline, *grids.flat_map(&:lines),
                 @style.wrap(@view.basis, indent: INDENT), *checks]
        "#{lines.compact.join("\n")}\n"
      end

      private

      def checks
        @view.remarks.map do |check|
          @style.paint(:yellow, @style.wrap("#{check.name}: #{check.text}", indent: INDENT))
        end
      end
    end
  end
end

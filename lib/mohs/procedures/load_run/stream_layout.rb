# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load of event streams or WebSockets: the answer, the times, and a line for each remark.
    class StreamLayout < Report::Terminal::Layout
      KIND = StreamView::KIND

      # Remarks about what went wrong.
      WRONG = %i[errors lost unsent dropped unreturned].freeze

      #: () -> String
      def to_s
        lines = [wrapped(@view.subject), headline, *grids.flat_map(&:lines), *remarks]
        "#{lines.compact.join("\n")}\n"
      end

      private

      def remarks
        @view.remarks.map do |remark|
          text = remark.code == :check ? "#{remark.name}: #{remark.text}" : remark.text
          text = @style.wrap(text, indent: INDENT)
          next @style.paint(:yellow, text) if remark.code == :check

          WRONG.include?(remark.code) ? @style.paint(:red, text) : text
        end
      end
    end
  end
end

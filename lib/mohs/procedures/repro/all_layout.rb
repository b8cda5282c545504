# frozen_string_literal: true

module Mohs
  module Repro
    # All published studies. Names of studies are of any length.
    class AllLayout < Report::Terminal::PlainLayout
      KIND = AllView::KIND

      private

      # What failed stands out; what was left out names its study itself.
      def line(remark)
        case remark.code
        when :error then @style.paint(:red, super)
        when :left_out then plain(remark.text)
        else super
        end
      end
    end
  end
end

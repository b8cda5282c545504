# frozen_string_literal: true

module Mohs
  module Compare
    # A comparison; the time that it took is below its answer.
    class Layout < Report::Terminal::Layout
      KIND = View::KIND

      private

      def basis = @view.basis
    end
  end
end

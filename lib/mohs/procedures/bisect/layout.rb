# frozen_string_literal: true

module Mohs
  module Bisect
    # A bisection. Names of points are of any length.
    class Layout < Report::Terminal::PlainLayout
      KIND = View::KIND

      private

      def basis = @view.basis
    end
  end
end

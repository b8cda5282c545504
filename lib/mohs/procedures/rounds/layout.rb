# frozen_string_literal: true

module Mohs
  module Rounds
    # A run of rounds; below its table, how the levels became warm.
    class Layout < Report::Terminal::Layout
      KIND = View::KIND

      # A running table; the answer comes at its end.
      #: () -> String
      def so_far = grids.map { |grid| table(grid) }.join("\n")

      private

      # Causes are among the remarks, each with its variant.
      def why = nil

      def below = cold_start
    end
  end
end

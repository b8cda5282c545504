# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # A run of rounds; below its table, how the levels became warm.
      class RunLayout < Layout
        # A running table; the answer comes at its end.
        #: () -> String
        def so_far = grids.map { |grid| table(grid) }.join("\n")

        private

        # Causes are among the remarks, each with its variant.
        def why = nil

        def below = ColdStartTable.new(@view.pictures[:cold_start], style: @style).paragraphs
      end
    end
  end
end

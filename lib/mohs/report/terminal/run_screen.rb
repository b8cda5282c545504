# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of a run for people, part by part.
      class RunScreen < Screen
        #: () -> Array[Array[String]]
        def cells = Table.new(@document, style: @style).cells

        #: () -> Array[[String, String]]
        def remarks = Terminal.new(style: @style).remarks(@document)
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # One line of a terminal that is drawn again in its place, cut to its width.
      class LiveLine
        #: (IO, style: Terminal::Style) -> void
        def initialize(out, style:)
          @out = out
          @style = style
        end

        #: (String) -> void
        def draw(text) = write(@style.plain(@style.cut(text)))

        # Leaves the place empty.
        #: () -> void
        def wipe = write("")

        private

        def write(text)
          @out.print("\r#{text}\e[K")
          @out.flush
        end
      end
    end
  end
end

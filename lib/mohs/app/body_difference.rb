# frozen_string_literal: true

module Mohs
  class App
    # Where a body leaves the right one, and which of its bytes to show.
    module BodyDifference
      # Bytes to show of each body, and how many of them come before the difference.
      SHOWN, BEFORE = 40, 8

      module_function

      # The offset of the first byte that differs; without one, the size of the shorter body.
      #: (String, String) -> Integer
      def offset(right, wrong)
        shortest = [right, wrong].map(&:bytesize).min
        (0...shortest).find { |at| right.getbyte(at) != wrong.getbyte(at) } || shortest
      end

      # The bytes to show of a body around it, as [first, count].
      #: (Integer) -> [Integer, Integer]
      def shown(offset) = [[offset - BEFORE, 0].max, SHOWN]
    end
  end
end

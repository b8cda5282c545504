# frozen_string_literal: true

module Mohs
  module Stats
    # Several tests at once, with the chance of any false finding held below alpha (Holm 1979).
    module Holm
      module_function

      # p-values that can be compared with alpha one by one, in the order given.
      #: (Array[Numeric]) -> Array[Numeric]
      def adjust(p_values)
        order = p_values.each_index.sort_by { |index| p_values[index] }
        floor = 0.0
        adjusted = order.zip(p_values.size.downto(1)).to_h do |index, left|
          [index, floor = [floor, p_values[index] * left].max.clamp(0.0, 1.0)]
        end
        adjusted.sort.map(&:last)
      end
    end
  end
end

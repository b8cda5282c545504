# frozen_string_literal: true

module Mohs
  module Stats
    # Several tests at once, with the expected share of false findings among all findings held below
    # alpha (Benjamini and Hochberg 1995). Less strict than Holm, for tables of many claims.
    module BenjaminiHochberg
      module_function

      # p-values that can be compared with alpha one by one, in the order given.
      #: (Array[Numeric]) -> Array[Numeric]
      def adjust(p_values)
        count = p_values.size
        order = p_values.each_index.sort_by { |index| -p_values[index] }
        ceiling = 1.0
        adjusted = order.zip(count.downto(1)).to_h do |index, rank|
          [index, ceiling = [ceiling, p_values[index] * count.fdiv(rank)].min]
        end
        adjusted.sort.map(&:last)
      end
    end
  end
end

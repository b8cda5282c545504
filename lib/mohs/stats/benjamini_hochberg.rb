# frozen_string_literal: true

module Mohs
  module Stats
    # Many tests at once, with the expected share of false ones among the findings held below a
    # rate (Benjamini and Hochberg, J. R. Stat. Soc. B 57, 1995): for a table of claims, where
    # Holm's "no false finding at all" would find too little.
    module BenjaminiHochberg
      module_function

      # p-values that can be held against the rate one by one (0.1: a tenth of what is found may be
      # false), in the order given.
      #: (Array[Float]) -> Array[Float]
      def adjust(p_values)
        ceiling = 1.0
        order = p_values.each_index.sort_by { |index| -p_values[index] }
        found = order.zip(p_values.size.downto(1)).to_h do |index, rank|
          ceiling = [ceiling, p_values[index] * p_values.size / rank].min
          [index, ceiling]
        end
        p_values.each_index.map { |index| found[index] }
      end
    end
  end
end

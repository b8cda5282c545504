# frozen_string_literal: true

module Mohs
  module Stats
    # Several tests at once, with the chance of any false finding held below alpha (Holm 1979).
    module Holm
      module_function

      # p-values that can be compared with alpha one by one, in the order given.
      #: (Array[Numeric]) -> Array[Numeric]
      def adjust(p_values)
        floor = 0.0
        restore(p_values) { |p, left| floor = [floor, p * left].max.clamp(0.0, 1.0) }
      end

      # The alpha that each p is compared with: alpha / m for the smallest p, alpha / (m - 1) for
      # the next, ... and the same for all from the first that isn't found on. An interval of level
      # 1 - that excludes "no difference" exactly where Holm finds one, so that table and text
      # agree.
      #: (Array[Float], ?alpha: Float) -> Array[Float]
      def levels(p_values, alpha: 0.05)
        stopped = nil
        restore(p_values) do |p, left|
          level = stopped || (alpha / left)
          stopped ||= level if p > level
          level
        end
      end

      # Calls the block with each p, smallest first, and the number of tests not yet passed; returns
      # results in the order given.
      def restore(p_values)
        order = p_values.each_index.sort_by { |index| p_values[index] }
        found = order.zip(p_values.size.downto(1)).to_h do |index, left|
          [index, yield(p_values[index], left)]
        end
        p_values.each_index.map { |index| found[index] }
      end

      private_class_method :restore
    end
  end
end

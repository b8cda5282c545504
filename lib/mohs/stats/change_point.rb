# frozen_string_literal: true

module Mohs
  module Stats
    # A change in a history: `index` of the first value after it, the means `before` and `after` up
    # to the neighbouring change points, and `p`.
    class ChangePoint < Struct.new(:index, :before, :after, :p, keyword_init: true)
      # found: { index => p }.
      #: (Array[Numeric], Hash[Integer, Float]) -> Array[Stats::ChangePoint]
      def self.all(values, found)
        [0, *found.keys.sort, values.size].each_cons(3).map do |first, index, last|
          new(index:, before: Center.mean(values[first...index]),
              after: Center.mean(values[index...last]), p: found.fetch(index))
        end
      end

      #: (index: Integer, before: Float, after: Float, p: Float) -> void
      def initialize(**values)
        super
        freeze
      end

      #: () -> Float
      def change = after - before
    end
  end
end

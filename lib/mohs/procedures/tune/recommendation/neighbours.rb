# frozen_string_literal: true

module Mohs
  module Tune
    # The shapes, [processes, threads], that are one step away from another: the next number of
    # processes with the same number of threads, or the next number of threads with the same
    # number of processes, on either side. Pure.
    module Neighbours
      module_function

      # Sorted by processes, then threads. Shapes without numbers (fibers) are nobody's
      # neighbours.
      #: ([Integer?, Integer?], Array[[Integer?, Integer?]]) -> Array[[Integer, Integer]]
      def of(shape, shapes)
        return [] unless shape.all?

        others = shapes.select(&:all?) - [shape]
        shape.each_index.flat_map { |axis| beside(shape, others, axis) }.sort
      end

      def beside(shape, others, axis)
        line = others.select { |one| one[1 - axis] == shape[1 - axis] }
        less, more = line.partition { |one| one[axis] < shape[axis] }
        [less.max_by { |one| one[axis] }, more.min_by { |one| one[axis] }].compact
      end
      private_class_method :beside
    end
  end
end

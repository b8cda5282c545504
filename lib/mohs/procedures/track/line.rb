# frozen_string_literal: true

module Mohs
  module Track
    # The data of a history's plot, from its document: the points that have a ratio, in per cent
    # relative to the reference, and the means between changes. Pure.
    class Line
      # How a point is named: by its commit if that is known, else by its day.
      #: (Hash[Symbol, untyped]) -> String
      def self.place(point)
        commit = point[:commit] or return Report::Numbers.day(point[:at_ms])
        "#{commit[:short]} (#{commit[:date]})"
      end

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @document = document
      end

      # The points that have a ratio.
      #: () -> Array[Hash[Symbol, untyped]]
      def kept = @kept ||= @document[:points].select { |point| point[:effect] }

      #: () -> Array[Float]
      def values = @values ||= kept.map { |point| percent(point[:effect]) }

      # Per cent relative to the reference, in the metric's own direction.
      #: (Float) -> Float
      def percent(effect)
        ((@document[:metric][:better] == "less" ? 1 / effect : effect) - 1) * 100
      end

      # Indexes of the first points after each change.
      #: () -> Array[Integer]
      def firsts
        @firsts ||= @document[:changes].filter_map do |change|
          kept.index { |point| point[:run] == change[:to][:run] }
        end
      end

      # The stretches between changes: the indexes of their first and last points, and their means.
      #: () -> Array[[Integer, Integer, Float]]
      def stretches
        [0, *firsts, kept.size].each_cons(2).map do |first, ending|
          part = values[first...ending]
          [first, ending - 1, part.sum / part.size]
        end
      end
    end
  end
end

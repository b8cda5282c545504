# frozen_string_literal: true

module Mohs
  module Stats
    # The noise of one host as several comparisons showed it: each has a mean of its own, so their
    # sums of squared deviations add up and so do their degrees of freedom (the pooled variance of
    # an analysis of variance). Rests on cohorts of one application that spread alike.
    class NoisePool < Struct.new(:squares, :freedom, keyword_init: true)
      # groups: the log differences of each comparison. One of a single cohort tells nothing.
      #: (Array[Array[Float]]) -> Stats::NoisePool
      def self.of(groups)
        known = groups.select { |group| group.size > 1 }
        new(squares: known.sum(0.0) { |group| Spread.variance(group) * (group.size - 1) },
            freedom: known.sum { |group| group.size - 1 }).freeze
      end

      #: (Stats::NoisePool) -> Stats::NoisePool
      def +(other)
        self.class.new(squares: squares + other.squares, freedom: freedom + other.freedom).freeze
      end

      # Of one cohort; nil where nothing is known.
      #: () -> Float?
      def sd = freedom.zero? ? nil : Math.sqrt(squares / freedom)
    end
  end
end

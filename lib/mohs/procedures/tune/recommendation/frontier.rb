# frozen_string_literal: true

module Mohs
  module Tune
    # Which settings are worth choosing from: those that no other beats, where one beats another if
    # it is nowhere worse and somewhere better (Pareto). Of two with the same figures neither beats
    # the other. Pure, and by the figures as they are: a caller that takes two for equal gives them
    # one value.
    #
    # A missing figure may be anything, so a setting that lacks one that others have neither beats
    # another nor is beaten. A figure that all lack doesn't count.
    class Frontier
      # What is compared, and whether more of it is better.
      METRICS = { rate_per_s: true, memory_bytes: false, p99_ms: false }.freeze

      # A setting's figures; nil where one is not known.
      Point = Struct.new(:name, *METRICS.keys, keyword_init: true) do
        include Value
      end

      #: (Array[Tune::Frontier::Point]) -> void
      def initialize(points)
        @points = points
        @metrics = METRICS.select { |metric, _| points.any? { |point| point[metric] } }
        @known, @open = points.partition { |point| @metrics.each_key.all? { |key| point[key] } }
      end

      # Settings that no other beats, the highest rate first.
      #: () -> Array[Tune::Frontier::Point]
      def front
        @front ||= @known.reject { |point| beaten_by(point.name).any? }
                         .sort_by.with_index { |point, place| [-point.rate_per_s.to_f, place] }
      end

      # Settings that lack a figure, so that nothing can be said about them.
      #: () -> Array[Tune::Frontier::Point]
      attr_reader :open

      # Names of the settings on the front that beat this one: the reason why it is not there.
      #: (String) -> Array[String]
      def beaten_by(name)
        one = @known.find { |point| point.name == name } or return []
        beating = @known.select { |other| beats?(other, one) }
        beating.reject { |other| beating.any? { |better| beats?(better, other) } }.map(&:name)
      end

      private

      def beats?(other, one)
        gains = @metrics.map { |metric, more| (other[metric] <=> one[metric]) * (more ? 1 : -1) }
        gains.none?(&:negative?) && gains.any?(&:positive?)
      end
    end
  end
end

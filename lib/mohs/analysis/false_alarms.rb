# frozen_string_literal: true

module Mohs
  module Analysis
    # How strict the gates of a push are, so that a month of `pushes` brings one false alarm at
    # most on average: a push that fails although what it changes is within the limits of all of its
    # `gates`.
    #
    # A gate may be wrong with 1 / (pushes x gates), so the gates of a push with 1 / pushes
    # together, however they depend on each other (Bonferroni). Holm's procedure would find no
    # further push: its first step is the same.
    class FalseAlarms < Struct.new(:pushes, :gates, keyword_init: true)
      include Value

      # A team of ten, two pushes a day each.
      PUSHES = 400

      # The chance that a gate holds although what it is about is at its limit or beyond. One gate
      # that misses it is a mistake about that gate alone, so it is the same for any number.
      MISSED = 0.05

      #: (gates: Integer, ?pushes: Integer) -> void
      def initialize(gates:, pushes: PUSHES)
        super
      end

      # The chance that a push is a false alarm.
      #: () -> Float
      def chance = 1.0 / pushes

      # The levels of one gate, for Study::ComparisonRules; however few the pushes, at most MISSED.
      #: () -> { fails: Float, holds: Float }
      def levels = { fails: [chance / gates, MISSED].min, holds: MISSED }
    end
  end
end

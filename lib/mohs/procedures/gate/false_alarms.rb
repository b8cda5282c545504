# frozen_string_literal: true

module Mohs
  module Gate
    # How strict the gates of a push are, so that a month of `pushes` brings at most one false alarm
    # on average: a push that fails although its changes are within the limits of all of its
    # `gates`.
    #
    # A gate may be wrong with a chance of 1 / (pushes x gates), so the gates of a push together
    # with one of 1 / pushes, however they depend on each other (Bonferroni). Holm's procedure would
    # find no further push: its first step is the same.
    class FalseAlarms < Struct.new(:pushes, :gates, keyword_init: true)
      include Value

      # The pushes of a team of ten, two a day each.
      PUSHES = 400

      # The chance that a gate holds although what it measures is at its limit or beyond. A gate
      # that misses this is a mistake about that gate alone, so the chance is the same for any
      # number of gates.
      MISSED = 0.05

      #: (gates: Integer, ?pushes: Integer) -> void
      def initialize(gates:, pushes: PUSHES)
        super
      end

      # The chance that a push is a false alarm.
      #: () -> Float
      def chance = 1.0 / pushes

      # The levels of one gate, for its Gate::Question; however few the pushes, at most MISSED.
      #: () -> { fails: Float, holds: Float }
      def levels = { fails: [chance / gates, MISSED].min, holds: MISSED }
    end
  end
end

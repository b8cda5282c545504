# frozen_string_literal: true

module Mohs
  class Trial
    class Installation
      # How long installing takes, by how long the first gems took: what was expected is of an idle
      # machine. Decides only; the clock starts with it.
      class Pace
        # The share of the whole from which on what is done tells how long the rest takes: starting
        # Bundler alone does not.
        TELLING = 0.2

        # A new time is announced if it is longer than the last one by this factor.
        LONGER = 1.25

        # expected_s: of the whole.
        #: (Numeric, ?clock: Module) -> void
        def initialize(expected_s, clock: Clock)
          @expected_s = @announced_s = expected_s
          @clock = clock
          @since_ns = clock.mono_ns
        end

        # The seconds to announce for the whole, if it takes longer; else nil. done_s: how much of
        # the expected time is done.
        #: (Numeric) -> Float?
        def call(done_s)
          return if done_s < @expected_s * TELLING || done_s >= @expected_s

          spent_s = (@clock.mono_ns - @since_ns) / 1e9
          whole_s = spent_s + ((@expected_s - done_s) * [spent_s / done_s, 1].max)
          @announced_s = whole_s if whole_s > @announced_s * LONGER
        end
      end
    end
  end
end

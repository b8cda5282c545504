# frozen_string_literal: true

module Mohs
  class Trial
    class Installation
      # Corrects the expected duration of an installation by the time that the first gems took: the
      # expectation is for an idle machine, and of most gems nobody knows how long they compile.
      # Decides only; its clock starts when it is created.
      class Pace
        # The share of the whole after which the work done predicts the pace of the rest: starting
        # Bundler alone does not. Before, the rest is expected to take as long as announced.
        TELLING = 0.2

        # A new duration is announced if it exceeds the last one by this factor: early enough for
        # an installation that takes half as long again, and not at each step, since on a busy
        # machine the estimate creeps up.
        LONGER = 1.3

        # expected_s: expected seconds for the whole installation.
        #: (Numeric, ?clock: Module) -> void
        def initialize(expected_s, clock: Clock)
          @expected_s = @announced_s = expected_s
          @clock = clock
          @since_ns = clock.mono_ns
        end

        # The seconds to announce for the whole installation if it takes longer; else nil. done_s:
        # how much of the expected time is done.
        #: (Numeric) -> Float?
        def call(done_s)
          return if done_s >= @expected_s

          spent_s = (@clock.mono_ns - @since_ns) / 1e9
          pace = done_s < @expected_s * TELLING ? 1 : [spent_s / done_s, 1].max
          whole_s = spent_s + ((@expected_s - done_s) * pace)
          @announced_s = whole_s if whole_s > @announced_s * LONGER
        end
      end
    end
  end
end

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

        # How far the pace until now is believed, as an exponent: the first gems are compiled, most
        # of the others are not. Fat Free CRM's first third took 2.7 times as long as expected, the
        # whole 1.4 times.
        BELIEF = 0.5

        # A gem that takes longer than expected is not done: this share of its time is still to come
        # at least.
        LEAST = 0.25

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
        # how much of the expected time is done. under_way: as App::Bundle#under_way.
        #: (Numeric, ?Array[[Numeric, Numeric]]) -> Float?
        def call(done_s, under_way = [])
          return if done_s >= @expected_s

          spent_s = (@clock.mono_ns - @since_ns) / 1e9
          pace = pace(spent_s, done_s + under_way.sum { |pair| pair.min })
          begun_s = under_way.sum(0.0) do |whole_s, passed_s|
            [(whole_s * pace) - passed_s, whole_s * LEAST].max
          end
          left_s = [@expected_s - done_s - under_way.sum(0.0, &:first), 0].max
          whole_s = spent_s + begun_s + (left_s * pace)
          @announced_s = whole_s if whole_s > @announced_s * LONGER
        end

        private

        def pace(spent_s, done_s)
          return 1 if done_s < @expected_s * TELLING

          [(spent_s / done_s)**BELIEF, 1].max
        end
      end
    end
  end
end

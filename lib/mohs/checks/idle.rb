# frozen_string_literal: true

module Mohs
  module Checks
    # A server that works while others are measured slows them: no interleaving cancels that, but
    # ratios are off by this share at most. So it is told, and never spoils a trial, as a warm-up
    # that came to no end doesn't: JITs that compile on and on (MJIT was seen to take three quarters
    # of a core after warm-up) would have no row at all.
    class Idle < Base
      # Share of one core. What a server takes from the others moves every ratio to it by as much:
      # twice the smallest difference that matters.
      BUSY = 2 * Verdict::MARGIN

      # Of less, what a server does when its last answer is out would be taken for restlessness.
      # (Alone in its cohort, or loaded together with all others, a server hardly ever rests.)
      LEAST_NS = 500_000_000

      private

      def needs = %i[idle]

      def judge
        wall_ns, cpu_ns = @facts[:idle].values_at(:wall_ns, :cpu_ns)
        return unknown("it was loaded all the time") if wall_ns < LEAST_NS

        share = cpu_ns.clamp(0, nil).fdiv(wall_ns)
        took = "it took #{percent(share)} of a core while others were measured"
        return pass(took) if share <= BUSY

        warn("#{took} and slowed them (a JIT still compiling, or threads of the application?)")
      end
    end
  end
end

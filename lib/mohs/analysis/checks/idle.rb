# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # A server that works while others are measured slows them: no interleaving cancels that, but
      # ratios are off by this share at most. So it is reported, but never spoils a trial, and
      # neither does a warm-up that does not end: else JITs that keep compiling (MJIT was seen to
      # take three quarters of a core after warm-up) would have no row at all. A verdict that it may
      # explain is none (Effects#verdict), and a comparison's interval allows for it (Look#bias).
      class Idle < Base
        # Share of one core: twice the smallest difference that matters. What a server takes from
        # the others moves every ratio to it by as much.
        BUSY = 2 * Verdict::MARGIN

        # With less idle time, what a server does after its last response would count as activity.
        # (Alone in its cohort, or loaded together with all others, a server hardly ever rests.)
        LEAST_NS = 500_000_000

        WORDS = {
          always_loaded: "it was loaded all the time",
          quiet: "it took %{share|percent} of a core while others were measured",
          busy: "it took %{share|percent} of a core while others were measured and slowed them " \
                "(a JIT still compiling, or threads of the application?)",
        }.freeze

        private

        def needs = %i[idle]

        def judge
          wall_ns, cpu_ns = facts[:idle].values_at(:wall_ns, :cpu_ns)
          return unknown(:always_loaded) if wall_ns < LEAST_NS

          share = [cpu_ns, 0].max.fdiv(wall_ns)
          share <= BUSY ? pass(:quiet, share:) : warn(:busy, share:)
        end
      end
    end
  end
end

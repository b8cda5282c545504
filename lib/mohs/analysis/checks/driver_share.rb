# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # A load generator that is busy measures itself: over the whole load, or in parts of it that
      # then make up the tail percentiles.
      class DriverShare < Base
        # Shares of the driver's core (from the issue of the first measurement; the method's section
        # 6 warns above a half). Those for a window are in the C core (core/thread_stats.h).
        BOUND = 0.85
        NEAR = 0.5
        # Share of the windows above a bound from which on a 99th percentile may lie in them. Fewer
        # windows than FEWEST are chance, in a short load as in a long one.
        TAIL = 0.01
        FEWEST = 3

        AT_TIMES = "in %{share|percent} of the tenths of a second, the driver used more than " \
                   "%{bound|percent} of its core; the slowest responses may be among these"

        WORDS = {
          spins: "the driver spins between requests, so its core is always busy",
          free: "%{share|percent} of its core",
          busy: "the driver used %{share|percent} of its core",
          full: "client-bound: the driver used %{share|percent} of its core",
          busy_at_times: AT_TIMES,
          full_at_times: "client-bound at times: #{AT_TIMES}",
        }.freeze

        private

        def needs = %i[slices threads]

        def judge
          return unknown(:unmeasured) if measured.empty?
          return unknown(:spins) if thread_stats.any? { |pulse| pulse[:spins] }

          share = total(:driver_cpu_ns).fdiv(total(:wall_ns) * facts[:threads])
          return bad(:full, share:) if share > BOUND
          return warn(:full_at_times, **windows(:full, BOUND)) if in_tail?(:full)
          return warn(:busy, share:) if share > NEAR
          return warn(:busy_at_times, **windows(:busy, NEAR)) if in_tail?(:busy)

          pass(:free, share:)
        end

        def in_tail?(kind) = of_threads(kind) > [TAIL * of_threads(:windows), FEWEST - 1].max

        def windows(kind, bound)
          count, windows = [kind, :windows].map { |one| of_threads(one) }
          { count:, windows:, share: count.fdiv(windows), bound: }
        end
      end
    end
  end
end

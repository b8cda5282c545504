# frozen_string_literal: true

module Mohs
  # A Load::StepResult#thread_stats of 10 s in which nothing was wrong.
  DRIVER_PULSE = { spins: false, windows: 100, busy: 0, full: 0, wakeups: 500, events: 1000,
                   events_max: 4, age_sum_ns: 1_000_000, age_max_ns: 40_000, gap_max_ns: 800_000,
                   gaps_ns: 1_000_000, held_ns: 0, stalls: 0, stalled_ns: 0, preempted: 7,
                   waited_ns: 30_000_000, steal_share: 0.0 }.freeze
end

# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # What one step did on one target. Every request that was sent is counted: sent = good + the sum
    # of `errors` ({ "class" => count }, without zeros). `completed` counts whole answers, right or
    # wrong; `bytes` those of bodies.
    #   started_ns      since the driver's epoch
    #   wall_ns         from there to the last answer; of an open loop by time, that time at least
    #   latency_sum_ns  of good requests, due to done: over wall_ns, the connections in use (Little)
    #   p50_ns          exact median of the good ones' service time (sent to done); nil without any
    #   max_ns          the longest due to done; nil without any good one
    #   cpu_ns          CPU time of the watched processes; nil when none is watched, or one is gone
    #   driver_cpu_ns   of our own threads
    #   thread_stats    what the driver's threads measured about themselves (core/thread_stats.h);
    #                   nil for another driver. { spins:, windows:, busy:, full:, wakeups:, events:,
    #                   events_max:, age_sum_ns:, age_max_ns:, preempted:, waited_ns:, pace_ns:,
    #                   memory_ns:, steal_share: }: windows of 100 ms, and how many of them used
    #                   more than 50 and 85 % of a core; returns from epoll_wait, their events, and
    #                   how long these waited for the events before them; involuntary context
    #                   switches; ns ready to run without a core (nil if the kernel doesn't report
    #                   it); ns per unit of two fixed pieces of work on that core, geometric means
    #                   (core/core_speed.h; nil: not requested); the share of all CPU time of
    #                   the whole run that the hypervisor took. Stored slices and documents have it
    #                   under the key `pulse`: so do #to_h and .from_h.
    #   connections     { asked:, opened:, lost:, served:, requests_min:, requests_max: }: served
    #                   had a good answer; the last two count good answers on the connection with
    #                   the fewest and the most
    #   gone            the server gave no answer for so long that the step was ended
    # With a scenario, else nil:
    #   actions         begun
    #   finished        of which every step was right
    # In an open loop, else nil (of a scenario, counts of actions):
    #   offered         requests that fell due = sent (of a scenario: actions) + unsent
    #   unsent          not even sent when the drain was over
    #   late            sent, but only after the step's time; of a count after the last was due
    #   queued          that found no connection free when they were due
    #   waiting_max     the most that waited at once
    #   lag_ns          { p50:, p99: } due to sent where a connection was free: the driver's own
    #                   lateness, opening the connection included; values nil without such requests
    #   queue_ns        { p50:, p99: } due to sent of the queued ones; values nil without them
    #
    # The members come from the core, which fills them (ext/mohs/core/step_fields.h), but for those
    # that only Ruby knows: step and target as asked, and offered.
    StepResult = Struct.new(:step, :target, *Core::STEP_FIELDS, :offered, keyword_init: true) do
      include Value

      # The inverse of #to_h.
      #: (Hash[Symbol, untyped]) -> Load::StepResult
      def self.from_h(hash) = new(**hash.transform_keys(pulse: :thread_stats))

      #: () ?{ (Symbol, untyped) -> [untyped, untyped] } -> Hash[untyped, untyped]
      def to_h(&block)
        hash = super().transform_keys(thread_stats: :pulse)
        block ? hash.to_h(&block) : hash
      end
    end
  end
end

# frozen_string_literal: true

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
    #   pulse           what our threads noticed about themselves (core/pulse.h); nil of another
    #                   driver. { spins:, windows:, busy:, full:, wakeups:, events:, events_max:,
    #                   age_sum_ns:, age_max_ns:, preempted:, waited_ns:, pace_ns:, memory_ns:,
    #                   steal_share: }:
    #                   stretches of 100 ms, and of these above 50 and 85 % of a core; returns from
    #                   epoll_wait, events with them, how long these waited for those before them;
    #                   times that the kernel took the core away; ns ready to run without one (nil
    #                   where the kernel does not tell); ns that the same pieces of work took on
    #                   it, geometric means (core/pace.h; nil: not asked for); of all CPU time of
    #                   the whole run, what the hypervisor took
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
    StepResult = Struct.new(:step, :target, :started_ns, :wall_ns, :sent, :completed, :good,
                            :errors, :bytes, :latency_sum_ns, :p50_ns, :max_ns, :cpu_ns,
                            :driver_cpu_ns, :pulse, :connections, :gone, :offered, :unsent,
                            :late, :queued, :waiting_max, :lag_ns, :queue_ns, :actions, :finished,
                            keyword_init: true) do
      include Value
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # The driver has something to do and no core to do it on: until it gets one, no request
      # leaves, and on a unix socket every response that has arrived looks delayed by the server.
      # The kernel counts that time in its run queue for each of our threads. (Involuntary switches,
      # which are reported too, do not show it: a thread that sleeps between responses is hardly
      # ever preempted, it waits to be scheduled.)
      class DriverWaits < Base
        # Share of the time: from a hundredth on, a 99th percentile begins to show it.
        TAIL = 0.01
        # Share of the time in which it had work. Beside a quiet neighbour the driver waits for 1 to
        # 4 %; if something else keeps its core busy, for half and more.
        SHARE = 0.2
        # Share of all CPU time that the hypervisor gave to others: the doctor's bound.
        STEAL = 0.01

        WORDS = {
          seldom: "%{share|percent} of the time, preempted %{preempted|times}",
          often: "while the driver had work, something else ran on its core, for " \
                 "%{share|percent} of that time: requests were sent late, and rates may be too " \
                 "low (mohs doctor)",
          stolen: "the hypervisor took %{share|percent} of the CPU",
          uncounted: "this kernel does not report how long threads wait",
        }.freeze

        private

        def needs = %i[slices threads]

        def judge
          return unknown(:unmeasured) if thread_stats.empty?
          return unknown(:shared_core) if facts[:apart] == false
          return warn(:often, **waits) if known? && late?
          return warn(:stolen, share: steal) if steal > STEAL

          known? ? pass(:seldom, **waits) : unknown(:uncounted)
        end

        def waits = { share: of_time, preempted: of_threads(:preempted) }

        def known? = thread_stats.none? { |pulse| pulse[:waited_ns].nil? }

        def waited = of_threads(:waited_ns)

        def of_time = waited.fdiv(total(:wall_ns) * facts[:threads])

        def late? = of_time > TAIL && waited > SHARE * (waited + total(:driver_cpu_ns))
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Checks
    # A driver that has something to do and no core to do it on: until it gets one no request
    # leaves, and on a unix socket every answer that came seems to be the server's delay. As the
    # kernel counts it for our threads, time in its run queue. (Involuntary switches, told beside
    # it, do not show it: a thread that sleeps between answers is hardly ever preempted, it waits to
    # be let in.)
    class DriverWaits < Base
      # Of the time: a hundredth is where a 99th percentile begins to be about it.
      TAIL = 0.01
      # Of the time in which it had work. Beside a quiet neighbour it waits for 1 to 4 %, while
      # something else keeps its core busy for a half and more.
      SHARE = 0.2
      # Of all CPU time, what the hypervisor gave to others: the doctor's bound.
      STEAL = 0.01

      private

      def needs = %i[slices threads]

      def judge
        return unknown("nothing was measured") if measured.empty? || pulses.empty?
        return unknown("the driver shares its core with the server") if @facts[:apart] == false
        return warn(late) if known? && late?
        return warn("the hypervisor took #{percent(steal)} of the CPU") if steal > STEAL
        return unknown("the kernel does not tell how long threads wait") unless known?

        pass("#{percent(of_time)} of the time, #{switches}")
      end

      def late
        "for #{percent(of_time)} of the time the driver was ready and had no core " \
          "(#{switches}): requests left late. Leave it a core that nothing else uses"
      end

      def known? = pulses.none? { |pulse| pulse[:waited_ns].nil? }

      def waited = of_pulses(:waited_ns)

      def of_time = waited.fdiv(total(:wall_ns) * @facts[:threads])

      def late?
        of_time > TAIL && waited > SHARE * (waited + total(:driver_cpu_ns))
      end

      def switches = "preempted #{of_pulses(:preempted)} times"

      # Over the slices' time, whose runs have it: the kernel counts in 10 ms, so that one of them
      # is much of a short slice and says nothing by itself. 0 where it tells none.
      def steal
        told = measured.select { |slice| slice[:pulse][:steal_share] }
        wall_ns = told.sum { |slice| slice[:wall_ns] }
        return 0 if wall_ns.zero?

        told.sum { |slice| slice[:pulse][:steal_share] * slice[:wall_ns] } / wall_ns
      end
    end
  end
end

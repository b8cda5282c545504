# frozen_string_literal: true

module Mohs
  module Probes
    # CPU time of processes as /proc and their clocks show it: to see who worked. (What is published
    # the load core reads, from the same clocks.)
    module Cpu
      # Fields 14 to 17 of /proc/PID/stat (proc(5)), counted behind the command's name: user and
      # system, in clock ticks; then the same of children that have ended and were waited for.
      OWN = [11, 12].freeze
      OF_CHILDREN = [13, 14].freeze
      TICK_NS = 10_000_000

      # Which clock of a process: that of the scheduler, CPUCLOCK_SCHED
      # (include/linux/posix-timers.h, which clock_getcpuclockid(3) follows).
      SCHEDULER = 2

      module_function

      # Ticks of 10 ms by pid; a process that is gone is left out.
      #: (Array[Integer]) -> Hash[Integer, Integer]
      def ticks(pids) = pids.to_h { |pid| [pid, fields(pid, OWN)] }.compact

      # Nanoseconds of these processes and of the children that they have waited for: of a whole
      # tree nothing gets lost when one of its processes ends.
      #: (Array[Integer]) -> Integer
      def tree_ns(pids)
        pids.sum { |pid| clock_ns(pid) + (fields(pid, OF_CHILDREN).to_i * TICK_NS) }
      end

      def fields(pid, indexes)
        all = File.read("/proc/#{pid}/stat").rpartition(")").last.split
        all.values_at(*indexes).sum(&:to_i)
      rescue Errno::ENOENT, Errno::ESRCH
        nil
      end

      def clock_ns(pid)
        ::Process.clock_gettime((~pid << 3) | SCHEDULER, :nanosecond)
      rescue Errno::EINVAL
        0 # it has ended
      end

      private_class_method :fields, :clock_ns
    end
  end
end

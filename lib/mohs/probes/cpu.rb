# frozen_string_literal: true

module Mohs
  module Probes
    # CPU time of single processes as /proc shows it: coarse, to see who worked. (The load core
    # reads their clocks in nanoseconds for what is published.)
    module Cpu
      # Fields 14 and 15 of /proc/PID/stat (proc(5)), counted behind the command's name: user and
      # system, in clock ticks.
      USER, SYSTEM = 11, 12

      module_function

      # Ticks of 10 ms by pid; a process that is gone is left out.
      #: (Array[Integer]) -> Hash[Integer, Integer]
      def ticks(pids)
        pids.filter_map do |pid|
          fields = File.read("/proc/#{pid}/stat").rpartition(")").last.split
          [pid, fields[USER].to_i + fields[SYSTEM].to_i]
        rescue Errno::ENOENT, Errno::ESRCH
          nil
        end.to_h
      end
    end
  end
end

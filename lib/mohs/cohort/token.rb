# frozen_string_literal: true

require "socket"

module Mohs
  module Cohort
    # Who holds a claim: "host:pid:start", where start (field 22 of /proc/PID/stat, in ticks since
    # boot) tells a process from a later one with the same number.
    module Token
      module_function

      #: () -> String
      def own = [Socket.gethostname, ::Process.pid, started(::Process.pid)].join(":")

      # False only where the holder was a process of this host and is gone; of another host nothing
      # is known.
      #: (String) -> bool
      def alive?(token)
        host, pid, start = token.split(":")
        host != Socket.gethostname || started(pid) == start
      end

      # The process of this host that holds it and lives, else nil.
      #: (String) -> Integer?
      def holder(token)
        host, pid, start = token.split(":")
        pid.to_i if host == Socket.gethostname && start && started(pid) == start
      end

      # Behind the command's name, which may contain spaces and parentheses, stand fields 3 and on.
      def started(pid)
        File.read("/proc/#{pid}/stat").rpartition(")").last.split[19]
      rescue SystemCallError
        nil
      end

      private_class_method :started
    end
  end
end

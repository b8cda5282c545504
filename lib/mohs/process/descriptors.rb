# frozen_string_literal: true

module Mohs
  module Process
    # The descriptors (sockets, files) that this process may have open.
    module Descriptors
      # For what is opened besides: files that are written, and those that are looked at in /proc.
      SPARE = 32

      module_function

      # Raises the soft limit, where it is in the way of so many more than are open: no further than
      # that, since what mohs starts inherits it, and some tools walk over all that they may open.
      # EnvironmentError, with `what` needs them, where the hard limit is in the way.
      #: (Integer, what: String) -> void
      def make_room(count, what:)
        needed = open + count + SPARE
        soft, hard = ::Process.getrlimit(::Process::RLIMIT_NOFILE)
        return if needed <= soft

        raise EnvironmentError, short(what, needed, hard) if needed > hard

        ::Process.setrlimit(::Process::RLIMIT_NOFILE, needed, hard)
      end

      def open = Dir.children("/proc/self/fd").size

      def short(what, needed, hard)
        "#{what} need #{needed} open files, and one process may have #{hard}. Ask for fewer, " \
          "or raise the hard limit: ulimit -Hn #{needed} as root, LimitNOFILE= of a unit, " \
          "--ulimit nofile=#{needed} of a container."
      end

      private_class_method :open, :short
    end
  end
end

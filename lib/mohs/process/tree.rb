# frozen_string_literal: true

module Mohs
  module Process
    # The processes of this machine as /proc shows them. A process that ends while being looked at
    # is simply not there.
    module Tree
      module_function

      # `root` and everything below it, parents first.
      #: (Integer) -> Array[Integer]
      def pids(root)
        found = [root]
        found.each { |pid| found.concat(children(pid) - found) }
        found
      end

      # The direct children of a process: each of its threads may have some.
      #: (Integer) -> Array[Integer]
      def children(pid)
        tasks = Dir.children("/proc/#{pid}/task")
        tasks.flat_map { |tid| read("/proc/#{pid}/task/#{tid}/children").split.map(&:to_i) }
      rescue Errno::ENOENT, Errno::ESRCH
        []
      end

      # The arguments joined by spaces, or the title that the process gave itself; "" for a zombie
      # or no process.
      #: (Integer) -> String
      def command_line(pid) = read("/proc/#{pid}/cmdline").tr("\0", " ").strip

      def read(path)
        Text.utf8(File.binread(path))
      rescue Errno::ENOENT, Errno::ESRCH
        ""
      end
      private_class_method :read
    end
  end
end

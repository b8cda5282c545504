# frozen_string_literal: true

module Mohs
  module Probes
    # Who listens on a port of loopback, as the kernel shows it: proc(5) has each socket's inode in
    # /proc/net/tcp, and each process's open sockets below /proc/PID/fd.
    module Listener
      # sl, local_address, rem_address, st: 0A is LISTEN; the tenth field is the inode.
      SOCKET = /^\s*\d+: \h+:(?<port>\h{4}) \h+:\h{4} 0A (?:\S+\s+){5}(?<inode>\d+)/

      module_function

      # The processes that have the listening socket open, a master and its workers; [] where they
      # are another user's.
      #: (Integer) -> Array[Integer]
      def pids(port)
        links = inodes(port).map { |inode| "socket:[#{inode}]" }
        all = Dir.children("/proc").grep(/\A\d+\z/).map(&:to_i)
        all.select { |pid| (sockets(pid) & links).any? }
      end

      def inodes(port)
        tables = %w[/proc/net/tcp /proc/net/tcp6].select { |path| File.readable?(path) }
        found = tables.flat_map { |path| File.read(path).scan(SOCKET) }
        found.filter_map { |hex, inode| inode if hex.hex == port && inode != "0" }
      end

      def sockets(pid)
        Dir.children("/proc/#{pid}/fd").filter_map do |number|
          File.readlink("/proc/#{pid}/fd/#{number}")
        rescue SystemCallError
          nil # closed meanwhile
        end
      rescue SystemCallError
        [] # it has ended, or is another user's
      end
      private_class_method :inodes, :sockets
    end
  end
end

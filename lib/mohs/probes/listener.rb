# frozen_string_literal: true

module Mohs
  module Probes
    # Who listens on a port of loopback or on a unix socket, as the kernel shows it: proc(5) has
    # each socket's inode in /proc/net, and each process's open sockets below /proc/PID/fd.
    module Listener
      # sl, local_address, rem_address, st: 0A is LISTEN; the tenth field is the inode.
      SOCKET = /^\s*\d+: \h+:(?<port>\h{4}) \h+:\h{4} 0A (?:\S+\s+){5}(?<inode>\d+)/

      # Num, RefCount, Protocol, Flags, Type, St, Inode, Path: 00010000 is __SO_ACCEPTCON.
      UNIX = /^\h+: \h+ \h+ 00010000 \h+ \h+ +(?<inode>\d+) (?<path>.+)$/

      module_function

      # The processes that have the listening socket open, a master and its workers; [] where they
      # are another user's.
      #: (Integer) -> Array[Integer]
      def pids(port)
        holding(inodes(port), Dir.children("/proc").grep(/\A\d+\z/).map(&:to_i))
      end

      # Those of `pids` that listen on the unix socket at `path`.
      #: (String, Array[Integer]) -> Array[Integer]
      def unix_pids(path, pids)
        found = File.read("/proc/net/unix").scan(UNIX)
        holding(found.filter_map { |inode, at| inode if at == path }, pids)
      end

      def holding(inodes, pids)
        links = inodes.map { |inode| "socket:[#{inode}]" }
        pids.select { |pid| (sockets(pid) & links).any? }
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
      private_class_method :holding, :inodes, :sockets
    end
  end
end

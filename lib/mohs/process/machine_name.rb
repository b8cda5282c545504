# frozen_string_literal: true

require "etc"
require "socket"

module Mohs
  module Process
    # A name that one process of this machine has at a time: an abstract unix socket (unix(7)). All
    # users see the same ones, whatever their TMPDIR, and the kernel frees a name with its process.
    # It is no file: no foreign link, owner or mode can stand in its way. Each network namespace
    # has names of its own (network_namespaces(7)).
    class MachineName
      # The process that has the name `name`; `user` is nil for ours. pid and uid are nil if the
      # kernel can't say. `inode` of its socket: a process that takes a name again has another one.
      Holder = Struct.new(:name, :pid, :uid, :inode, keyword_init: true) do
        # Its number if it has no name here.
        #: () -> String?
        def user
          Etc.getpwuid(uid).name unless ours? || uid.nil?
        rescue ArgumentError
          uid.to_s
        end

        #: () -> bool
        def ours? = uid == ::Process.euid
      end

      # The structure ucred of SO_PEERCRED: pid, uid, gid. A socket gives those of its listener.
      CREDENTIALS = "l3"
      # Address, references, protocol, flags, type, state, inode and path of each socket.
      UNIX = "/proc/net/unix"

      class << self
        # nil if another has it.
        #: (String) -> Process::MachineName?
        def take(name)
          new(UNIXServer.new("\0#{name}"))
        rescue Errno::EADDRINUSE
          nil
        end

        # Who has it; nil if nobody does. Somebody who does not listen, or has too many visitors,
        # remains unknown.
        #: (String) -> Process::MachineName::Holder?
        def holder(name)
          socket = Socket.new(:UNIX, :STREAM)
          inode = inode_of(name)
          socket.connect_nonblock(Addrinfo.unix("\0#{name}"))
          pid, uid, = socket.getsockopt(:SOCKET, :PEERCRED).data.unpack(CREDENTIALS)
          Holder.new(name:, pid: keeper(pid, inode), uid:).freeze
        rescue Errno::ECONNREFUSED
          Holder.new(name:).freeze if inode
        rescue SystemCallError
          Holder.new(name:).freeze
        ensure
          socket&.close
        end

        private

        # A name that nobody listens on refuses like one that nobody has; to take it, to find out,
        # would keep it from others. 0 if that can't be read. A visitor's has no inode yet.
        def inode_of(name)
          lines = File.foreach(UNIX).map { |line| line.chomp.split(" ", 8) }
          lines.find { |line| line[7] == "@#{name}" && line[6] != "0" }&.fetch(6)&.to_i
        rescue SystemCallError
          0
        end

        # A process that listened may have ended, and a child of it still have the socket. nil if it
        # can't be found.
        def keeper(pid, inode)
          return pid if pid.positive? && (has?(pid, inode) { alive?(pid) })

          Dir.children("/proc").grep(/\A\d+\z/).map(&:to_i).find do |other|
            has?(other, inode) { false }
          end
        end

        # The block decides where it can't be read: /proc may hide what is not ours.
        def has?(pid, inode)
          return yield if inode.to_i.zero?

          folder = "/proc/#{pid}/fd"
          Dir.children(folder).any? { |fd| link(File.join(folder, fd)) == "socket:[#{inode}]" }
        rescue SystemCallError
          yield
        end

        def alive?(pid)
          ::Process.kill(0, pid).positive?
        rescue Errno::EPERM
          true
        rescue Errno::ESRCH
          false
        end

        def link(path)
          File.readlink(path)
        rescue SystemCallError
          nil # closed meanwhile
        end
      end

      #: (UNIXServer) -> void
      def initialize(socket)
        @socket = socket
      end

      # Gives it back. Safe to call again.
      #: () -> void
      def release = @socket.close
    end
  end
end

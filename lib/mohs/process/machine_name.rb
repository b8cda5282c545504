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
      # Address, references, protocol, flags, type, state, inode and path of each socket; that of a
      # visitor has no inode yet. Names stand there as they are, line ends included.
      UNIX = "/proc/net/unix"
      BEFORE_NAME = /^\h+: \h{8} \h{8} \h{8} \h{4} \h{2} +([1-9]\d*) /n

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
          Holder.new(name:, pid: keeper(pid, uid, inode), uid:).freeze
        rescue Errno::ECONNREFUSED
          Holder.new(name:).freeze if inode
        rescue SystemCallError
          Holder.new(name:).freeze
        ensure
          socket&.close
        end

        private

        # A name that nobody listens on refuses like one that nobody has; to take it, to find out,
        # would keep it from others. 0 if that can't be read, or more than one line says it: anybody
        # can write a line with any inode by a name with a line end in it.
        def inode_of(name)
          inodes = File.binread(UNIX).scan(/#{BEFORE_NAME}@#{Regexp.escape(name)}$/n).flatten
          inodes.size > 1 ? 0 : inodes.first&.to_i
        rescue SystemCallError
          0
        end

        # A process that listened may have ended, and a child of it still have the socket. nil if it
        # can't be found. Only a process of the user `uid`, who listens, can be the one to end.
        def keeper(pid, uid, inode)
          return pid if pid.positive? && user?(pid, uid) && has?(pid, inode) { alive?(pid) }

          Dir.children("/proc").grep(/\A\d+\z/).map(&:to_i).find do |other|
            has?(other, inode) { false } && user?(other, uid)
          end
        end

        # By the effective one, the second of the four.
        def user?(pid, uid)
          File.binread("/proc/#{pid}/status")[/^Uid:\s+\d+\s+(\d+)/, 1]&.to_i == uid
        rescue SystemCallError
          false
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

# frozen_string_literal: true

require "etc"
require "socket"

module Mohs
  module Process
    # A name that one process of this machine can have at a time: an abstract unix socket (unix(7)).
    # All users see the same names, whatever their TMPDIR, and the kernel frees a name when its
    # process ends. It is not a file, so no foreign link, owner or mode can get in the way. Each
    # network namespace has names of its own (network_namespaces(7)).
    class MachineName
      # The process that has the name `name`. pid and uid are nil if the kernel can't tell. inode:
      # of its socket; a process that takes a name again has another one.
      Holder = Struct.new(:name, :pid, :uid, :inode, keyword_init: true) do
        # The user's name, or the number if it has no name here; nil if it is our own user or
        # unknown.
        #: () -> String?
        def user
          Etc.getpwuid(uid).name unless ours? || uid.nil?
        rescue ArgumentError
          uid.to_s
        end

        #: () -> bool
        def ours? = uid == ::Process.euid
      end

      # The struct ucred of SO_PEERCRED: pid, uid, gid. A socket returns those of its listener.
      CREDENTIALS = "l3"
      # Address, references, protocol, flags, type, state, inode and path of each socket; a
      # connection that is not accepted yet has no inode. Names are printed unescaped, line ends
      # included.
      UNIX = "/proc/net/unix"
      BEFORE_NAME = /^\h+: \h{8} \h{8} \h{8} \h{4} \h{2} +([1-9]\d*) /n

      class << self
        # nil if another process has the name.
        #: (String) -> Process::MachineName?
        def take(name)
          new(UNIXServer.new("\0#{name}"))
        rescue Errno::EADDRINUSE
          nil
        end

        # The process that has the name; nil if none does. A holder that does not listen, or has too
        # many waiting connections, remains unknown.
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

        # The inode tells a name that nobody listens on from one that nobody has: both refuse
        # connections, and taking the name to find out would keep it from others. 0 if it can't be
        # read or if several lines match: anybody can write a line with any inode by choosing a name
        # with a line end in it.
        def inode_of(name)
          inodes = File.binread(UNIX).scan(/#{BEFORE_NAME}@#{Regexp.escape(name)}$/n).flatten
          inodes.size > 1 ? 0 : inodes.first&.to_i
        rescue SystemCallError
          0
        end

        # The process that keeps the socket: the one that listened may have ended while a child of
        # it still has the socket. nil if it can't be found. Only a process of the listening user
        # `uid` can be the one that has to end.
        def keeper(pid, uid, inode)
          return pid if pid.positive? && user?(pid, uid) && has?(pid, inode) { alive?(pid) }

          Dir.children("/proc").grep(/\A\d+\z/).map(&:to_i).find do |other|
            has?(other, inode) { false } && user?(other, uid)
          end
        end

        # By the effective uid, the second of the four.
        def user?(pid, uid)
          File.binread("/proc/#{pid}/status")[/^Uid:\s+\d+\s+(\d+)/, 1]&.to_i == uid
        rescue SystemCallError
          false
        end

        # Yields to decide if /proc can't be read: it may hide other users' processes.
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

      # Gives the name back. Safe to call again.
      #: () -> void
      def release = @socket.close
    end
  end
end

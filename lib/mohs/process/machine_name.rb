# frozen_string_literal: true

require "etc"
require "socket"

module Mohs
  module Process
    # A name that one process of this machine has at a time: an abstract unix socket (unix(7)). All
    # users see the same ones, whatever their TMPDIR, and the kernel frees a name with its process.
    # It is no file: no foreign link, owner or mode can stand in its way.
    class MachineName
      # The process that has a name; `user` is nil for ours. Both are nil if the kernel can't say.
      Holder = Struct.new(:pid, :uid, keyword_init: true) do
        #: () -> String?
        def user = ours? || uid.nil? ? nil : Etc.getpwuid(uid)&.name || uid.to_s

        #: () -> bool
        def ours? = uid == ::Process.euid
      end

      # The structure ucred of SO_PEERCRED: pid, uid, gid. A socket gives those of its listener.
      CREDENTIALS = "l3"

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
          socket.connect_nonblock(Addrinfo.unix("\0#{name}"))
          pid, uid, = socket.getsockopt(:SOCKET, :PEERCRED).data.unpack(CREDENTIALS)
          Holder.new(pid: (pid if pid.positive?), uid:).freeze
        rescue Errno::ECONNREFUSED
          held?(name) ? Holder.new.freeze : nil
        rescue SystemCallError
          Holder.new.freeze
        ensure
          socket&.close
        end

        private

        # A name that nobody listens on refuses like one that nobody has; to take it, to find out,
        # would keep it from others.
        def held?(name)
          File.foreach("/proc/net/unix").any? { |line| line.chomp.end_with?(" @#{name}") }
        rescue SystemCallError
          true
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

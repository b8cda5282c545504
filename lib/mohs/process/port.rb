# frozen_string_literal: true

require "fileutils"
require "socket"
require "tmpdir"

module Mohs
  module Process
    # Numbers of free TCP ports on loopback. A lease is a locked file in a folder that all mohs of
    # this machine share, so that two of them never get the same; the kernel drops the lock with its
    # process, and a bind shows that nobody else has the port.
    module Port
      # Below the kernel's range for outgoing connections (ip_local_port_range, 32768 up by
      # default), or the driver's own connections would take the port between the lease and the
      # server's bind; above the well-known servers.
      RANGE = (20_000..32_000)
      HOST = "127.0.0.1"
      # The range from which the kernel takes local ports: "32768 60999".
      LOCAL = "/proc/sys/net/ipv4/ip_local_port_range"

      # One port, ours until `release`.
      class Lease
        attr_reader :number

        #: (Integer, File) -> void
        def initialize(number, file)
          @number = number
          @file = file
        end

        # Gives the port back. Safe to call again.
        #: () -> void
        def release
          return if @file.closed?

          File.unlink(@file.path) # while still locked: who opened it sees that its file is gone
          @file.close
        end
      end

      class << self
        # Leases a port, for the block if there is one, else until it is released or this process
        # ends.
        #: [T] (?folder: String) ?{ (Integer) -> T } -> (Process::Port::Lease | T)
        def lease(folder: shared_folder)
          numbers = RANGE.to_a.rotate(rand(RANGE.size)).lazy
          lease = numbers.filter_map { |number| try(number, folder) }.first
          raise EnvironmentError, "every port of #{RANGE} on #{HOST} is taken" unless lease
          return lease unless block_given?

          begin
            yield lease.number
          ensure
            lease.release
          end
        end

        # Raises EnvironmentError, with `what` needs them, if so many connections to one server
        # can't have a local port each. `range`: the content of LOCAL; nil: unknown.
        #: (Integer, what: String, ?range: String?) -> void
        def verify_local(count, what:, range: (File.read(LOCAL) if File.readable?(LOCAL)))
          low, high = range&.split&.map(&:to_i)
          return if high.nil? || count <= high - low + 1

          raise EnvironmentError, "#{what} need a local port each, and the kernel gives " \
                                  "#{high - low + 1}. Ask for fewer, or widen that: sysctl " \
                                  "-w net.ipv4.ip_local_port_range=\"32768 65535\", as root."
        end

        # Shared by all users: a port, or a core, belongs to the machine. Sticky, as the temporary
        # folder around it is.
        def shared_folder
          folder = File.join(Dir.tmpdir, "mohs-ports")
          FileUtils.mkdir_p(folder)
          File.chmod(0o1777, folder) if File.owned?(folder)
          folder
        end

        private

        def try(number, folder)
          file = lock(File.join(folder, number.to_s))
          return nil unless file
          return Lease.new(number, file) if free?(number)

          Lease.new(number, file).release
        end

        # Returns nil if another holds it, or has just removed it, or made it as another user.
        def lock(path)
          file = File.open(path, File::RDWR | File::CREAT, 0o600)
          return file if file.flock(File::LOCK_EX | File::LOCK_NB) && File.identical?(file, path)

          file.close
          nil
        rescue Errno::EACCES
          nil
        end

        def free?(number)
          TCPServer.new(HOST, number).close
          true
        rescue Errno::EADDRINUSE, Errno::EACCES
          false
        end
      end
    end
  end
end

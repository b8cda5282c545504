# frozen_string_literal: true

require "socket"

module Mohs
  module Process
    # Numbers of free TCP ports, on loopback unless the servers listen elsewhere. A lease is a name
    # that one process of this machine has at a time, so that two mohs processes never get the same
    # port, whoever runs them; and a bind shows that nobody else uses the port.
    module Port
      # Below the kernel's range for outgoing connections (ip_local_port_range, 32768 and up by
      # default), since the driver's own connections could otherwise take the port between the lease
      # and the server's bind; above the ports of well-known servers.
      RANGE = (20_000..32_000)
      HOST = "127.0.0.1"
      # The range from which the kernel takes local ports: "32768 60999".
      LOCAL = "/proc/sys/net/ipv4/ip_local_port_range"

      NAME = "mohs-port-"

      # One port, leased until `release`.
      class Lease
        attr_reader :number

        #: (Integer, Process::MachineName) -> void
        def initialize(number, name)
          @number = number
          @name = name
        end

        # Gives the port back. Safe to call again.
        #: () -> void
        def release = @name.release
      end

      class << self
        # Leases a port that is free at the address `host`, for the block if there is one, else
        # until it is released or this process ends. Raises EnvironmentError if there is none, or no
        # such address.
        #: [T] (?host: String) ?{ (Integer) -> T } -> (Process::Port::Lease | T)
        def lease(host: HOST)
          numbers = RANGE.to_a.rotate(rand(RANGE.size)).lazy
          lease = numbers.filter_map { |number| try(number, host) }.first
          raise EnvironmentError, "every port of #{RANGE} on #{host} is taken" unless lease
          return lease unless block_given?

          begin
            yield lease.number
          ensure
            lease.release
          end
        end

        # How many local ports there are for connections to one server; nil: unknown.
        #: (?String?) -> Integer?
        def local(range = (File.read(LOCAL) if File.readable?(LOCAL)))
          low, high = range&.split&.map(&:to_i)
          high - low + 1 if high
        end

        # Raises EnvironmentError if `count` connections to one server can't have a local port each.
        # what: what needs them, for the message. range: the content of LOCAL; nil: unknown.
        #: (Integer, what: String, ?range: String?) -> void
        def verify_local(count, what:, range: (File.read(LOCAL) if File.readable?(LOCAL)))
          most = local(range)
          return if most.nil? || count <= most

          raise EnvironmentError, "#{what} need a local port each, and the kernel gives " \
                                  "#{most}. Ask for fewer, or widen that: sysctl " \
                                  "-w net.ipv4.ip_local_port_range=\"32768 65535\", as root."
        end

        private

        def try(number, host)
          name = MachineName.take("#{NAME}#{number}")
          lease = Lease.new(number, name) if name && free?(number, host)
        ensure
          name&.release unless lease
        end

        # Binds as a server does that doesn't set SO_REUSEADDR (Agoo); TCPServer would set it. The
        # port may still have connections of its last server in TIME_WAIT.
        def free?(number, host)
          place = Addrinfo.tcp(host, number)
          Socket.open(place.afamily, :STREAM) { |socket| socket.bind(place) }
          true
        rescue Errno::EADDRINUSE, Errno::EACCES
          false
        rescue Errno::EADDRNOTAVAIL
          raise EnvironmentError, "#{host} is not an address of this machine, so no server can " \
                                  "listen on it: choose one that `ip address` shows."
        end
      end
    end
  end
end

# frozen_string_literal: true

require "socket"

module Mohs
  module Load
    # Converts a target's address to the core's form, a packed sockaddr. Loopback and unix sockets
    # only, unless the target is declared to be owned.
    module Address
      module_function

      # The packed address of a target.
      #: (Target) -> String
      def of(target)
        return unix(target.unix) if target.unix

        info = resolve(target.host, target.port)
        return info.to_sockaddr if target.owned || Loopback.address?(info)

        raise UsageError, "#{target.host} is not this machine: load goes to loopback only"
      end

      # Where and how long the core connects (ext/mohs/load_values.h).
      #: (Target) -> Hash[Symbol, untyped]
      def place(target)
        { address: of(target), sources: target.source_addresses.map { |host| source(host) },
          timeout_ns: Clock.span_ns(target.timeout_s) }
      end

      # A local address to connect from; the kernel chooses its port.
      #: (String) -> String
      def source(host) = resolve(host, 0).to_sockaddr

      # Raises UsageError unless connections can be made from there.
      #: (String) -> void
      def verify_source(host)
        resolve(host, 0).bind(&:itself)
      rescue SystemCallError
        raise UsageError, "#{host} is not an address of this machine: can't connect from there."
      end

      # The target's name in the Host header.
      #: (Target) -> String
      def host_header(target)
        return "localhost" if target.unix

        HostName.at(target.host, target.port)
      end

      #: (String) -> String
      def unix(path)
        Addrinfo.unix(path).to_sockaddr
      rescue ArgumentError
        raise UsageError, "#{path}: too long for a unix socket (108 bytes): use a shorter path"
      end

      #: (String, Integer) -> Addrinfo
      def resolve(host, port)
        Addrinfo.tcp(HostName.bare(host.to_s), port)
      rescue SocketError => e
        raise UsageError, "#{host}: no such host (#{e.message})"
      end
    end
  end
end

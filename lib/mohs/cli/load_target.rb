# frozen_string_literal: true

require "socket"
require "uri"

module Mohs
  class CLI
    # The server that `mohs load` is pointed at: `host` an address of this machine that answers,
    # `port`, `unix` the path of a socket instead of both, `path` what to ask for.
    class LoadTarget < Struct.new(:host, :port, :unix, :path, keyword_init: true)
      SOCKET = %r{\Aunix:(?://)?(?<socket>/[^:]+)(?::(?<path>/.*))?\z}
      CONNECT_S = 2
      PORTS = (1..65_535)

      # `http://127.0.0.1:3000/path`, `localhost:3000`, `unix:/run/app.sock:/path`. Raises
      # UsageError for a host that is not this machine, EnvironmentError where nothing listens.
      #: (String) -> CLI::LoadTarget
      def self.parse(text)
        socket = SOCKET.match(text)
        return new(unix: socket[:socket], path: socket[:path] || "/") if socket

        uri = URI.parse(text.include?("://") ? text : "http://#{text}")
        raise UsageError, "#{text}: only http:// can be loaded." unless uri.instance_of?(URI::HTTP)

        raise UsageError, "#{uri.port} is no port." unless PORTS.cover?(uri.port)

        new(host: reachable(uri.hostname, uri.port), port: uri.port, path: uri.request_uri)
      rescue URI::InvalidURIError
        raise UsageError, "#{text.inspect} is no address. Write for instance http://127.0.0.1:3000/products."
      end

      # The first of the host's addresses that accepts a connection.
      def self.reachable(name, port)
        addresses = Addrinfo.getaddrinfo(name, port, nil, :STREAM)
        foreign(name) unless addresses.all? { |one| one.ipv4_loopback? || one.ipv6_loopback? }
        found = addresses.find { |address| listens?(address) }
        return found.ip_address if found

        raise EnvironmentError, "nothing listens at #{name}:#{port}. Start the server first."
      rescue SocketError
        raise UsageError, "there is no host called #{name.inspect}."
      end

      def self.listens?(address)
        address.connect(timeout: CONNECT_S, &:itself)
        true
      rescue SystemCallError
        false
      end

      def self.foreign(name)
        raise UsageError, "#{name} is not this machine, and load on somebody else's is an " \
                          "attack. Only loopback can be loaded for now; --i-own #{name} will " \
                          "allow it in a later version."
      end
      private_class_method :reachable, :listens?, :foreign

      # What is loaded, as the person would write it.
      #: () -> String
      def to_s = unix || "#{host.include?(':') ? "[#{host}]" : host}:#{port}"
    end
  end
end

# frozen_string_literal: true

require "socket"

module Mohs
  class LoadRun
    # A server that is already running. host: one of its addresses that accepts connections; port;
    # unix: the path of a socket in place of both; path: to request; owned: whether it is another
    # machine, which the user declares as theirs; tls: for https://, the host name that the server
    # is told ("" if it was named by its address), else nil.
    class Server < Struct.new(:host, :port, :unix, :path, :owned, :tls, keyword_init: true)
      SOCKET = %r{\Aunix:(?://)?(?<socket>/[^:]+)(?::(?<path>/.*))?\z}
      # A port alone: such a server must be on this machine.
      PORT = %r{\A:?(?<port>\d{1,5})(?<path>/.*)?\z}
      CONNECT_S = 2
      UNVERIFIED = "mohs verifies no certificate, so it loads only this machine over TLS."

      # Parses `http://127.0.0.1:3000/path`, `https://localhost:3000`, `localhost:3000` or
      # `unix:/run/app.sock:/path`. own: the host of --i-own. unix: the path of --unix, over which
      # such an address is requested. Raises UsageError for a host that must not be loaded,
      # EnvironmentError if nothing listens, or what does has no TLS but should.
      #: (String, ?own: String?, ?unix: String?) -> LoadRun::Server
      def self.parse(text, own: nil, unix: nil)
        socket = SOCKET.match(text)
        raise UsageError, "--unix names a socket, and so does #{text}." if socket && unix
        return over(socket[:socket], socket[:path], own) if socket

        near = of_port(text)
        raise UsageError, "#{text} is no server address. Did you mean #{near}?" if near

        uri = uri(text)
        tls = tls_name(uri, own:, unix:) if uri.is_a?(URI::HTTPS)
        return over(unix, uri.request_uri, own) if unix

        addresses = admit(uri.hostname, resolve(uri.hostname, uri.port), own, tls:)
        new(host: listening(addresses, uri, tls), port: uri.port, path: uri.request_uri, tls:,
            owned: addresses.any? { |one| !Loopback.address?(one) })
      end

      # The address that is meant by a port alone; nil if the text isn't one.
      #: (String) -> String?
      def self.of_port(text)
        match = PORT.match(text)
        "http://127.0.0.1:#{match[:port]}#{match[:path] || '/'}" if match
      end

      # Returns `addresses` of the host `name` if it may be loaded: this machine, or the host that
      # `own` names. Raises UsageError otherwise.
      #: (String, Array[Addrinfo], String?, ?tls: String?) -> Array[Addrinfo]
      def self.admit(name, addresses, own, tls: nil)
        return addresses if own && bare(own) == bare(name)
        raise UsageError, "--i-own names #{own}, but the address is of #{name}: it must name " \
                          "the host that is loaded." if own
        return addresses if addresses.all? { |one| Loopback.address?(one) }

        raise UsageError, "#{name} is not this machine: #{UNVERIFIED}" if tls

        raise UsageError, "#{name} is not this machine, and loading somebody else's server is " \
                          "an attack. If it is yours, or you may load it: --i-own #{name}"
      end

      def self.over(socket, path, own)
        raise UsageError, "--i-own names a host; a unix socket is on this machine." if own

        accepts(socket)
        new(unix: socket, path: path || "/", owned: false)
      end

      def self.accepts(socket)
        Http::Client.new(unix: socket).reach
      rescue ArgumentError => error # too long for a socket
        raise UsageError, "#{socket}: #{error.message}."
      rescue SystemCallError => error
        silent("#{socket} (#{error.class.new.message})")
      end

      def self.uri(text)
        Http::Address.parse(text.include?("://") ? text : "http://#{text}", tls: true)
      end

      # RFC 6066 3: a server is told its name, but no address.
      def self.tls_name(uri, own:, unix:)
        raise UsageError, "--unix is for http://: over TLS a server has a port." if unix
        raise UsageError, "--i-own is for http://: #{UNVERIFIED}" if own

        Http::Tls.verify_built
        bare = bare(uri.hostname)
        bare.include?(":") || bare.match?(/\A[\d.]+\z/) ? "" : bare
      end

      # The form in which different spellings of one host are equal.
      def self.bare(name) = HostName.bare(name.downcase).delete_suffix(".")

      def self.resolve(name, port)
        Addrinfo.getaddrinfo(name, port, nil, :STREAM)
      rescue SocketError
        raise UsageError, "the host name #{name.inspect} can't be resolved."
      end

      # The first of the addresses that accepts a connection.
      def self.listening(addresses, uri, tls)
        found = addresses.find { |address| listens?(address, tls) }
        found ? found.ip_address : silent("#{uri.hostname}:#{uri.port}")
      end

      def self.silent(place)
        raise EnvironmentError.silent(place)
      end

      def self.listens?(address, tls)
        Http::Client.new(host: address.ip_address, port: address.ip_port, tls:,
                         timeout_s: CONNECT_S).reach
        true
      rescue SystemCallError
        false
      end

      private_class_method :over, :accepts, :uri, :tls_name, :bare, :resolve, :listening, :silent,
                           :listens?

      # For Load::Target and Http::Client.
      #: () -> Hash[Symbol, untyped]
      def place = to_h.slice(:host, :port, :unix, :tls)

      # The target of the load, as the user would write it.
      #: () -> String
      def to_s = unix || "#{'https://' if tls}#{HostName.at(host, port)}"
    end
  end
end

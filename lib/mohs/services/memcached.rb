# frozen_string_literal: true

require "socket"

module Mohs
  module Services
    # Memcached, as Dalli finds it, the client of Rails' mem_cache_store. It has one address: its
    # socket, or a port of loopback, where any user of the machine may ask it.
    class Memcached < Base
      TITLE = "Memcached"
      PACKAGE = "memcached"
      PROGRAMS = %w[memcached].freeze
      VARIABLE = "MEMCACHE_SERVERS"
      SCHEMES = %w[memcached].freeze
      PORT = 11_211
      ACCOUNT = "memcache" # it refuses to run as root
      READY = nil # its log says so only with -vv, which logs each request, too
      STOP_SIGNAL = "TERM"

      # Room enough that nothing is thrown out, and a connection for each of a few hundred threads.
      SETTINGS = { "memory-limit" => "256", "conn-limit" => "1024", "threads" => "4" }.freeze

      GEMS = %w[dalli].freeze

      # Rails asks the Memcached that the environment names if its store is given no address. It
      # generates a line for that in each production.rb, as a comment.
      SOUGHT = /^[^#\n]*(?::mem_cache_store\b(?!\s*,\s*["'])|#{VARIABLE})/

      SOCKET = "memcached.sock"

      # A path, or HOST:PORT, one or several.
      ADDRESS = %r{\A(?:/|[\w.-]+:\d+(?:,|\z))}
      private_constant :ADDRESS

      #: (String) -> bool
      def self.url?(text) = super || text.match?(ADDRESS)

      #: () -> Process::Command
      def start
        where = ["--unix-socket=#{path(SOCKET)}", "--unix-mask=700"]
        where = ["--listen=#{Process::Port::HOST}", "--port=#{place.port}"] if place.port
        command([program("memcached"), *where,
                 *SETTINGS.map { |name, value| "--#{name}=#{value}" }])
      end

      #: () -> Addrinfo
      def listening
        return Addrinfo.tcp(Process::Port::HOST, place.port) if place.port

        Addrinfo.unix(path(SOCKET))
      end

      # It has no client that could ask for its settings.
      #: () -> Array[Process::Command]
      def inquiries = [command([program("memcached"), "--version"])]

      #: (Array[String]) -> { version: String?, settings: Hash[String, String] }
      def attested(outputs)
        { version: outputs.first.to_s[/\Amemcached ([\d.]+)/, 1], settings: {} }
      end

      #: (Array[String]) -> Hash[String, String]
      def env(_names)
        { VARIABLE => place.port ? "#{Process::Port::HOST}:#{place.port}" : path(SOCKET) }
      end
    end
  end
end

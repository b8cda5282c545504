# frozen_string_literal: true

module Mohs
  module Services
    # Redis.
    class Redis < Base
      TITLE = "Redis"
      PACKAGE = "redis-server"
      PROGRAMS = %w[redis-server redis-cli].freeze
      VARIABLE = "REDIS_URL"
      SCHEMES = %w[redis rediss unix].freeze
      PORT = 6379
      READY = /ready to accept connections/i
      STOP_SIGNAL = "TERM"

      # Nothing is written to disk: a fork that saves everything, or a log of each change, would
      # slow down one variant and not the other.
      SETTINGS = { "save" => "", "appendonly" => "no" }.freeze

      # Rails generates a line for Redis in each config/cable.yml, used or not, but no gem.
      GEMS = %w[redis redis-client].freeze
      SOUGHT = /#{VARIABLE}/

      SOCKET = "redis.sock"
      ANSWER = /\A(?<name>[\w-]+)\r?\n(?<value>[^\r\n]*)\r?\n/

      URL = %r{rediss?://(?:[^@/\s]*@)?([\w.-]+)(?::(\d+))?}
      private_constant :URL

      #: (String) -> [String?, String?]
      def self.place_in(text) = URL.match(text)&.captures || super

      # A file, because others can read a process's arguments.
      #: () -> Hash[String, String]
      def files
        settings = { **SETTINGS, "daemonize" => "no", "dir" => place.folder,
                     "unixsocket" => path(SOCKET), "unixsocketperm" => "700",
                     "bind" => Process::Port::HOST, "port" => place.port.to_i.to_s,
                     **(place.port ? { "requirepass" => place.password } : {}) }
        { config => settings.map { |name, value| "#{name} #{value.dump}\n" }.join }
      end

      #: () -> Process::Command
      def start = command([program("redis-server"), config])

      #: () -> Array[Process::Command]
      def inquiries
        [%w[INFO server], *SETTINGS.keys.map { |name| ["CONFIG", "GET", name] }].map do |question|
          command([program("redis-cli"), "-s", path(SOCKET), *question],
                  env: { "REDISCLI_AUTH" => place.port && place.password })
        end
      end

      #: (Array[String]) -> { version: String?, settings: Hash[String, String] }
      def attested(outputs)
        found = outputs.drop(1).filter_map { |text| ANSWER.match(text)&.values_at(:name, :value) }
        { version: outputs.first.to_s[/^redis_version:([\d.]+)/, 1], settings: found.to_h }
      end

      # It has a single database for everything.
      #: (Array[String]) -> Hash[String, String]
      def env(_names)
        address = if place.port
                    "redis://default:#{place.password}@#{Process::Port::HOST}:#{place.port}/0"
                  else
                    "unix://#{path(SOCKET)}"
                  end
        { VARIABLE => address }
      end

      private

      def config = path("redis.conf")
    end
  end
end

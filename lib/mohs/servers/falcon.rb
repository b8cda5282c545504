# frozen_string_literal: true

module Mohs
  module Servers
    # Falcon: any number of connections served by fibers, in forked processes (falcon:2), in threads
    # of one process (falcon:1x4) or in threads of several (falcon:2x4, its hybrid container).
    class Falcon < Base
      GEMS = { "falcon" => ">= 0.42" }.freeze
      CAPABILITIES = { processes: true, threads: true, fibers: true, keep_alive: true,
                       unix: true }.freeze
      FORKED = true
      STOP_SIGNAL = "INT"
      DRAINS = false
      THREADS = nil
      # The title of a thread that serves shows its load, as does that of a process without threads:
      # "http://127.0.0.1:20001 (C=1/2 R=0/7 L=0.1)".
      SERVING = %r{\A\S+ \(C=\d+/\d+ R=}
      WORKER = %r{\A(?:http://\S+|mohs) \(}
      # A process with several threads has its address as its title from the start.
      HYBRID = %r{\Ahttp://\S+\z}

      # Falcon logs each request at level info.
      #: () -> Launch
      def launch
        return host if settings.bind.unix

        args = ["serve", "--bind", url, *own_words, "--config", "config.ru"]
        Launch.new(gem: "falcon", executable: "falcon", args:, env: ENVIRONMENT, **named)
      end

      # Options of `falcon serve`.
      #: () -> Array[String]
      def own_words
        processes, threads = settings.to_h.values_at(:processes, :threads).map(&:to_s)
        return ["--count", processes] unless settings.threads
        return ["--threaded", "--count", threads] if settings.processes == 1

        ["--hybrid", "--forks", processes, "--threads", threads]
      end

      private

      ENVIRONMENT = { "CONSOLE_LEVEL" => "warn" }.freeze
      private_constant :ENVIRONMENT

      def refused_unix
        super || ("has no threads on a unix socket" if settings.bind&.unix && settings.threads)
      end

      # A single process with threads serves itself, without workers.
      def named
        return workers(WORKER) unless settings.threads

        settings.processes == 1 ? {} : workers(HYBRID)
      end

      # `falcon serve` accepts the address of a unix socket but creates no socket.
      def host
        Launch.new(gem: "falcon", executable: "falcon", args: ["host", config_path],
                   env: ENVIRONMENT, files: { config_path => config }, **workers(WORKER))
      end

      def config
        <<~RUBY
          require "falcon/environment/rack"

          service "mohs" do
            include Falcon::Environment::Rack
            rackup_path { "config.ru" }
            count { #{settings.processes} }
            endpoint do
              Async::HTTP::Endpoint.parse("http://localhost", IO::Endpoint.unix(#{settings.bind.unix.dump}))
            end
          end
        RUBY
      end
    end
  end
end

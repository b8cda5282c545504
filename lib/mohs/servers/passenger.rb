# frozen_string_literal: true

module Mohs
  module Servers
    # Passenger Standalone as Debian packages it: its own web server, which starts the application
    # in processes of one thread. The command runs under Debian's Ruby and starts the application's
    # through a script of ours (Launch#ruby_file). Its watchdog and core leave the session.
    class Passenger < Base
      # Its helpers need base64, which Ruby 3.4 no longer brings.
      GEMS = { "rack" => ">= 2", "base64" => ">= 0" }.freeze
      CAPABILITIES = { processes: true, keep_alive: true, unix: true, preload: true }.freeze
      COMMAND = "/usr/bin/passenger"
      FORKED = true
      SERVING = "1 if defined?(::PhusionPassenger)"
      STOP_SIGNAL = "INT"
      THREADS = 1
      OPTIONS = { processes: %w[--max-pool-size] }.freeze
      WORKER = /\APassenger RubyApp: /
      # No request leaves the machine, and no line is logged for one.
      QUIET = %w[--disable-security-update-check --disable-anonymous-telemetry --log-level 1].freeze

      #: () -> Launch
      def launch
        count = settings.processes.to_s
        args = ["start", *listen, "-e", "production", "-R", "config.ru", "--engine", "builtin",
                "--max-pool-size", count, "--min-instances", count, "--ruby", ruby_file,
                "--spawn-method", settings.preload ? "smart" : "direct", *QUIET,
                "--log-file", scratch("log"), "--pid-file", scratch("pid")]
        Launch.new(gem: nil, executable: COMMAND, args:, ruby_file:, **workers(WORKER))
      end

      private

      def listen
        bind = settings.bind
        bind.unix ? ["-S", bind.unix] : ["-a", bind.host, "-p", bind.port.to_s]
      end

      def ruby_file = scratch("ruby")

      def scratch(ending) = File.join(settings.folder, "passenger.#{ending}")
    end
  end
end

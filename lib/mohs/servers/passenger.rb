# frozen_string_literal: true

require "shellwords"

module Mohs
  module Servers
    # Passenger Standalone as Debian packages it: its own web server, which starts the application
    # in processes with one thread. The command runs under Debian's Ruby and starts the
    # application's Ruby through a generated script (Launch#ruby_file). Its watchdog and core leave
    # the session.
    class Passenger < Base
      # Its helpers need base64, which Ruby 3.4 no longer includes.
      GEMS = { "rack" => ">= 2", "base64" => ">= 0" }.freeze
      CAPABILITIES = { processes: true, keep_alive: true, unix: true, preload: true }.freeze
      PACKAGE = ["/usr/bin/passenger", "passenger"].freeze
      FORKED = true
      SERVING = "1 if defined?(::PhusionPassenger)"
      RELEASE = "::PhusionPassenger::VERSION_STRING"
      STOP_SIGNAL = "INT"
      DRAINS = false
      THREADS = 1
      OPTIONS = { processes: %w[--max-pool-size] }.freeze
      WORKER = /\APassenger RubyApp: /
      CORE = /\APassenger core\b/ # takes all requests
      READY = /^process \d+ attached$/
      # Longest folder. A unix socket's path has room for 107 bytes. Passenger cuts the longest
      # path, that of a process, to 98 bytes, whose end has to be unique:
      # FOLDER/passenger.1234567/apps.s/ruby.12345
      LONGEST = 62
      SHORT = "/tmp"
      # No request leaves the machine, and requests are not logged.
      QUIET = %w[--disable-security-update-check --disable-anonymous-telemetry --log-level 1].freeze

      #: () -> Launch
      def launch
        args = ["start", *listen, "-e", "production", "-R", "config.ru", "--engine", "builtin",
                *own_words, "--ruby", ruby_file, *QUIET,
                *%w[attached_process spawn_failed].flat_map do |event|
                  ["--ctls", "hook_#{event}=#{scratch('hook')}"]
                end,
                "--log-file", scratch("log"), "--pid-file", scratch("pid")]
        Launch.new(executable: PACKAGE.first, args:, ruby_file:, ready_file: scratch("ready"),
                   files: { scratch("hook") => hook }, helper_pattern: CORE,
                   env: { "PASSENGER_INSTANCE_REGISTRY_DIR" => registry }, **workers(WORKER, READY))
      end

      # These take precedence over a Passengerfile.json, which can't contain comments.
      #: () -> Array[String]
      def own_words
        count = settings.processes.to_s
        ["--max-pool-size", count, "--min-instances", count,
         "--spawn-method", settings.preload ? "smart" : "direct"]
      end

      private

      # Called for each process that has loaded the application; its title does not show that. The
      # log file won't do: the command prints only what is added to it once it follows it. Also
      # called for each process that could not load the application: Passenger would try again at
      # every request, and leave a page with the whole environment each time.
      def hook
        ready = Shellwords.escape(scratch("ready"))
        <<~SH
          #!/bin/sh
          if [ "$PASSENGER_HOOK_NAME" = attached_process ]; then
            echo "process $PASSENGER_PROCESS_PID attached" >> #{ready}
          elif [ ! -e #{ready} ]; then
            kill -#{STOP_SIGNAL} "$(cat #{Shellwords.escape(scratch('pid'))})" 2> /dev/null
          fi
        SH
      end

      # The folder for Passenger's own folder with its sockets, which is left behind when Passenger
      # is killed: the trial's folder, if its path is short enough.
      def registry = settings.folder.bytesize > LONGEST ? SHORT : settings.folder

      def ruby_file = scratch("ruby")

      def scratch(ending) = File.join(settings.folder, "passenger.#{ending}")
    end
  end
end

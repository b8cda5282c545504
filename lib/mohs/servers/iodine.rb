# frozen_string_literal: true

module Mohs
  module Servers
    # Iodine: an event loop in C that calls the application in threads of each process.
    class Iodine < Base
      GEMS = { "iodine" => ">= 0.7" }.freeze
      CAPABILITIES = { processes: true, threads: true, keep_alive: true, unix: true,
                       preload: true }.freeze
      FORKED = true
      SERVING = "::Iodine.threads"
      STOP_SIGNAL = "TERM"
      THREADS = 5
      ALWAYS_PRELOADS = true
      OPTIONS = { processes: %w[-w], threads: %w[-t] }.freeze

      #: () -> Launch
      def launch
        args = [*listen(host: "-b", unix: "-b"), *(%w[-p 0] if settings.bind.unix),
                "-w", settings.processes.to_s, "-t", settings.threads.to_s, "config.ru"]
        Launch.new(gem: "iodine", executable: "iodine", args:,
                   **cluster(/iodine/, root_serves: false))
      end
    end
  end
end

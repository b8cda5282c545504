# frozen_string_literal: true

module Mohs
  module Servers
    # Iodine: an event loop in C that calls the application in threads of each process. 0.8 is a
    # rewrite with options of its own.
    class Iodine < Base
      GEMS = { "iodine" => ">= 0.7" }.freeze
      CAPABILITIES = { processes: true, threads: true, keep_alive: true, unix: true,
                       preload: true }.freeze
      FORKED = true
      SERVING = "::Iodine.threads"
      STOP_SIGNAL = "TERM"
      REPORTS = nil # 0.7 logs the error, 0.8 exits by SIGTERM without a message
      THREADS = 5
      ALWAYS_PRELOADS = true
      OPTIONS = { processes: %w[-w], threads: %w[-t] }.freeze

      #: () -> Launch
      def launch
        args = [*(new? ? address_of_new : address_of_old), *own_words, "config.ru"]
        Launch.new(gem: "iodine", executable: "iodine", args:,
                   **cluster(/iodine/, root_serves: false))
      end

      # 0.8 loads the application in each worker unless --preload is given, and with -w 1 it forks
      # an additional process; 0.7 always loads it first, and its own --preload makes a request.
      #: () -> Array[String]
      def own_words
        threads = ["-t", settings.threads.to_s]
        return ["-w", settings.processes.to_s, *threads] unless new?

        ["--preload", "-w", settings.processes > 1 ? settings.processes.to_s : "0", *threads]
      end

      private

      def new? = Gem::Version.new(settings.version || "0.7") >= Gem::Version.new("0.8")

      # If a port is given, 0.8 ignores a path.
      def address_of_new = settings.bind.unix ? ["-b", url] : listen(host: "-b")

      def address_of_old
        [*listen(host: "-b", unix: "-b"), *(%w[-p 0] if settings.bind.unix)]
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Servers
    # Puma: threads, and forked workers if the engine has fork. All settings are in a generated
    # configuration file: without -C, Puma would read the application's config/puma.rb, and its
    # defaults (WEB_CONCURRENCY, preloading in a cluster) vary with its version.
    class Puma < Base
      GEMS = { "puma" => ">= 5" }.freeze
      OLD_GEMS = { "2.2" => { "puma" => ">= 3.11" } }.freeze # the last that 2.0 and 2.1 run
      CAPABILITIES = { processes: true, threads: true, keep_alive: true, unix: true,
                       preload: true }.freeze
      STOP_SIGNAL = "TERM"
      CONFIGURABLE = true
      THREADS = 5 # what Rails generates, and Puma's own default
      OPTIONS = { processes: %w[-w --workers], threads: %w[-t --threads] }.freeze
      SERVING = /\b(tp|threadpool) \d+\z/ # Puma 5 to 8

      # Puma 3 names no threads, and before Ruby 2.3 they can't have names.
      NAMELESS = "ObjectSpace.each_object(Puma::ThreadPool).map(&:spawned).max"
      WORKER = /\Apuma: cluster worker \d+:/
      READY = /Worker \d+ \((?:PID|pid): \d+\) booted/ # small letters before Puma 5
      WORKERS = /^\[\d+\] \*\s+Workers: (\d+)$/
      PRELOADING = /^\[\d+\] \* Preloading application$/
      # Where Puma looks for the application's own configuration (puma/configuration.rb); the first
      # file that exists.
      OWN_FILES = %w[config/puma/production.rb config/puma.rb].freeze

      COMMENT = /#.*$/
      PRELOAD = /\bpreload_app!(?!\s*\(?\s*(?:false|nil))/
      NO_PRELOAD = /\bpreload_app!|^\s*prune_bundler\b(?!\s*\(?\s*false)/
      # The number of workers, without a condition: `workers count if count > 1`.
      COUNT = /^\s*workers\b([^;\n]*?)(?:\s(?:if|unless)\b.*)?(?:;|$)/
      # No more than one, alone or as a default: `workers ENV.fetch("WEB_CONCURRENCY", 1)`; not as
      # the factor of another number.
      ONE = /(?:\A|[,({]|\|\||\bENV\S+ \?.*:)\s*["']?[01]["']?[\s)}]*(?:&?\.to_i)?[\s)}]*\z/
      FACTOR = /[\w)\]]\s*\*/
      private_constant :COMMENT, :PRELOAD, :NO_PRELOAD, :COUNT, :ONE, :FACTOR

      # From this version on it preloads with several workers by default, unless it prunes Bundler.
      PRELOADS_BY_DEFAULT = Gem::Version.new("7")

      # See Base.
      #: (String, ?version: String?) -> bool
      def self.preloads?(text, version: nil)
        code = text.gsub(COMMENT, "")
        return true if code.match?(PRELOAD)
        return false if version && Gem::Version.new(version).release < PRELOADS_BY_DEFAULT

        !code.match?(NO_PRELOAD) && code.scan(COUNT).any? { |(count)| several?(count.strip) }
      end

      def self.several?(count) = count.match?(FACTOR) || !count.match?(ONE)
      private_class_method :several?

      #: () -> Launch
      def launch
        return own_launch if own_config

        Launch.new(gem: "puma", executable: "puma", args: ["-C", config_path, "config.ru"],
                   files: { config_path => config }, preload_line: PRELOADING,
                   **cluster(WORKER, READY))
      end

      # With one worker there would be two processes, the worker and the one that forks it. Puma's
      # own default for preloading varies with its version.
      #: () -> Array[String]
      def own_lines
        threads = "threads #{settings.threads}, #{settings.threads}"
        return ["workers 0", threads] if settings.processes == 1

        ["workers #{settings.processes}", threads,
         settings.preload ? "preload_app!" : "preload_app! false"]
      end

      private

      def refused_preload
        return super if !settings.preload || settings.config
        return "#{own_config} says whether the application is preloaded" if own_config

        "one process forks nothing that could be preloaded: puma:2 or more" \
          if settings.processes == 1
      end

      def own_config
        settings.config || (present_file if settings.own_config)
      end

      # The command line overrides the file, so it has only what belongs to this server: its address
      # and a pidfile of its own. The file's pidfile (tmp/pids/server.pid in the one that Rails
      # generates) may belong to a server that the user runs, and is removed when this server exits.
      # The file sets the number of workers.
      def own_launch
        pidfile = File.join(settings.folder, "puma.pid")
        args = ["-C", own_config, "-b", url("tcp"), "--pidfile", pidfile, "config.ru"]
        Launch.new(gem: "puma", executable: "puma", args:, expected_processes: nil,
                   workers_line: WORKERS, preload_line: PRELOADING, worker_pattern: WORKER,
                   ready_line: READY)
      end

      def config
        ["bind #{url('tcp').dump}", *own_lines, "log_requests false\n"].join("\n")
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Servers
    # Pitchfork: workers with one thread each, forked from a mold that has loaded the application;
    # they close the connection after every response. With refork, new workers are forked from one
    # that has served, so they share the memory that serving has changed.
    class Pitchfork < Base
      GEMS = { "pitchfork" => ">= 0.1" }.freeze
      CAPABILITIES = { processes: true, unix: true, preload: true, refork: true }.freeze
      FORKED = true
      SERVING = "1 if defined?(::Pitchfork::HttpServer)"
      STOP_SIGNAL = "QUIT"
      THREADS = 1
      ALWAYS_PRELOADS = true
      OWN_FILES = %w[config/pitchfork.rb].freeze
      WORKER = /\Apitchfork \(gen:(?<generation>\d+)\) worker\[\d+\]/
      READY = /worker=\d+ gen=\d+ pid=\d+ ready/
      # Number of requests after which a worker becomes the next mold, low enough to happen in the
      # warm-up; false: never again.
      REFORK_AFTER = [50, false].freeze

      #: () -> Launch
      def launch
        args = ["-c", config_path, "config.ru"]
        Launch.new(gem: "pitchfork", executable: "pitchfork", args:,
                   files: { config_path => config }, **workers(WORKER, READY))
      end

      #: () -> Array[String]
      def own_lines
        refork = "refork_after #{REFORK_AFTER.inspect}" if settings.refork
        ["worker_processes #{settings.processes}", *refork]
      end

      # Pitchfork looks for no file by itself.
      #: () -> Array[String]
      def own_words = ["-c", own_file]

      private

      def config = ["listen #{address.dump}", *own_lines, "timeout 60\n"].join("\n")
    end
  end
end

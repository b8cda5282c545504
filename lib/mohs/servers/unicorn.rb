# frozen_string_literal: true

module Mohs
  module Servers
    # Unicorn: forked workers with one thread each, which close the connection after every response.
    class Unicorn < Base
      GEMS = { "unicorn" => ">= 5" }.freeze
      CAPABILITIES = { processes: true, unix: true, preload: true }.freeze
      FORKED = true
      SERVING = "1 if defined?(::Unicorn::HttpServer)"
      STOP_SIGNAL = "QUIT" # TERM drops requests in progress
      THREADS = 1
      OWN_FILES = %w[config/unicorn.rb].freeze
      WORKER = /\Aunicorn worker\[\d+\]/
      READY = /worker=\d+ ready/

      # -N: without it, Unicorn adds middleware depending on RACK_ENV, including logging.
      #: () -> Launch
      def launch
        args = ["-N", "-c", config_path, "config.ru"]
        Launch.new(gem: "unicorn", executable: "unicorn", args:, files: { config_path => config },
                   **workers(WORKER, READY))
      end

      #: () -> Array[String]
      def own_lines
        ["worker_processes #{settings.processes}",
         "preload_app #{settings.preload ? true : false}"]
      end

      # Unicorn looks for no file by itself.
      #: () -> Array[String]
      def own_words = ["-c", own_file]

      private

      def config = ["listen #{address.dump}", *own_lines, "timeout 60\n"].join("\n")
    end
  end
end

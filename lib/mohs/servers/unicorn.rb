# frozen_string_literal: true

module Mohs
  module Servers
    # Unicorn: forked workers of one thread each, which close the connection after every answer.
    class Unicorn < Base
      GEMS = { "unicorn" => ">= 5" }.freeze
      CAPABILITIES = { processes: true, unix: true, preload: true }.freeze
      FORKED = true
      SERVING = "1 if defined?(::Unicorn::HttpServer)"
      STOP_SIGNAL = "QUIT" # TERM drops requests under way
      THREADS = 1
      WORKER = /\Aunicorn worker\[\d+\]/
      READY = /worker=\d+ ready/

      # -N: without it Unicorn adds middleware by RACK_ENV, logging among it.
      #: () -> Launch
      def launch
        args = ["-N", "-c", config_path, "config.ru"]
        Launch.new(gem: "unicorn", executable: "unicorn", args:, files: { config_path => config },
                   **workers(WORKER, READY))
      end

      private

      def config
        <<~RUBY
          listen #{address.dump}
          worker_processes #{settings.processes}
          preload_app #{settings.preload ? true : false}
          timeout 60
        RUBY
      end
    end
  end
end

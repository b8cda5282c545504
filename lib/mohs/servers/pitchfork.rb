# frozen_string_literal: true

module Mohs
  module Servers
    # Pitchfork: workers of one thread each, forked from a mold that has loaded the application;
    # they close the connection after every answer. It forks them anew from a warm worker only where
    # its configuration says so (`refork_after`), which ours doesn't.
    class Pitchfork < Base
      GEMS = { "pitchfork" => ">= 0.1" }.freeze
      CAPABILITIES = { processes: true, unix: true, preload: true }.freeze
      FORKED = true
      SERVING = "1 if defined?(::Pitchfork::HttpServer)"
      STOP_SIGNAL = "QUIT"
      THREADS = 1
      ALWAYS_PRELOADS = true
      WORKER = /\Apitchfork \(gen:\d+\) worker\[\d+\]/
      READY = /worker=\d+ gen=\d+ pid=\d+ ready/

      #: () -> Launch
      def launch
        args = ["-c", config_path, "config.ru"]
        Launch.new(gem: "pitchfork", executable: "pitchfork", args:,
                   files: { config_path => config }, **workers(WORKER, READY))
      end

      private

      def config
        <<~RUBY
          listen #{address.dump}
          worker_processes #{settings.processes}
          timeout 60
        RUBY
      end
    end
  end
end

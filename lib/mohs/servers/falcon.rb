# frozen_string_literal: true

module Mohs
  module Servers
    # Falcon: forked workers, each of which serves any number of connections by fibers.
    class Falcon < Base
      GEMS = { "falcon" => ">= 0.42" }.freeze
      CAPABILITIES = { processes: true, fibers: true, keep_alive: true }.freeze
      FORKED = true
      STOP_SIGNAL = "INT"
      THREADS = nil
      # A worker shows its load: "http://127.0.0.1:20001 (C=1/2 R=0/7 L=0.1)"; the master keeps its
      # command line.
      WORKER = %r{\Ahttp://\S+ \(}

      # Falcon logs each request at level info.
      #: () -> Launch
      def launch
        args = ["serve", "--bind", "http://#{address}", "--count", settings.processes.to_s,
                "--config", "config.ru"]
        Launch.new(gem: "falcon", executable: "falcon", args:, env: { "CONSOLE_LEVEL" => "warn" },
                   **workers(WORKER))
      end
    end
  end
end

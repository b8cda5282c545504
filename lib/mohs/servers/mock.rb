# frozen_string_literal: true

module Mohs
  module Servers
    # A server for tests: needs no gem, boots in milliseconds, ignores the application, and fails as
    # MOHS_MOCK_* variables specify (see inside/mock_server.rb).
    class Mock < Base
      GEMS = {}.freeze
      CAPABILITIES = { processes: true, threads: true, keep_alive: true, unix: true }.freeze
      SERVING = /\Amock tp \d+\z/
      FOR_TESTS = true
      STOP_SIGNAL = "TERM"
      THREADS = 5
      WORKER = /\Amock worker\[\d+\]/
      SCRIPT = File.expand_path("../inside/mock_server.rb", __dir__)

      # Includes engines for tests.
      #: () -> Array[singleton(Rubies::Engines::Base)]
      def self.engines = Rubies::Engines.all
      private_class_method :engines

      #: () -> Launch
      def launch
        Launch.new(gem: nil, executable: SCRIPT, args: [address, *own_words], **cluster(WORKER))
      end

      #: () -> Array[String]
      def own_words = [settings.processes.to_s, settings.threads.to_s]
    end
  end
end

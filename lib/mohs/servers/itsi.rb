# frozen_string_literal: true

module Mohs
  module Servers
    # Itsi: an event loop in Rust that calls the application in threads of each process.
    class Itsi < Base
      GEMS = { "itsi-server" => ">= 0.2" }.freeze
      CAPABILITIES = { processes: true, threads: true, keep_alive: true, unix: true,
                       preload: true }.freeze
      FORKED = true
      STOP_SIGNAL = "INT"
      THREADS = 5
      OWN_FILES = %w[Itsi.rb].freeze
      OPTIONS = { processes: %w[-w --workers], threads: %w[-t --threads] }.freeze

      # Each worker logs this once it has loaded the application.
      READY = / INFO worker: .*single_mode: .*"pid":"\d+"/

      # Uses a generated file: Itsi would otherwise read the application's Itsi.rb, and write its
      # pid there.
      #: () -> Launch
      def launch
        Launch.new(gem: "itsi-server", executable: "itsi", args: ["serve", "-C", config_path],
                   files: { config_path => config },
                   **cluster(/itsi/, READY, root_serves: false))
      end

      # Without the last line, a file with only these settings would serve no application.
      #: () -> Array[String]
      def own_lines
        ["workers #{settings.processes}", "threads #{settings.threads}",
         "preload #{settings.preload ? true : false}", 'rackup_file "./config.ru"']
      end

      private

      def config
        pid = File.join(settings.folder, "itsi.pid")
        <<~RUBY
          Itsi::Server::Config.define_singleton_method(:pid_file_path) { #{pid.dump} }
          #{own_lines.join("\n")}
          bind #{url.dump}
          log_level :info # one line for each worker, none for requests
        RUBY
      end
    end
  end
end

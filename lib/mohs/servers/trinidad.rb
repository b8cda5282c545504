# frozen_string_literal: true

module Mohs
  module Servers
    # Trinidad: Tomcat 7 in JRuby's own process, for applications of rack 2.
    class Trinidad < Base
      GEMS = { "trinidad" => ">= 1.4", "rack" => "~> 2.2" }.freeze
      CAPABILITIES = { threads: true, keep_alive: true }.freeze
      ENGINES = %w[jruby].freeze
      BELOW = "3.2" # it calls File.exists?, which 3.2 removed: no JRuby 10
      # Its JVM survives both INT and TERM; both let requests in progress be answered.
      STOP_SIGNAL = "INT"
      ENDS = false
      LOGS = %w[production.log].freeze # exceptions of the application are nowhere else
      THREADS = 5
      OWN_FILES = %w[config/trinidad.yml].freeze # the file that it looks for
      OPTIONS = { threads: %w[--max_threads] }.freeze
      # Trinidad sets a private field of Java's logging, which Java 16 and later forbid; and it
      # loads the application in a separate runtime, which has to load the bundle.
      JAVA = "--add-opens=java.logging/java.util.logging=org.jruby.dist " \
             "-Djruby.runtime.arguments=-rbundler/setup"

      #: () -> Launch
      def launch
        Launch.new(gem: "trinidad", executable: "trinidad", args: ["--config", config_path],
                   env: { "JAVA_OPTS" => JAVA }, files: { config_path => config })
      end

      # A single runtime, shared by all threads; by default, Trinidad creates several and each loads
      # the application.
      #: () -> Array[String]
      def own_lines
        ["jruby_min_runtimes: 1", "jruby_max_runtimes: 1",
         "http:", "  maxThreads: #{settings.threads}"]
      end

      private

      def config_path = File.join(settings.folder, "trinidad.yml")

      # Trinidad would write its own files to the application's folder. The last line belongs to
      # `http`.
      def config
        <<~YAML
          port: #{settings.bind.port}
          address: #{settings.bind.host}
          environment: production
          rackup: config.ru
          work_dir: #{settings.folder.dump}
          log_dir: #{settings.folder.dump}
          #{own_lines.join("\n")}
            maxKeepAliveRequests: -1
        YAML
      end
    end
  end
end

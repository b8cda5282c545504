# frozen_string_literal: true

module Mohs
  module Servers
    # Jetty 9.4 as Debian packages it, in JRuby's own process (inside/servlet.rb), for applications
    # of rack 2.
    class Jetty < Base
      GEMS = { "jruby-rack" => "~> 1.2.7", "rack" => "~> 2.2" }.freeze
      PACKAGE = ["/usr/share/java/jetty9-server.jar", "libjetty9-java"].freeze
      CAPABILITIES = { threads: true, keep_alive: true }.freeze
      ENGINES = %w[jruby].freeze
      SERVING = "::MOHS_JETTY.thread_pool.max_available_threads"
      RELEASE = "org.eclipse.jetty.util.Jetty::VERSION"
      STOP_SIGNAL = "TERM"
      DRAINS = false # by any signal
      THREADS = 5
      POOL_EXTRA = 2 # its pool also has an acceptor and a selector
      JARS = %w[servlet-api jetty9-http jetty9-io jetty9-security jetty9-server jetty9-servlet
                jetty9-util].freeze

      #: () -> Launch
      def launch = rackup(config_path, gem: "rack", files: { config_path => config })

      # Arguments of its own start.jar: properties of its modules threadpool and http.
      #: () -> Array[String]
      def own_words
        ["jetty.threadPool.maxThreads=#{pool}", "jetty.threadPool.reservedThreads=0",
         "jetty.http.acceptors=1", "jetty.http.selectors=1"]
      end

      private

      def pool = settings.threads + POOL_EXTRA

      # No thread of its pool is reserved; otherwise the number that serve would depend on chance.
      def config
        <<~RUBY
          #{servlet(JARS)}
          MohsServlet.handler("jetty") do |servlet, host, port|
            pool = org.eclipse.jetty.util.thread.QueuedThreadPool.new(#{pool})
            pool.reserved_threads = 0
            MOHS_JETTY = org.eclipse.jetty.server.Server.new(pool)
            connector = org.eclipse.jetty.server.ServerConnector.new(MOHS_JETTY, 1, 1)
            connector.host = host
            connector.port = port
            MOHS_JETTY.add_connector(connector)
            context = org.eclipse.jetty.servlet.ServletContextHandler.new(MOHS_JETTY, "/")
            context.add_servlet(org.eclipse.jetty.servlet.ServletHolder.new(servlet), "/*")
            MOHS_JETTY
          end
        RUBY
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Servers
    # Tomcat 9 as Debian packages it, in JRuby's own process (inside/servlet.rb), for applications
    # of rack 2.
    class Tomcat < Base
      GEMS = { "jruby-rack" => "~> 1.2.7", "rack" => "~> 2.2" }.freeze
      PACKAGE = ["/usr/share/java/tomcat9-catalina.jar", "libtomcat9-java"].freeze
      CAPABILITIES = { threads: true, keep_alive: true }.freeze
      ENGINES = %w[jruby].freeze
      SERVING = "::MOHS_TOMCAT.connector.protocol_handler.executor.maximum_pool_size"
      RELEASE = "org.apache.catalina.util.ServerInfo.server_number"
      STOP_SIGNAL = "TERM"
      DRAINS = nil # it waits two seconds, longer on a busy machine
      THREADS = 5
      OWN_FILES = %w[conf/server.xml].freeze # in Tomcat's own folder
      JARS = %w[annotations-api api catalina coyote jaspic-api jni juli servlet-api util util-scan]
             .map { |name| "tomcat9-#{name}" }.freeze

      #: () -> Launch
      def launch = rackup(config_path, gem: "rack", files: { config_path => config })

      # Attributes for the element that is already in the file.
      #: () -> Array[String]
      def own_lines
        [%(<Connector port="8080" maxThreads="#{settings.threads}" ) +
          %(minSpareThreads="#{settings.threads}" />)]
      end

      private

      # Without maxKeepAliveRequests, Tomcat closes a connection after a hundred requests.
      def config
        <<~RUBY
          #{servlet(JARS)}
          MohsServlet.handler("tomcat") do |servlet, host, port|
            MOHS_TOMCAT = org.apache.catalina.startup.Tomcat.new
            MOHS_TOMCAT.base_dir = #{settings.folder.dump}
            connector = org.apache.catalina.connector.Connector.new
            { address: host, maxThreads: #{settings.threads}, minSpareThreads: #{settings.threads},
              maxKeepAliveRequests: -1 }.each do |name, value|
              connector.set_property(name.to_s, value.to_s)
            end
            connector.port = port
            MOHS_TOMCAT.connector = connector
            context = MOHS_TOMCAT.add_context("", #{settings.folder.dump})
            MOHS_TOMCAT.class.add_servlet(context, "rack", servlet)
            context.add_servlet_mapping_decoded("/*", "rack")
            MOHS_TOMCAT
          end
        RUBY
      end
    end
  end
end

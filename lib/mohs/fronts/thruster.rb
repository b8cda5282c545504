# frozen_string_literal: true

module Mohs
  module Fronts
    # Thruster, the proxy that Rails puts in front of Puma in its containers: a program in Go,
    # included precompiled in its gem. It starts a command and forwards requests to a port of
    # 127.0.0.1; here that command sleeps, and the server is started as it is without a front. It
    # listens on all addresses of the machine, and keeps two connections to the server open; further
    # connections are opened for each request (Go's http.Transport, MaxIdleConnsPerHost).
    class Thruster < Base
      GEMS = { "thruster" => ">= 0.1.15" }.freeze # older ones log every request
      # Its launcher looks for the program by RubyGems' platform, which is Java under JRuby.
      ENGINES = %w[ruby].freeze
      UNIX = false
      LOOPBACK = false
      STOP_SIGNAL = "TERM"
      COMMAND = %w[sleep infinity].freeze
      # With the prefix, these take precedence over the user's own variables.
      PREFIX = "THRUSTER_"
      # TLS, for which it would request certificates over the Internet.
      UNSET = %w[TLS_DOMAIN THRUSTER_TLS_DOMAIN].freeze

      # The version in the name of the gem's folder: the program has no option to print it.
      #: (String) -> String?
      def self.version(program) = program[%r{/thruster-(\d+(?:\.\w+)*)[^/]*/}, 1]

      #: () -> Launch
      def launch
        Launch.new(gem: "thruster", executable: "thrust", args: COMMAND,
                   env: { **UNSET.to_h { |name| [name, nil] }, **variables })
      end

      private

      def variables
        { "HTTP_PORT" => settings.bind.port, "TARGET_PORT" => settings.upstream.port,
          "HTTP_IDLE_TIMEOUT" => IDLE_S, "CACHE_SIZE" => 0, "GZIP_COMPRESSION_ENABLED" => 0,
          "LOG_REQUESTS" => 0 }.to_h { |name, value| ["#{PREFIX}#{name}", value.to_s] }
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Servers
    # Mizuno: Jetty 8 in JRuby's own process, by rackup, for applications of rack 2.
    class Mizuno < Base
      GEMS = { "mizuno" => ">= 0.6", "rack" => "~> 2.2" }.freeze
      CAPABILITIES = { threads: true, keep_alive: true }.freeze
      ENGINES = %w[jruby].freeze
      STOP_SIGNAL = "TERM" # INT leaves its JVM alive
      DRAINS = false
      THREADS = 10
      # Of its pool, which has an acceptor and a selector as well, and never fewer than ten.
      LEAST = 8

      # It can listen on a port again at once only where that is asked for.
      #: () -> Launch
      def launch
        rackup("mizuno", "-E", "production", "-O", "threads=#{settings.threads + 2}",
               "-O", "reuse_address")
      end

      private

      def refused_numbers
        super || ("has #{LEAST} threads or more" if settings.threads < LEAST)
      end
    end
  end
end

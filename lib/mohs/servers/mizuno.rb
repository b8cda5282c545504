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
      # Its pool has an acceptor and a selector as well, and never fewer than ten in all.
      POOL_EXTRA = 2
      LEAST = 10 - POOL_EXTRA

      # It can listen on a port again at once only where that is asked for.
      #: () -> Launch
      def launch
        rackup("mizuno", "-E", "production", *own_words, "-O", "reuse_address")
      end

      # Of rackup.
      #: () -> Array[String]
      def own_words = ["-O", "threads=#{settings.threads + POOL_EXTRA}"]

      private

      def refused_numbers
        super || ("has #{LEAST} threads or more" if settings.threads < LEAST)
      end
    end
  end
end

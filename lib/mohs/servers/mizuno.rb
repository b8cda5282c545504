# frozen_string_literal: true

module Mohs
  module Servers
    # Mizuno: Jetty 8 in JRuby's own process, started by rackup, for applications of rack 2.
    class Mizuno < Base
      GEMS = { "mizuno" => ">= 0.6", "rack" => "~> 2.2" }.freeze
      CAPABILITIES = { threads: true, keep_alive: true }.freeze
      ENGINES = %w[jruby].freeze
      STOP_SIGNAL = "TERM" # INT leaves its JVM running
      DRAINS = false
      THREADS = 10
      # Its pool also has an acceptor and a selector, and never fewer than ten threads in all.
      POOL_EXTRA = 2
      LEAST = 10 - POOL_EXTRA

      # It can listen on a port again immediately only with reuse_address.
      #: () -> Launch
      def launch
        rackup("mizuno", "-E", "production", *own_words, "-O", "reuse_address")
      end

      # Options of rackup.
      #: () -> Array[String]
      def own_words = ["-O", "threads=#{settings.threads + POOL_EXTRA}"]

      private

      def refused_numbers
        super || ("has #{LEAST} threads or more" if settings.threads < LEAST)
      end
    end
  end
end

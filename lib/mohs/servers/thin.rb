# frozen_string_literal: true

module Mohs
  module Servers
    # Thin: one process on EventMachine's loop, which calls the application in that loop, or in a
    # thread pool if more than one thread is asked for. It keeps a connection open only after a
    # response whose length the application gives.
    class Thin < Base
      GEMS = { "thin" => ">= 1.7" }.freeze
      CAPABILITIES = { threads: true, keep_alive: true, unix: true }.freeze
      ENGINES = %w[ruby].freeze # EventMachine is an extension in C++
      # EventMachine has a pool size even if nothing uses the pool, and creates the pool when the
      # first request is deferred to it.
      SERVING = "EventMachine.instance_variable_get(:@threadpool) ? " \
                "EventMachine.threadpool_size : 1"
      STOP_SIGNAL = "QUIT"
      THREADS = 1
      OPTIONS = { threads: %w[--threadpool-size] }.freeze
      # Its own limit of 1024 connections leaves further ones without a response.
      CONNECTIONS = 16_384

      #: () -> Launch
      def launch
        args = ["start", "-q", *listen, "-e", "production", "-R", "config.ru",
                "--max-conns", CONNECTIONS.to_s, *own_words]
        Launch.new(gem: "thin", executable: "thin", args:)
      end

      #: () -> Array[String]
      def own_words
        return [] if settings.threads == 1

        ["--threaded", "--threadpool-size", settings.threads.to_s]
      end
    end
  end
end

# frozen_string_literal: true

module Mohs
  module Servers
    # Agoo: reads and writes in C threads; Ruby is called by one of them at a time in each process,
    # whatever its -t says (seen: six requests that sleep a second take six with -t 3). The first
    # process serves beside those that it forks. It evaluates config.ru without its path, so that
    # require_relative fails there and every page is a 404.
    class Agoo < Base
      GEMS = { "agoo" => ">= 2.14" }.freeze
      CAPABILITIES = { processes: true, keep_alive: true, unix: true, preload: true }.freeze
      FORKED = true
      SERVING = "1 if defined?(::Agoo::Server)"
      STOP_SIGNAL = "TERM"
      DRAINS = nil # it waits two seconds, longer where the machine is busy
      THREADS = 1
      ALWAYS_PRELOADS = true
      OPTIONS = { processes: %w[-w] }.freeze

      # -s: without a line on the terminal for each request.
      #: () -> Launch
      def launch
        args = ["-s", "-b", url, *own_words, "config.ru"]
        Launch.new(gem: "agoo", executable: "agoo", args:, **cluster(/agoo/))
      end

      #: () -> Array[String]
      def own_words = ["-w", settings.processes.to_s]
    end
  end
end

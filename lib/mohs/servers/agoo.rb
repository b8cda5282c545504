# frozen_string_literal: true

module Mohs
  module Servers
    # Agoo: reads and writes in C threads; in each process, only one of them at a time calls Ruby,
    # whatever its -t says (observed: six requests that sleep for a second take six seconds with -t
    # 3). The first process serves too, besides those that it forks. It evaluates config.ru without
    # its path, so require_relative fails there and every page is a 404.
    class Agoo < Base
      GEMS = { "agoo" => ">= 2.14" }.freeze
      CAPABILITIES = { processes: true, keep_alive: true, unix: true, preload: true }.freeze
      FORKED = true
      SERVING = "1 if defined?(::Agoo::Server)"
      STOP_SIGNAL = "TERM"
      DRAINS = nil # it waits two seconds, longer on a busy machine
      THREADS = 1
      ALWAYS_PRELOADS = true
      OPTIONS = { processes: %w[-w] }.freeze

      # -s: log no requests to the terminal.
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

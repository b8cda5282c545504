# frozen_string_literal: true

module Mohs
  module Servers
    # WEBrick, by rackup: one process, a thread for each connection.
    class Webrick < Base
      # rackup 1 is made for rack 2 and rackup 2 for rack 3: the application's rack decides which.
      GEMS = { "webrick" => ">= 1.6", "rackup" => ">= 1.0" }.freeze
      CAPABILITIES = { keep_alive: true }.freeze
      STOP_SIGNAL = "INT" # TERM drops requests under way
      THREADS = nil
      # Its default of 100 connections leaves the next ones without an answer. Its own constant has
      # to be changed: what rackup's -O passes is a string, which WEBrick 1.9 no longer takes.
      CONFIG = <<~RUBY
        require "webrick"
        WEBrick::Config::HTTP[:MaxClients] = 2000
      RUBY

      #: () -> Launch
      def launch = rackup(config_path, "-q", gem: "rackup", files: { config_path => CONFIG })
    end
  end
end

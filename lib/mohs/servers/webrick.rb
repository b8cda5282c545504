# frozen_string_literal: true

module Mohs
  module Servers
    # WEBrick, started by rackup: one process, a thread for each connection.
    class Webrick < Base
      # rackup 1 requires rack 2 and rackup 2 requires rack 3: the application's rack decides.
      GEMS = { "webrick" => ">= 1.6", "rackup" => ">= 1.0" }.freeze
      # rackup is part of rack before 3, and WEBrick of Ruby before 3.0. These gems need Ruby 2.4.
      OLD_GEMS = { "2.4" => { "rack" => "< 3" } }.freeze
      CAPABILITIES = { keep_alive: true }.freeze
      STOP_SIGNAL = "INT" # TERM drops requests in progress
      THREADS = nil
      # Its default of 100 connections leaves further ones without a response. The constant itself
      # has to be changed: rackup's -O passes a string, which WEBrick 1.9 no longer accepts.
      CONFIG = <<~RUBY
        require "webrick"
        WEBrick::Config::HTTP[:MaxClients] = 2000
      RUBY

      #: () -> Launch
      def launch = rackup(config_path, "-q", gem: "rackup", files: { config_path => CONFIG })
    end
  end
end

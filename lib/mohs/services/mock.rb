# frozen_string_literal: true

require "rbconfig"

module Mohs
  module Services
    # A service for tests: a Ruby that listens on a socket, and a data file.
    class Mock < Base
      TITLE = "Mock"
      PACKAGE = "mock"
      PROGRAMS = [File.basename(RbConfig.ruby)].freeze
      FOLDERS = [RbConfig::CONFIG.fetch("bindir")].freeze
      VARIABLE = "MOCK_URL"
      SCHEMES = %w[mock].freeze
      PORT = 1
      DATABASES = true
      SETTINGS = { "mode" => "test" }.freeze
      READY = /^mock service is ready$/
      STOP_SIGNAL = "TERM"
      FOR_TESTS = true

      SCRIPT = File.expand_path("../inside/mock_service.rb", __dir__)

      #: () -> Array[Process::Command]
      def initialise = [ruby("-e", "File.write('data', 'initialised')")]

      #: () -> Process::Command
      def start = ruby(SCRIPT, path("socket"), place.port.to_s)

      #: (Array[String]) -> Array[Process::Command]
      def create(names)
        names.map { |name| ruby("-e", "File.write('data', ARGV[0], mode: 'a')", "+#{name}") }
      end

      #: () -> Array[Process::Command]
      def inquiries = [ruby("-rsocket", "-e", "print UNIXSocket.new('socket').read")]

      #: (Array[String]) -> { version: String?, settings: Hash[String, String] }
      def attested(outputs)
        version, *settings = outputs.join.split
        { version:, settings: settings.to_h { |line| line.split("=", 2) } }
      end

      #: (Array[String]) -> Hash[String, String]
      def env(names)
        where = place.port ? "#{Process::Port::HOST}:#{place.port}" : path("socket")
        { VARIABLE => "mock://#{where}/#{names.first}" }
      end

      private

      def ruby(*arguments) = command([program(PROGRAMS.first), *arguments])
    end
  end
end

# frozen_string_literal: true

require "fileutils"

module Mohs
  # The gems of the real servers and of a profiler, for tests that boot one: installed once, below
  # tmp/ of the checkout.
  module ServerGems
    GEMS = %w[puma unicorn falcon webrick rackup rack pitchfork thin iodine agoo itsi-server
              stackprof].freeze
    FOLDER = File.join(Mohs.root, "tmp", "test-gems", RUBY_VERSION)
    LIMIT_S = 900

    module_function

    # Where the gem's executable is. Two test runs at the same time install once.
    def executable(name)
      install unless File.exist?(stamp)
      File.join(FOLDER, "bin", name)
    end

    def env = { "GEM_HOME" => FOLDER, "GEM_PATH" => FOLDER }

    def install
      FileUtils.mkdir_p(FOLDER)
      File.open(File.join(FOLDER, "lock"), "w") do |lock|
        lock.flock(File::LOCK_EX)
        next if File.exist?(stamp)

        argv = ["gem", "install", "--no-document", "-i", FOLDER, *GEMS]
        command = Process::Command.new(argv:)
        result = Process::Capture.call(command, timeout_s: LIMIT_S)
        raise "gem install failed: #{result.stderr}#{result.stdout}" unless result.success?

        FileUtils.touch(stamp)
      end
    end

    def stamp = File.join(FOLDER, "installed-#{GEMS.join('-')}")
  end
end

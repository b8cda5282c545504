# frozen_string_literal: true

require "fileutils"

module Mohs
  # The gems of the real servers and of a profiler, for tests that boot one: installed once, when
  # the first test asks for one, below tmp/ of the checkout.
  module ServerGems
    GEMS = %w[puma unicorn falcon webrick rackup rack pitchfork].freeze
    # Servers that only slow tests boot, because they compile for long: each is installed by itself.
    SLOW = { "thin" => "thin", "iodine" => "iodine", "agoo" => "agoo",
             "itsi" => "itsi-server" }.freeze
    PROFILER = "stackprof"
    FOLDER = File.join(Mohs.root, "tmp", "test-gems", RUBY_VERSION)
    LIMIT_S = 900

    module_function

    # The macro for a test that boots such a server ("thin:1x3").
    def kind(text) = SLOW.key?(text[/\w+/]) ? :slow_test : :test

    # Where the gem's executable is.
    def executable(name)
      install unless name == PROFILER
      install([SLOW.fetch(name, name)]) if SLOW.key?(name) || name == PROFILER
      File.join(FOLDER, "bin", name)
    end

    def env = { "GEM_HOME" => FOLDER, "GEM_PATH" => FOLDER }

    # Two test runs at the same time install once.
    def install(gems = GEMS)
      stamp = File.join(FOLDER, "installed-#{gems.join('-')}")
      return if File.exist?(stamp)

      FileUtils.mkdir_p(FOLDER)
      File.open(File.join(FOLDER, "lock"), "w") do |lock|
        lock.flock(File::LOCK_EX)
        next if File.exist?(stamp)

        argv = ["gem", "install", "--no-document", "-i", FOLDER, *gems]
        command = Process::Command.new(argv:)
        result = Process::Capture.call(command, timeout_s: LIMIT_S)
        raise "gem install failed: #{result.stderr}#{result.stdout}" unless result.success?

        FileUtils.touch(stamp)
      end
    end
  end
end

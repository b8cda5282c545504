# frozen_string_literal: true

require "warning"
Warning[:deprecated] = true
root = File.expand_path("..", __dir__)
Warning.process do |message|
  raise message if message.include?(root) && !message.include?("/vendor/")
end

if ENV["COVERAGE"]
  require "simplecov"
  SimpleCov.start do
    enable_coverage :branch
    add_filter "/test/"
  end
end

require "minitest/autorun"
require "fileutils"
require "tmpdir"
require "mohs"

# A temporary folder of this run's own: tests take no turns with whoever measures on this machine.
# Open to all, as the one around it is: some tests start servers as another user.
ENV["TMPDIR"] = Dir.mktmpdir("mohs").tap { |folder| File.chmod(0o1777, folder) }
Minitest.after_run { FileUtils.rm_rf(ENV.fetch("TMPDIR")) }

# Where the home can't be written, as in a container, this run has a cache of its own.
begin
  Mohs::Folders.verify(ENV.to_h.merge("MOHS_DATABASE_URL" => "none of this run's"))
rescue Mohs::EnvironmentError
  ENV["XDG_CACHE_HOME"] = File.join(ENV.fetch("TMPDIR"), "cache")
end

module Mohs
  # Base of every test: `test "sentence"` defines one, and a test that asserts nothing fails.
  class TestCase < Minitest::Test
    #: (String) { () -> void } -> Symbol?
    def self.test(sentence, &body)
      define_test(sentence, &body) unless ENV["MOHS_TEST_ALL"] == "slow"
    end

    #: (String) { () -> void } -> Symbol
    def self.define_test(sentence, &body)
      name = "test_#{sentence.gsub(/\W+/, '_')}"
      twice = "two tests are called #{sentence.inspect}"
      raise ArgumentError, twice if method_defined?(name, false)

      define_method(name, &body)
    end
    private_class_method :define_test

    # One that takes so long that only `bin/test --all` and `--slow` run it.
    #: (String) { () -> void } -> void
    def self.slow_test(sentence, &body)
      define_test(sentence, &body) if ENV["MOHS_TEST_ALL"]
    end

    # How often a simulation is repeated: with `bin/test --all` as often as its bounds deserve, else
    # as often as a mistake needs to show. Seeds are fixed, so that the few are the first of all.
    #: (Integer, Integer) -> Integer
    def times(few, all) = ENV["MOHS_TEST_ALL"] ? all : few

    # A folder of its own, gone after the block, with `files` ({ "a/b.rb" => "content" }) in it.
    #: (?Hash[String, String]) { (String) -> void } -> void
    def with_files(files = {})
      Dir.mktmpdir("mohs-test") do |folder|
        files.each do |path, content|
          FileUtils.mkdir_p(File.dirname(File.join(folder, path)))
          File.write(File.join(folder, path), content)
        end
        yield folder
      end
    end

    # The Ruby files of these folders of lib/mohs. A folder that has moved fails the test instead of
    # being searched no longer.
    #: (*String) -> Array[String]
    def ruby_files(*folders)
      folders.flat_map do |folder|
        files = Dir[File.join(Mohs.root, "lib/mohs", folder, "**/*.rb")]
        refute_empty files, "lib/mohs/#{folder} has no Ruby files"
        files
      end
    end

    # That a mohs measured to its end. Where other processes or the hypervisor take the cores, a
    # check may have refused a figure: a result, whose exit status is 1. Only for tests that are not
    # about figures.
    #: (Process::Status, ?String?) -> void
    def assert_ran(status, message = nil) = assert_includes([0, 1], status.exitstatus, message)

    def before_setup
      Doors.closed = Doors.unit?(method(name).source_location.first)
      super
    end

    def after_teardown
      super
      opened = Doors.take
      flunk opened if opened && failures.none?(Doors::Opened)
      flunk "asserts nothing" if passed? && assertions.zero? && !skipped?
    end
  end
end

Dir[File.join(__dir__, "support", "*.rb")].each { |file| require file }

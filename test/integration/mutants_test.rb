# frozen_string_literal: true

require "test_helper"
require "English"
require "open3"
require "yaml"
require_relative "../../rakelib/support/mutants/rooms"

# `rake mutants` over a house with one small class.
class MutantsTest < Mohs::TestCase
  ROOT = File.expand_path("../..", __dir__)

  TOY = <<~RUBY
    module Toy
      def self.sum(a, b) = a + b

      def self.big?(a, b) = a > b

      def self.drained(list)
        list.shift until list.empty?
        list
      end
    end
  RUBY

  # Never asks about two that are equal. Where STARTED is set, it waits once it sees a wrong sum.
  TEST = <<~RUBY
    require "test_helper"
    require "mohs/stats/toy"

    class ToyTest < Minitest::Test
      def test_sum
        wait if Toy.sum(1, 2) != 3 && ENV["STARTED"]

        assert_equal 3, Toy.sum(1, 2)
      end

      def wait
        File.write(ENV["STARTED"], Process.pid.to_s)
        sleep
      end

      def test_big
        assert Toy.big?(2, 1)
        assert_equal false, Toy.big?(1, 2)
      end

      def test_drained
        assert_empty Toy.drained([])
        assert_equal [], Toy.drained([1, 2])
      end
    end
  RUBY

  # A warning about a file of the house is an exception, as in this suite's own helper.
  HELPER = <<~RUBY
    require "minitest/autorun"
    require "warning"
    Warning.process { |message| raise message if message.include?(File.dirname(__dir__)) }
  RUBY

  HOUSE = { "lib/mohs/stats/toy.rb" => TOY, "test/unit/stats/toy_test.rb" => TEST,
            "test/test_helper.rb" => HELPER }.freeze
  LIST = "rakelib/support/mutants/equivalent.yml"

  def command(house)
    folders = %w[lib test].flat_map { |folder| ["-I", File.join(house, folder)] }
    [RbConfig.ruby, "-w", *folders, "-r", "#{ROOT}/vendor/bundle/bundler/setup.rb",
     "#{ROOT}/rakelib/support/mutants.rb", house]
  end

  def mutants(house, env = {})
    Open3.capture3({ "ROOM" => "stats", "COUNT" => "all", **env }, *command(house))
  end

  def tree(house)
    files = Dir.glob("**/*", base: house).reject { |file| file.start_with?("tmp") }
    files.to_h { |file| [file, File.file?("#{house}/#{file}") && File.read("#{house}/#{file}")] }
  end

  def entry(before, after)
    { "file" => "lib/mohs/stats/toy.rb", "before" => before, "after" => after, "why" => "a test" }
  end

  test "counts those killed, those killed by time, and lists the one that survives" do
    with_files(HOUSE) do |house|
      before = tree(house)
      out, err, status = mutants(house)

      assert_equal ["stats      88.9 of 100 killed: 8 of 9, 1 by time, 0 equivalent",
                    "all        88.9 of 100 killed: 8 of 9, 1 by time, 0 equivalent", "seed 1", "",
                    "survivors:",
                    "  lib/mohs/stats/toy.rb:4  def self.big?(a, b) = a > b  =>  " \
                    "def self.big?(a, b) = a >= b"], out.lines(chomp: true)
      assert_empty err
      assert_predicate status, :success?
      assert_equal before, tree(house)
    end
  end

  test "one that is listed as equivalent doesn't count, unless a test kills it" do
    survivor = entry("def self.big?(a, b) = a > b", "def self.big?(a, b) = a >= b")
    killed = entry("def self.big?(a, b) = a > b", "def self.big?(a, b) = a <= b")
    stale = entry("def self.small?(a, b) = a < b", "def self.small?(a, b) = a <= b")
    outcomes = [[survivor], [survivor, killed], [survivor, stale]].map do |list|
      with_files(HOUSE.merge(LIST => YAML.dump(list))) do |house|
        out, _, status = mutants(house, { "FILE" => "lib/mohs/stats/toy.rb:4", "JOBS" => "2" })
        [out.lines.first[/\d+\.\d.*/], out[/^listed as .*/], status.exitstatus]
      end
    end

    assert_equal [["100.0 of 100 killed: 3 of 3, 0 by time, 1 equivalent", nil, 0],
                  ["100.0 of 100 killed: 3 of 2, 0 by time, 2 equivalent",
                   "listed as equivalent, and yet killed:", 1],
                  ["100.0 of 100 killed: 3 of 3, 0 by time, 1 equivalent",
                   "listed as equivalent, and no longer there:", 1]], outcomes
  end

  test "too many survivors fail; so does a test that fails without any mutant" do
    untested = TEST.sub("assert Toy.big?(2, 1)", "").sub("assert_equal false, Toy.big?(1, 2)", "")
    with_files(HOUSE.merge("test/unit/stats/toy_test.rb" => untested)) do |house|
      out, _, status = mutants(house, { "FILE" => "lib/mohs/stats/toy.rb:4" })

      assert_match(/\(no test runs it\)/, out)
      assert_equal 1, status.exitstatus
    end
    broken = TEST.sub("assert_equal 3", "assert_equal 4")
    with_files(HOUSE.merge("test/unit/stats/toy_test.rb" => broken)) do |house|
      _, err, status = mutants(house)

      assert_match(/\Athese tests fail without any mutant:\n.*toy_test\.rb ToyTest test_sum\Z/, err)
      assert_equal 2, status.exitstatus
    end
  end

  test "a test that passes only where all is loaded kills nothing; nor does a file loaded early" do
    late = TEST.sub("def test_big", "def test_big\n    assert Coverage.running?")
    early = { "test/test_helper.rb" => "#{HELPER}require 'mohs/stats/toy'\n" }
    result = [{ "test/unit/stats/toy_test.rb" => late }, early].map do |files|
      with_files(HOUSE.merge(files)) do |house|
        _, err, status = mutants(house, { "FILE" => "lib/mohs/stats/toy.rb:4" })
        [err[/\Afails without any mutant where|\Atest_helper loads/], status.exitstatus]
      end
    end

    assert_equal [["fails without any mutant where", 2], ["test_helper loads", 2]], result
  end

  test "the helper of this suite loads no file that is mutated" do
    loaded = <<~'RUBY'
      require "minitest"
      Minitest.singleton_class.prepend(Module.new { def autorun = nil })
      require "test_helper"
      $stdout.puts $LOADED_FEATURES
      $stdout.flush
      exit!(0)
    RUBY
    out, err, status = Open3.capture3(*command(ROOT)[0..-3], "-e", loaded)
    mutated = Mutants::ROOMS.values.flat_map(&:first).flat_map { |glob| Dir[File.join(ROOT, glob)] }

    assert_predicate status, :success?, err
    refute_empty mutated
    assert_empty mutated & out.lines(chomp: true)
  end

  test "LIST shows what would be tried; a sample is the same each time" do
    with_files(HOUSE) do |house|
      samples = %w[1 1 2].map do |seed|
        mutants(house, { "LIST" => "1", "COUNT" => "4", "SEED" => seed }).first
      end

      assert_equal 4, samples.first.lines.size
      assert_equal samples[0], samples[1]
      refute_equal samples[0], samples[2]
    end
  end

  test "Ctrl-C reports on those tried, ends the test that is running, and leaves nothing behind" do
    with_files(HOUSE.merge("run/.keep" => "", "started/.keep" => "")) do |house|
      before = tree(house)
      marker = "#{house}/started/pid"
      env = { "ROOM" => "stats", "COUNT" => "all", "STARTED" => marker, "TMPDIR" => "#{house}/run" }
      pid = Process.spawn(env, *command(house), out: "#{house}/started/out", err: File::NULL)
      deadline = Time.now + 60
      sleep 0.05 until File.size?(marker) || Time.now > deadline
      Process.kill(:INT, pid)
      Process.wait(pid)

      assert_equal 130, $CHILD_STATUS.exitstatus
      assert_raises(Errno::ESRCH) { Process.kill(0, File.read(marker).to_i) }
      assert_match(/^all +\d+\.\d of 100 killed: /, File.read("#{house}/started/out"))
      FileUtils.rm(Dir["#{house}/started/*"])
      assert_equal before, tree(house)
    end
  end
end

# frozen_string_literal: true

require "test_helper"
require "lanes"
require "open3"

# bin/test with two lanes reports as one minitest does.
class LanesTest < Mohs::TestCase
  FOLDER = File.join(Mohs.root, "test")
  RUBY = [RbConfig.ruby, "--disable-gems", "-I", FOLDER].freeze
  GEMS = File.join(Mohs.root, "vendor/bundle/bundler/setup.rb")

  # Lanes by name: the body of a test class for each of their processes. Returns what is printed,
  # and the exit status.
  def run_lanes(bodies, *options, env: {})
    with_files do |dir|
      commands = bodies.to_h do |name, some|
        [name, Array(some).each_with_index.map do |body, number|
          File.write(file = "#{dir}/#{name}#{number}.rb", <<~RUBY)
            require "minitest/autorun"
            require "support/lane_reporter"
            class #{name.capitalize}Test < Minitest::Test
              #{body}
            end
          RUBY
          [*RUBY, "-r", GEMS, file, *options]
        end]
      end
      script = "require 'lanes'; exit Mohs::Lanes.new(#{commands.inspect}).call"
      return capture(env, [*RUBY, "-e", script])
    end
  end

  test "each suite has a process of its own, and each folder of the integration tests" do
    lanes = { "parts" => [%w[integration/load/x], %w[unit/a/x unit/y]],
              "wholes" => [%w[c/x], %w[integration/cli/x integration/cli/y], %w[integration/web]] }
    lanes.each_value { |parts| parts.each { |some| some.map! { |path| "#{FOLDER}/#{path}.rb" } } }

    assert_equal lanes, Mohs::Lanes.split(lanes.values.flatten.reverse)
  end

  def capture(env, argv)
    printed, status = Open3.capture2e(env, *argv)
    [printed, status.exitstatus]
  end

  GOOD = "def test_good = assert(true)"
  MIXED = <<~RUBY
    def test_wrong = assert_equal("ä", "b".b + 255.chr)
    def test_broken = raise(IOError, "no disk")
    def test_left_out = skip("not here")
  RUBY

  test "tests that pass are counted together, once" do
    printed, status = run_lanes({ "one" => "#{GOOD}\ndef test_more = 3.times { assert true }",
                                  "two" => GOOD })

    assert_equal 0, status, printed
    assert_match(/\ARun options: --seed \d+\n\n# Running:\n\n\.\.\.\n\nFinished in [\d.]+s, /,
                 printed)
    assert printed.end_with?("\n3 runs, 5 assertions, 0 failures, 0 errors, 0 skips\n"), printed
  end

  test "the processes of a lane come one after the other, and end with it" do
    alone = "def test_alone = sleep(0.3) && assert_equal(1, %x(pgrep -c -P \#{Process.ppid}).to_i)"
    printed, status = run_lanes({ "one" => [alone, alone, alone] })
    assert_equal [0, "3 runs, 3 assertions, 0 failures, 0 errors, 0 skips\n"],
                 [status, printed.lines.last], printed

    last = "def test_last = Process.kill(:TERM, Process.ppid) && sleep(20)"
    printed, status = run_lanes({ "one" => [GOOD, last, GOOD] })
    assert_equal [1, "1 runs, 1 assertions, 0 failures, 2 errors, 0 skips\n"],
                 [status, printed.lines.last], printed
    assert_includes printed, "tests of one have not begun\n"
  end

  test "what fails in either is shown with its number, its place and its message" do
    printed, status = run_lanes({ "one" => MIXED, "two" => MIXED, "three" => GOOD })

    assert_equal 1, status
    assert_equal %w[1 2 3 4], printed.scan(/^ +(\d)\) (?:Failure|Error):$/).flatten
    assert_equal %w[One Two], printed.scan(/^(\w+)Test#test_wrong \[.*\.rb:\d+\]:$/).flatten.sort
    assert_match(/^IOError: no disk$/, printed)
    refute_includes printed, "not here"
    assert_equal ["7 runs, 3 assertions, 2 failures, 2 errors, 2 skips\n"],
                 printed.lines.grep(/ runs, /)
  end

  test "with -v each test has a line of its own, and skips are shown" do
    printed, = run_lanes({ "one" => MIXED, "two" => GOOD }, "-v")

    assert_match(/^TwoTest#test_good = \d+\.\d\d s = \.$/, printed)
    assert_match(/^OneTest#test_left_out = \d+\.\d\d s = S$/, printed)
    assert_includes printed, "Skipped:\nOneTest#test_left_out"
    refute_includes printed, "Run with --verbose"
  end

  test "-n may leave a lane without tests, but not all of them" do
    two = { "one" => MIXED, "two" => GOOD }
    printed, status = run_lanes(two, "-n", "/good/")
    assert_equal [0, "1 runs, 1 assertions, 0 failures, 0 errors, 0 skips\n"],
                 [status, printed.lines.last]

    printed, status = run_lanes(two, "-n", "/bad/")
    assert_equal 1, status
    assert_includes printed, "Nothing ran for filter: /bad/"
  end

  test "all lanes have one seed, which -s sets" do
    shown = "def test_seed = assert(puts(\"seed is \#{Minitest.seed}\") || true)"
    printed, = run_lanes({ "one" => shown, "two" => shown })
    seeds = printed.scan(/seed is (\d+)/).flatten

    assert_equal [[seeds.first] * 2, seeds.first], [seeds, printed[/--seed (\d+)/, 1]]
    printed, = run_lanes({ "one" => shown, "two" => shown }, "-s", "77")
    assert_equal %w[77 77 77], printed.scan(/(?:seed is|-s) (\d+)/).flatten
  end

  test "a lane that does not come to its end is an error that names its test" do
    printed, status = run_lanes({ "one" => "def test_end = Process.kill(:KILL, $$)",
                                  "two" => GOOD })

    assert_equal 1, status
    assert_includes printed, "the tests of one ended too soon (SIGKILL (signal 9)), " \
                             "in OneTest#test_end"
    assert_includes printed, "1 runs, 1 assertions, 0 failures, 1 errors, 0 skips\n"
  end

  test "a lane that fails after its tests is an error" do
    printed, status = run_lanes({ "one" => "#{GOOD}\nMinitest.after_run { exit 3 }" })

    assert_equal 1, status
    assert_includes printed, "the tests of one passed, but their process: exit 3\n"
  end

  test "one that can't be loaded is an error" do
    printed, status = run_lanes({ "one" => "raise 'not a test'", "two" => GOOD })

    assert_equal 1, status
    assert_includes printed, "the tests of one ended too soon (exit 1), in none of them"
  end

  test "what tests start reports nothing, and may live on" do
    printed, status = run_lanes({ "one" => <<~RUBY })
      def test_start
        assert_empty ENV.to_h.slice("MOHS_TEST_LANE", "SEED")
        Process.detach(fork { exit!(sleep(0.2)) })
      end
    RUBY

    assert_equal [0, 1], [status, printed.scan(" runs, ").size], printed
  end

  # Each would wait for a minute.
  WAITING = "2.times { |i| define_method(\"test_wait_\#{i}\") { sleep(30) } }"

  test "TERM ends the lanes, and what they have run is reported" do
    began_ns = Mohs::Clock.mono_ns
    printed, status = run_lanes({ "one" => WAITING, "two" => "def test_end = sleep(1) && Process" \
                                                            ".kill(:TERM, Process.ppid) && " \
                                                            "sleep(30)" })

    assert_equal 1, status
    assert_match(/^the tests of one ended too soon \(.+\), in OneTest#test_wait_\d$/, printed)
    assert printed.end_with?("\n0 runs, 0 assertions, 0 failures, 2 errors, 0 skips\n"), printed
    assert_operator Mohs::Clock.mono_ns - began_ns, :<, 25_000_000_000
  end

  test "TERM ends a lane whose test takes it for itself, too" do
    taking = "60.times { |i| define_method(\"test_\#{i}\") { trap(:TERM) { nil } && sleep(0.5) } }"
    printed, status = run_lanes({ "one" => taking, "two" => "def test_end = sleep(1) && " \
                                                           "Process.kill(:TERM, Process.ppid)" })

    assert_equal 1, status
    assert_includes printed, "the tests of one ended too soon (exit 1), in OneTest#test_"
    assert_operator printed[/^(\d+) runs/, 1].to_i, :<, 40
  end

  # It ends when nothing has its output open any more.
  test "when the process above the lanes is killed, they begin no other test" do
    short = WAITING.sub("30", "0.5").sub("2.times", "60.times")
    began_ns = Mohs::Clock.mono_ns
    printed, status = run_lanes({ "one" => short, "two" => "def test_end = sleep(1) && " \
                                                          "Process.kill(:KILL, Process.ppid)" })

    assert_nil status
    refute_includes printed, " runs, "
    assert_operator Mohs::Clock.mono_ns - began_ns, :<, 25_000_000_000
  end
end

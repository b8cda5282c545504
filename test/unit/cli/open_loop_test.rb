# frozen_string_literal: true

require "test_helper"
require "optparse"

module Mohs
  # The options of an open loop, by themselves.
  class OpenLoopOptionsTest < TestCase
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-cli-open-loop"

    def open_loop(*argv)
      CLI::OpenLoop.new.tap do |options|
        parser = OptionParser.new
        options.define(parser)
        parser.parse(argv)
      end
    end

    def refused(*argv, load: { connections: 10 }, finding: false)
      assert_raises(UsageError, argv.join(" ")) { open_loop(*argv).verify(load, finding:) }.message
    end

    def with_file(text)
      Dir.mktmpdir do |dir|
        path = File.join(dir, "times")
        File.write(path, text)
        yield path
      end
    end

    test "a rate, one that rises, and steps" do
      assert_empty open_loop.arrivals(0)
      { "100" => [[100, 100]], "100..500.5" => [[100, 500.5]],
        "100,200" => [[100, 100], [200, 200]] }.each do |text, rates|
        result = open_loop("--rate", text).arrivals(1)
        assert_equal rates, result.map { |one| [one.rate_per_s, one.to_per_s] }
        assert_equal [:constant, 1], result.first.to_h.values_at(:kind, :burst)
      end
    end

    test "at random, in bursts, with a seed" do
      result = open_loop("--rate", "100", "--arrivals", "poisson", "--burst", "5")
             .arrivals(3)
      assert_equal [[:poisson, 5, 3]], result.map { |one| [one.kind, one.burst, one.seed] }
      assert_equal :poisson, open_loop.declaration[:search]
      assert_equal :constant, open_loop("--arrivals", "constant").declaration[:search]
    end

    test "times from a file, without empty lines and comments" do
      with_file("# a log\n0\n0.25\n\n 1.5 \n") do |path|
        result = open_loop("--times", path).arrivals(0)
        assert_equal [[0, 250_000_000, 1_500_000_000]], result.map(&:times)
      end
    end

    test "a file that has no good times is refused with its line" do
      ["1\nx\n", "1\n\n0.5\n", "# none\n", "-1\n"].each do |text|
        with_file(text) do |path|
          error = assert_raises(UsageError) { open_loop("--times", path) }
          assert_operator error.message, :start_with?, "--times #{path}"
          assert_said(error.message.sub(path, "FILE"))
        end
      end
      error = assert_raises(UsageError) { open_loop("--times", "/nowhere/at-all") }
      assert_equal "--times /nowhere/at-all: No such file or directory.", error.message
    end

    test "rates that are none" do
      %w[0 100.. ..5 5..0 many 1,,2 1, -5].each do |text|
        error = assert_raises(UsageError, text) { open_loop("--rate=#{text}") }
        assert_match(/\A--rate #{Regexp.escape(text)}: .*per second/, error.message)
      end
    end

    test "what makes no sense together is refused" do
      assert_match(/\A--arrivals, --spin: .*--rate N .*--times\.\z/, refused("--poisson", "--spin"))
      assert_said(refused("--max-connections", "20"))
      assert_match(/5 .*less than .*10/, refused("--rate", "9", "--max-connections", "5"))
      counted = { connections: 1, count: 5 }
      assert_match(/needs -d, not -n/, refused("--rate", "1..9", load: counted))
      assert_match(/\A--rate, --burst: --find-rate/,
                   refused("--rate", "5", "--burst", "2", finding: true))
      with_file("1\n") do |path|
        assert_match(/\A--rate, --burst: --times/,
                     refused("--times", path, "--rate", "5", "--burst", "2"))
        assert_match(/leave out -n/, refused("--times", path, load: counted))
      end
      assert_nil open_loop("--rate", "5", "--spin").verify(counted, finding: false)
    end
  end
end

# frozen_string_literal: true

require "test_helper"

class CLIOptionsTest < Mohs::TestCase
  include Mohs::Screens

  def parse(text, **options) = Mohs::CLI::Options.whole(text, option: "--threads", **options)

  test "decimal, whatever it begins with" do
    assert_equal [7, 10, 8], [parse("7"), parse("010"), parse("08")]
  end

  test "1 is the least, unless another is" do
    assert_equal 1, parse("1")
    assert_equal [0, 5], [parse("0", least: 0), parse("5", least: 5)]
    ["0", "-1"].each { |text| assert_raises(Mohs::UsageError) { parse(text) } }
    assert_raises(Mohs::UsageError) { parse("4", least: 5) }
  end

  test "what is no whole number is refused, with its option and the least one" do
    told = ["", "x", "1.5", "0x10", "2a", "1e3"].to_h do |text|
      [text.inspect, assert_raises(Mohs::UsageError) { parse(text, least: 2) }.message]
    end
    assert_told "mistakes-whole-numbers", told
  end

  test "a description is broken between words, where the help would be wider than 80 columns" do
    names = %w[ab h2load hey].cycle.first(60)
    lines = Mohs::CLI::Options.lines("tools: #{names.join(', ')}")

    assert_operator lines.size, :>, 1
    assert_operator lines.map(&:size).max, :<=, 80 - 29
    assert_equal "tools: #{names.join(', ')}", lines.join(" ")
    assert_equal ["no progress"], Mohs::CLI::Options.lines("no progress")
  end
end

# frozen_string_literal: true

require "test_helper"
require "support/sample_history"

class CLIHistoryTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-history"

  # Has one history.
  class Histories
    def initialize(points) = @points = points

    def points(name) = name == "shop" ? @points.map(&:to_h) : []

    def tracks = @points.empty? ? {} : { "shop" => @points.size }
  end

  POINTS = SampleHistory.points(SampleHistory.steps([30, 0.1], [10, 0.07]))

  def history(*argv, points: POINTS) = mohs("history", *argv, store: -> { Histories.new(points) })

  test "a history is shown" do
    output = history("shop")

    assert_equal [0, ""], [output.status, output.err]
    assert_match(/\AIt changed between c00001d and c00001e/, output.out.lines[1])
    assert_equal ["history", "shop", 1],
                 history("shop", "--json").json.then { |one|
                   [one[:command], one[:track], one[:changes].size]
                 }
  end

  test "without a name the histories are listed" do
    assert_equal "history  points\nshop         40\n", history.out
    assert_said(history(points: []).out)
    assert_equal [{ name: "shop", points: 40 }], history("--json").json[:tracks]
  end

  test "a history is written as a page and as Markdown, a list of them is not" do
    with_files do |dir|
      store = -> { Histories.new(POINTS) }
      output = mohs("history", "shop", "--report", "a.html", "--report", "a.md", dir:, store:)

      assert_equal [0, "written: a.html, a.md\n"], [output.status, output.err]
      assert_includes File.read("#{dir}/a.html"), "History shop"
      assert_includes File.read("#{dir}/a.md"), "| changed between | and | change | interval |"
      listed = mohs("history", "--report", "b.html", dir:, store:)
      assert_equal [2, %w[a.html a.md]], [listed.status, Dir.children(dir).sort]
      assert_said(listed.err)
      refused = mohs("history", "shop", "--report", "b.csv", dir:, store:)
      assert_includes refused.err, "csv can't write this: "
    end
  end

  test "a name that is not known has the nearest one" do
    output = history("shp")

    assert_equal 2, output.status
    assert_includes output.err, '"shp". Did you mean shop?'
    assert_includes history("shp", points: []).err, "mohs track shp --against @COMMIT"
  end

  test "another metric is asked for by its name" do
    assert_said(paragraph(history("shop", "--metric", "memory").out, "Nothing"))
    assert_equal 2, history("shop", "--metric", "speed").status
    # The newest one failed.
    tails = SampleHistory.points([*SampleHistory.steps([30, 0.1], [10, 0.07]), nil],
                                 key: :latency_p99_ms)
    assert_equal ["p99"] * 2, [%w[--metric p99], []].map { |argv|
      history("shop", *argv, "--json", points: tails).json[:metric][:name]
    }
  end
end

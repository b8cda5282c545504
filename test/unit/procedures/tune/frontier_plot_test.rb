# frozen_string_literal: true

require "test_helper"

class FrontierPlotTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-tune"

  Plot = Mohs::Tune::FrontierPlot

  # name, megabytes, requests per second, on the frontier?
  TWELVE = [
    ["1x1", 210, 98, true], ["1x2", 231, 131, true], ["1x3", 252, 152, true],
    ["1x5", 272, 163, true], ["1x8", 301, 160, false], ["2x1", 345, 170, true],
    ["2x2", 398, 209, true], ["2x3", 412, 214, true], ["2x5", 431, 188, false],
    ["2x8", 466, 181, false], ["3x3", 561, 211, false], ["4x2", 700, 190, false],
  ].freeze

  def lines(*points, height: 5, **style)
    points = points.map { |name, x, y, frontier| { name:, x: x * 1_000_000, y:, frontier: } }
    style = Mohs::Report::Terminal::Style.new(**style)
    Plot.new(points, height:, style:).lines
  end

  def screen(...) = lines(...).map { |line| "#{line}\n" }.join

  test "one point is in the middle, of axes that cover a tenth of it" do
    assert_said(screen(["2x3", 412, 214.0, true], width: 60))
  end

  test "two equal points share a place and its number" do
    points = [["2x3", 412, 214.0, true], ["2x3, LD_PRELOAD=jemalloc", 412, 214.0, true]]

    assert_said(screen(*points, width: 50, height: 4))
  end

  test "twelve points: those behind the ninth share a mark" do
    assert_said(screen(*TWELVE, width: 100, height: 12))
  end

  test "points with the same memory stand above each other; in ASCII where that is asked for" do
    points = [["1x1", 300, 100], ["1x2", 300, 150], ["1x3", 300, 200, true]]

    assert_said(screen(*points, width: 80, ascii: true))
  end

  test "points beaten and not beaten that share a place are told apart in the legend" do
    shown = lines(["x", 100, 50], ["y", 100, 50, true], ["z", 300, 20])

    assert_equal "50.0 ┤ 1", shown[1]
    assert_equal ["1  x  50.0/s  100 MB", "1  y  50.0/s  100 MB  frontier",
                  "2  z  20.0/s  300 MB"], shown.last(5).first(3)
  end

  test "without a frontier none is explained" do
    shown = lines(["x", 100, 50], ["y", 200, 20])

    assert_equal ["    requests/s", "2  y  20.0/s  200 MB"], shown.values_at(0, -1)
  end

  test "figures of any size and long names stay within the narrowest lines" do
    points = [["falcon:2x4, \"3.4.5 --yjit\", MALLOC_ARENA_MAX=2", 12_300, 10_400], ["é", 0, 0]]
    shown = lines(*points, width: 10, height: 1, ascii: true)

    assert_equal <<~TEXT, shown.map { |line| "#{line}\n" }.join
            requests/s
      10 400 +                               1
             |
        0.00 + 2
             +--------------------------------
               0.00 MB    memory     12 300 MB

      1  falcon:2~A_MAX=2  10 400/s  12 300 MB
      2  ?                   0.00/s    0.00 MB
    TEXT
    assert_equal Plot::NARROWEST, shown.map(&:length).max
  end

  test "no line is wider than asked for, nor than the widest" do
    { 40 => 40, 61 => 61, 80 => 80, 200 => 80 }.each do |width, widest|
      longest = lines(*TWELVE, ["n" * 200, 1, 1], width:).map(&:length).max

      assert_equal widest, longest
    end
  end

  test "what is 0 throughout is in the middle" do
    assert_equal ["     │                 1", "1  x  0.00/s  0.00 MB"],
                 lines(["x", 0, 0], width: 40, height: 3).values_at(2, -1)
  end

  test "without points nothing is drawn" do
    assert_empty lines
  end
end

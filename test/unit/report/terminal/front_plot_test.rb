# frozen_string_literal: true

require "test_helper"

class FrontPlotTest < Mohs::TestCase
  Plot = Mohs::Report::Terminal::FrontPlot

  # name, megabytes, requests per second, on the front?
  TWELVE = [
    ["1x1", 210, 98, true], ["1x2", 231, 131, true], ["1x3", 252, 152, true],
    ["1x5", 272, 163, true], ["1x8", 301, 160, false], ["2x1", 345, 170, true],
    ["2x2", 398, 209, true], ["2x3", 412, 214, true], ["2x5", 431, 188, false],
    ["2x8", 466, 181, false], ["3x3", 561, 211, false], ["4x2", 700, 190, false],
  ].freeze

  def lines(*points, height: 5, unit: "requests", **style)
    points = points.map { |name, x, y, front| { name:, x: x * 1_000_000, y:, front: } }
    style = Mohs::Report::Terminal::Style.new(**style)
    Plot.new(points, height:, unit:, style:).lines
  end

  def screen(...) = lines(...).map { |line| "#{line}\n" }.join

  test "one point is in the middle, of axes that cover a tenth of it" do
    assert_equal <<~TEXT, screen(["2x3", 412, 214.0, true], width: 60)
         requests/s
      225 ┤
          │
          │                            A
          │
      203 ┤
          └───────────────────────────────────────────────────────
            391 MB                  memory                  433 MB

      A  2x3  214/s  412 MB

      capital letters: no other setting serves more with as little
      memory
    TEXT
  end

  test "two equal points share a place and its letter" do
    points = [["2x3", 412, 214.0, true], ["2x3, LD_PRELOAD=jemalloc", 412, 214.0, true]]

    assert_equal <<~TEXT, screen(*points, width: 50, height: 4)
         requests/s
      225 ┤
          │                       A
          │
      203 ┤
          └─────────────────────────────────────────────
            391 MB             memory             433 MB

      A  2x3                       214/s  412 MB
      A  2x3, LD_PRELOAD=jemalloc  214/s  412 MB

      capital letters: no other setting serves more with
      as little memory
    TEXT
  end

  test "twelve points: those of the front are capitals" do
    assert_equal <<~TEXT, screen(*TWELVE, width: 100, height: 12)
          requests/s
       214 ┤                             G H                     k
           │
           │                                 i                                       l
           │                                       j
           │                     F
           │          D   e
           │       C
           │
           │    B
           │
           │
      98.0 ┤ A
           └──────────────────────────────────────────────────────────────────────────
             210 MB                           memory                            700 MB

      A  1x1  98.0/s  210 MB
      B  1x2   131/s  231 MB
      C  1x3   152/s  252 MB
      D  1x5   163/s  272 MB
      e  1x8   160/s  301 MB
      F  2x1   170/s  345 MB
      G  2x2   209/s  398 MB
      H  2x3   214/s  412 MB
      i  2x5   188/s  431 MB
      j  2x8   181/s  466 MB
      k  3x3   211/s  561 MB
      l  4x2   190/s  700 MB

      capital letters: no other setting serves more with as little memory
    TEXT
  end

  test "points with the same memory stand above each other; in ASCII where that is asked for" do
    points = [["1x1", 300, 100], ["1x2", 300, 150], ["1x3", 300, 200, true]]

    assert_equal <<~TEXT, screen(*points, width: 80, ascii: true)
         requests/s
      200 +                                      C
          |
          |                                      b
          |
      100 +                                      a
          +---------------------------------------------------------------------------
            285 MB                            memory                            315 MB

      a  1x1  100/s  300 MB
      b  1x2  150/s  300 MB
      C  1x3  200/s  300 MB

      capital letters: no other setting serves more with as little memory
    TEXT
  end

  test "points beaten and not beaten that share a place: the place is of the front" do
    shown = lines(["x", 100, 50], ["y", 100, 50, true], ["z", 300, 20])

    assert_equal "50.0 ┤ A", shown[1]
    assert_equal ["a  x  50.0/s  100 MB", "A  y  50.0/s  100 MB", "b  z  20.0/s  300 MB"],
                 shown.grep(/ MB$/).last(3)
  end

  test "without a front no capitals are explained, and rates may count jobs" do
    shown = lines(["x", 100, 50], ["y", 200, 20], unit: "jobs")

    assert_equal ["    jobs/s", "b  y  20.0/s  200 MB"], shown.values_at(0, -1)
  end

  test "figures of any size and long names stay within the narrowest lines" do
    points = [["falcon:2x4, \"3.4.5 --yjit\", MALLOC_ARENA_MAX=2", 12_300, 10_400], ["é", 0, 0]]
    shown = lines(*points, width: 10, height: 1, ascii: true)

    assert_equal <<~TEXT, shown.map { |line| "#{line}\n" }.join
            requests/s
      10 400 +                               a
             |
        0.00 + b
             +--------------------------------
               0.00 MB    memory     12 300 MB

      a  falcon:2~A_MAX=2  10 400/s  12 300 MB
      b  ?                   0.00/s    0.00 MB
    TEXT
    assert_equal Plot::NARROWEST, shown.map(&:length).max
  end

  test "no line is wider than asked for, nor than the widest" do
    { 40 => 40, 61 => 61, 80 => 80, 200 => 80 }.each do |width, widest|
      longest = lines(*TWELVE, ["n" * 200, 1, 1], width:).map(&:length).max

      assert_equal widest, longest
    end
  end

  test "places behind the last letter share a sign" do
    points = Array.new(28) { |index| [index.to_s, 100 + (index * 10), 50 + (index * 10), true] }
    shown = lines(*points, height: 10)

    assert_equal 2, shown[1].count("+")
    assert_equal ["Z  25", "+  26", "+  27"], shown.last(5).first(3).map { |line| line[0, 5] }
  end

  test "what is 0 throughout is in the middle" do
    assert_equal ["     │                 a", "a  x  0.00/s  0.00 MB"],
                 lines(["x", 0, 0], width: 40, height: 3).values_at(2, -1)
  end

  test "without points nothing is drawn" do
    assert_empty lines
  end
end

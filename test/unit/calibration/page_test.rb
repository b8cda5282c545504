# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/calibration"

class CalibrationPageTest < Mohs::TestCase
  Made = CalibrationLedger
  Calibration = Mohs::Calibration

  def session
    injected = Array.new(3) do |i|
      Made.live("2", "slower", interval: [0.97, 0.99], rounds: 100, wall_s: 9.0 + i,
                               logs: [-0.02, -0.021, -0.019])
    end
    [Made.truth, Made.practice(1000.0, 1030.0, 990.0), *injected,
     *Array.new(20) { Made.live("aa", "equivalent") }]
  end

  def page(*entries) = Calibration::Page.new([Made.of(*entries)]).to_s

  test "each goal is marked as reached or not" do
    text = page(*session)
    assert_includes text, "| false verdicts of A/A | <= 5 in 100 | 0 of 20 | yes |"
    assert_includes text, "| +2 %: median time to the verdict | <= 12 s | 10 s (3 runs) | yes |"
    assert_includes text, "| intervals that contain the true effect | >= 93 in 100 | 3 of 3 | yes |"
    wrong = page(*session, Made.live("aa", "faster"), Made.live("aa", "faster"))
    assert_includes wrong, "| 2 of 22 | **no** |"
  end

  test "each case shows its results beside the truth" do
    row = page(*session).lines.grep(/\A\| \+2 % \|/).first
    assert_includes row, "| 3 | 3 slower | 10, 11, 11 | 3 | -1.98, -1.00 | -1.96, -2.44"
    assert_includes row, "| 3 of 3 |"
  end

  test "it says where, when and how it was measured" do
    text = page(*session)
    ["## primes, Ruby 3.1.2", "2030-01-02", "a host", "50 % of the CPU", "`rake calibrate`"]
      .each { |fact| assert_includes text, fact }
  end

  test "goals in seconds apply to the small application only" do
    ledger = Calibration::Ledger.new("/nowhere", about: { **Made::ABOUT, app: "posts" },
                                                 entries: session)
    refute_includes Calibration::Page.new([ledger]).to_s, "median time to the verdict"
  end

  test "a session that has hardly begun has a page too" do
    assert_includes page(Made.truth), "## primes"
    assert_includes page(Made.live("aa", "undecided", interval: nil, logs: [])), "1 undecided"
  end

  test "pictures are well-formed, and every comparison is in them" do
    pictures = Calibration::Pictures.new(Made.of(*session)).call
    assert_equal %w[long-runs.svg narrowing.svg verdicts.svg], pictures.keys
    pictures.each_value { |svg| assert_well_formed(svg) }
    assert_equal 23, pictures["verdicts.svg"].scan("<circle").size
    assert_equal 2 + (3 * 20), pictures["long-runs.svg"].scan("<circle").size
  end

  test "a wrong verdict stands out" do
    svg = Calibration::Pictures.new(Made.of(Made.live("aa", "slower"))).call["verdicts.svg"]
    assert_includes svg, "fill=\"#{Calibration::Picture::RED}\""
  end

  test "without figures there is no picture" do
    assert_empty Calibration::Pictures.new(Made.of(Made.truth)).call
  end

  test "text of a picture is escaped, and points outside are drawn at its edge" do
    picture = Calibration::Picture.new(title: "a < b & c", x: (0..10), y: (0..1))
    picture.dot(99, 0.5, "red")
    assert_well_formed(picture.to_s)
    assert_includes picture.to_s, ">a &lt; b &amp; c</text>"
    assert_includes picture.to_s, "cx=\"#{(720 - 24).to_f}\""
  end

  TAG = %r{<(?<close>/?)(?<name>\w+)(?: [\w-]+="[^"<&]*")*(?<empty>/?)>}

  # Every tag is closed, and none of the signs of tags stands outside of one.
  def assert_well_formed(svg)
    open = []
    svg.scan(TAG) do |close, name, empty|
      if close.empty?
        open << name if empty.empty?
      else
        assert_equal open.pop, name
      end
    end
    assert_empty open
    assert_empty svg.gsub(TAG, "").gsub(/&(lt|gt|amp|quot);/, "").scan(/[<>&]/)
  end

  test "docs/calibration.md is the page of the published sessions" do
    ledgers = Dir[File.join(Calibration::FIXTURES, "*.json")].sort
    page = Calibration::Page.new(ledgers.map { |path| Calibration::Ledger.load(path) }).to_s

    assert_equal File.read(File.join(Mohs.root, "docs/calibration.md")), page
    assert_includes page, "## Core speed beside variants"
  end

  test "published sessions make the page and the pictures" do
    with_files do |dir|
      ledger = Calibration::Ledger.new(File.join(dir, "primes.json"), about: nil, entries: [])
      ledger.open(Made::ABOUT)
      session.each { |entry| ledger << entry }
      Calibration::Publication.new(dir, to: dir).call
      assert_includes File.read(File.join(dir, "calibration.md")), "## primes"
      assert_path_exists File.join(dir, "images", "verdicts.svg")
    end
  end
end

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
    assert_includes text, "| +2 %: time in which 9 of 10 have a verdict | <= 15 s | " \
                          "11 s; 3 of 3 in time (at least 37 %) | not shown |"
    assert_includes text, "| 30 long runs a side / median time to +2 % | >= 30 | 30 | yes |"
    assert_includes text, "| variance x seconds, long runs / mohs | >= 3 (quiet host) |"
    assert_includes page(*session, Made.practice(1000.0, 1200.0)), "| >= 20 (restless host) |"
  end

  # Upper bounds of R's binom.test(0, 20, alternative = "less"), and of 60.
  test "a share is reached, or missed, only as far as so many comparisons show it" do
    text = page(*session)
    assert_includes text, "| false verdicts of A/A | <= 5 in 100 | 0 of 20 (at most 14 %) | " \
                          "not shown |"
    assert_includes text, "| intervals that contain the true effect | >= 95 in 100 | " \
                          "3 of 3 (at least 37 %) | not shown |"
    sixty = Array.new(60) { Made.live("aa", "equivalent") }
    assert_includes page(*sixty), "| 0 of 60 (at most 4.9 %) | yes |"
    wrong = Array.new(5) { Made.live("aa", "faster") }
    assert_includes page(*session, *wrong), "| 5 of 25 (at most 38 %) | **no** |"
  end

  test "a time within which too few were decided is longer than their budget" do
    open = Array.new(6) { |i| Made.live("aa", "undecided", wall_s: 60.4 + i) }
    text = page(*open, *Array.new(4) { Made.live("aa", "equivalent") })

    assert_includes text, "| A/A: time in which 9 of 10 have a verdict | <= 30 s | > 60 s; " \
                          "4 of 10 in time (at least 15 %) | **no** |"
    assert_includes text, "| > 60, > 60, 65 |"
  end

  # R's binom.test(29, 29, alternative = "greater"), and that of (18, 20, alternative = "less").
  test "a time is reached, or missed, only as far as so many comparisons show it" do
    made = ->(late, count) { Array.new(count) { Made.live("aa", "equivalent", wall_s: late) } }
    pages = [[29, 0], [28, 0], [18, 2], [10, 12]].map do |quick, slow|
      page(*made.call(9.0, quick), *made.call(40.0, slow)).lines.grep(/9 of 10 have/).first
    end

    assert_includes pages[0], "| 9 s; 29 of 29 in time (at least 90 %) | yes |"
    assert_includes pages[1], "28 of 28 in time (at least 90 %) | not shown |"
    assert_includes pages[2], "18 of 20 in time (at least 72 %) | not shown |"
    assert_includes pages[3], "10 of 22 in time (at least 27 %) | **no** |"
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
    refute_includes Calibration::Page.new([ledger]).to_s, "have a verdict |"
  end

  test "first it says what to expect, of each case" do
    expected = page(*session, Made.live("aa", "slower")).split("\n## ")[1]

    assert_includes expected, "| the same | 21 | 20 | 0 | 1 (at most 21 %) | 10, 10 |"
    assert_includes expected, "| 2 % slower | 3 | 3 | 0 | 0 (at most 63 %) | 10, 11 |"
  end

  test "it has the sessions of the commit that was measured last" do
    ledgers = { nil => "2031-01-01", "1a2b" => "2030-01-01", "3c4d" => "2030-02-01" }
              .map do |commit, date|
      about = { **Made::ABOUT, app: "of #{commit.inspect}", commit:, date: }.compact
      Calibration::Ledger.new("/nowhere", about:, entries: session)
    end

    assert_equal ['of "3c4d"'], Calibration::Page.new(ledgers).to_s.scan(/^## (of .*),/).flatten
    assert_includes Calibration::Page.new(ledgers).to_s, "commit 3c4d, a host"
  end

  # The second is wrong by chance, as its differences hardly vary; the third is too short.
  test "this version judges what earlier ones recorded, where their sessions are over" do
    [[0.0, 0.001, -0.001, 0.0], [0.05, 0.0501, 0.0499], [0.0, 0.03, -0.03, 0.01], [0.1, 0.1]]
      .map { |logs| Made.live("aa", "undecided", logs:) }
      .push(Made.truth, Made.live("20", "undecided", rounds: 1000, logs: [-0.18, -0.19, -0.17]))
      .then do |entries|
        earlier = Calibration::Ledger.new("/nowhere", about: Made::ABOUT, entries:)
        now = Calibration::Ledger.new("/now", about: { **Made::ABOUT, commit: "1a2b" }, entries: [])
        text = Calibration::Page.new([earlier, now]).to_s

        assert_includes text, "| the same | 3 | 1 | 1 | 1 (at most 86 %) |  |  |"
        assert_includes text, "| 20 % slower | 1 | 1 | 0 | 0 (at most 95 %) | 6, 6 | " \
                              "1 of 1 (at least 5 %) |"
      end
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

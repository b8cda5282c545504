# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/calibration"

class CalibrationLedgerTest < Mohs::TestCase
  Ledger = Mohs::Calibration::Ledger
  Settings = Mohs::Calibration::Settings
  Made = CalibrationLedger

  test "completed work is found by the next session" do
    with_files do |dir|
      path = File.join(dir, "deep", "primes.json")
      first = Ledger.load(path)
      first.open(Made::ABOUT)
      first << Made.live("aa", "equivalent", interval: [0.12345678, 1.1])
      first << Made.truth
      again = Ledger.load(path)
      assert_equal 2, again.entries.size
      assert_equal [0.123457, 1.1], again.of("live", "aa").first[:interval]
      assert_empty again.of("live", "5")
      assert_equal "primes", again.about[:app]
      assert_equal ["primes.json"], Dir.children(File.dirname(path))
    end
  end

  test "a session can't continue one of another Ruby, or of another commit" do
    ledger = Made.of
    ledger.open(Made::ABOUT.merge(command: "rake calibrate RUNS=9")) # the same, asked otherwise
    assert_equal "rake calibrate RUNS=9", ledger.about[:command]
    error = assert_raises(Mohs::UsageError) { ledger.open(Made::ABOUT.merge(ruby: "3.4.5")) }
    assert_includes error.message, "is for ruby 3.1.2: choose a new FILE"
    ledger = Ledger.new("/nowhere.json", about: { **Made::ABOUT, commit: "1a2b" }, entries: [])
    error = assert_raises(Mohs::UsageError) { ledger.open({ **Made::ABOUT, commit: "3c4d" }) }
    assert_includes error.message, "is for commit 1a2b: choose a new FILE"
  end

  test "a file that isn't a session is not overwritten" do
    with_files("notes.json" => "dear diary") do |dir|
      error = assert_raises(Mohs::UsageError) { Ledger.load(File.join(dir, "notes.json")) }
      assert_includes error.message, "choose another FILE"
    end
  end

  test "a session's settings come from the environment" do
    wanted = Settings.from("RUNS" => "3", "CASES" => "aa,5,yjit", "PRACTICE" => "1").wanted
    assert_equal({ ["truth", nil] => 3, %w[live aa] => 3, %w[live 5] => 1, %w[live yjit] => 1,
                   ["practice", nil] => 1 }, wanted)
  end

  test "without injected cases no loop is measured" do
    assert_equal 0, Settings.from("CASES" => "aa,yjit").wanted[["truth", nil]]
  end

  test "an application is given by the name of a bundled one, or by its folder" do
    assert_equal File.join(Mohs.root, "apps/primes"), Settings.from({}).app
    with_files { |dir| assert_equal dir, Settings.from("APP" => dir).app }
  end

  test "a word instead of a number is reported" do
    error = assert_raises(Mohs::UsageError) { Settings.from("RUNS" => "many") }
    assert_equal "RUNS=many: write a whole number, RUNS=100", error.message
  end

  def agenda(*entries, wanted: { ["truth", nil] => 2, %w[live aa] => 2, %w[live 5] => 1 })
    Mohs::Calibration::Agenda.new(wanted, Made.of(*entries))
  end

  test "the loop is measured first, once" do
    assert_equal ["truth", nil], agenda.pick(Random.new(1))
    then_ = Array.new(50) { |seed| agenda(Made.truth).pick(Random.new(seed)) }
    assert_equal [["live", "5"], ["live", "aa"], ["truth", nil]], then_.uniq.sort_by(&:to_s)
  end

  test "completed work is not repeated" do
    left = agenda(Made.truth, Made.truth, Made.live("aa", "equivalent"), Made.live("5", "slower"))
    assert_equal({ %w[live aa] => 1 }, left.left)
    assert_nil agenda(Made.live("5", "slower"), wanted: { %w[live 5] => 1 }).pick(Random.new(1))
  end
end

# frozen_string_literal: true

require "test_helper"
require_relative "../../benchmark/calibration"

# The whole procedure on real servers: a thing compared with itself, and with one that a loop makes
# slower by a known share. A busy machine may leave it undecided, and then says so; it may not make
# it wrong.
class CompareTest < Mohs::TestCase
  Calibration = Mohs::Calibration

  # Of one comparison at most: the first look takes three cohorts of some four seconds.
  BUDGET_S = 60
  LARGE_S = 45

  # A loop that makes a request of apps/primes take half as long again, or more.
  LARGE = 4000

  # One in twenty may be wrong, by the method's own promise: once more, and both times is no chance
  # (1 in 400).
  TRIES = 2

  # Share of the CPU that others took, and spread of the cohorts, from which on it is the machine
  # that leaves a comparison undecided.
  BUSY = 0.05
  NOISY = 0.01

  def app
    Calibration::BurningApp.new(File.join(Mohs.root, "apps/primes"), into: @folder).build.dir
  end

  def setup
    @folder = Dir.mktmpdir("mohs-compare")
  end

  def teardown
    FileUtils.rm_rf(@folder)
  end

  def live(name, candidate, budget_s: BUDGET_S, rounds: nil)
    Calibration::Live.new(app:, ruby: RUBY_VERSION, budget_s:, folder: File.join(@folder, "data"))
                     .call(name, candidate, rounds:)
  end

  slow_test "a loop that costs half as much again is found" do
    entry = live("50", "#{RUBY_VERSION}, BURN=#{LARGE}", budget_s: LARGE_S)
    assert_decided "slower", entry
    assert_includes 0.0..1.0, entry[:pace], "no pace was taken" if entry[:differences].size > 2
  end

  slow_test "a server compared with itself is neither faster nor slower" do
    entry = twice(->(one) { %w[equivalent undecided].include?(one[:outcome]) }) do
      live("aa", RUBY_VERSION)
    end
    refute_includes %w[faster slower], entry[:outcome], entry.inspect
    refute_empty entry[:differences], entry.inspect
  end

  slow_test "a loop that costs 5 % is found, and the interval holds what it costs" do
    dose = Calibration::Dose.new([truth])
    rounds = dose.rounds(5)
    entry = twice(->(one) { one[:outcome] == "slower" && held?(one, dose) }) do
      live("5", "#{RUBY_VERSION}, BURN=#{rounds}", rounds:)
    end
    assert_decided "slower", entry
    assert held?(entry, dose), [dose.effect(rounds, :throughput), entry].inspect
  end

  # Every second all requests wait for 0.3 s: of those that fall due, one in a hundred waits for
  # 0.29 s or longer. A client that waits itself sees a single slow request each time.
  STALLING = <<~'RUBY'
    lock = Mutex.new
    Thread.new { loop { lock.synchronize { sleep(0.3) } && sleep(0.7) } }
    run ->(_env) { lock.synchronize { [200, { "content-type" => "text/plain" }, ["ok"]] } }
  RUBY

  slow_test "the p99 at a rate counts each request from when it was due" do
    document = with_files("config.ru" => STALLING) do |dir|
      compared("puma:1x64", "puma:1x32", "--app", dir, "--rate", "100", "--metric", "p99",
               "--budget", "1s")
    end

    assert_equal ["latency_p99_ms", %w[cpu p50 memory boot p99]],
                 [document[:verdict][:metric], document[:metrics].map { |one| one[:name] }]
    assert_equal(%w[response response], document[:rows].map { |row| row[:latency_ms][:kind] })
    tails = document[:metrics].last.values_at(:a, :b)
    tails.each { |one| assert_operator one, :>, 200, tails.inspect }
  end

  def compared(*words)
    argv = [File.join(Mohs.root, "bin/mohs"), "compare", *words, "--json", "--quiet"]
    env = { "XDG_DATA_HOME" => @folder, "MOHS_DATABASE_URL" => nil }
    said = Mohs::Process::Capture.call(Mohs::Process::Command.new(argv:, env:), timeout_s: 900)
    assert_predicate said, :success?, said.stderr
    JSON.parse(said.stdout, symbolize_names: true)
  end

  # The first that is right, else the last.
  def twice(right)
    entry = nil
    TRIES.times do
      entry = yield
      break if right.call(entry)
    end
    entry
  end

  # Nothing but that verdict; no verdict only from a busy machine, and with the reason.
  def assert_decided(outcome, entry)
    return assert_equal outcome, entry[:outcome] if entry[:outcome] == outcome

    assert_includes %w[undecided invalid], entry[:outcome], entry.inspect
    assert busy?(entry), "a quiet machine decides it: #{entry.inspect}"
    refute_empty entry[:reasons], entry.inspect if entry[:differences].size > 1
  end

  def busy?(entry)
    logs = entry[:differences].map(&:first)
    entry[:foreign].to_f > BUSY || (logs.size > 1 && Mohs::Stats::Spread.sd(logs) > NOISY)
  end

  # The truth, as well as it is known, within the interval.
  def held?(entry, dose)
    return true if entry[:interval].nil?

    low, high = entry[:interval].map { |ratio| Math.log(ratio) }
    slack = 3 * dose.error(entry[:rounds])
    dose.effect(entry[:rounds], :throughput).between?(low - slack, high + slack)
  end

  def truth
    server = Calibration::Server.new(app:, ruby: RUBY_VERSION)
    Mohs::Process::MachineLock.new.hold(wait: ->(_) {}) do
      Calibration::Truth.new(server:, seconds: 6, random: Random.new(1)).call
    end
  end
end

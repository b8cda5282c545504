# frozen_string_literal: true

require "test_helper"

class TuneScalingTest < Mohs::TestCase
  Tune = Mohs::Tune
  THREADS = [1, 2, 3, 5, 8, 16].freeze
  # Requests per second with so many threads: each of them costs all others a tenth.
  RATE = ->(threads) { 300.0 * threads / (1 + (0.1 * (threads - 1))) }

  def setup = @noise = Noise.new(3)

  def rounds(count, threads: THREADS)
    Array.new(count) { threads.to_h { |n| [n, RATE.call(n) * Math.exp(0.005 * @noise.normal)] } }
  end

  def scaling(rounds, demand: nil)
    Tune::Scaling.new(rounds, processes: 2, demand:)
  end

  test "rounds of several numbers of threads are a curve" do
    found = scaling(rounds(4))

    assert_predicate found, :enough?
    assert_equal [2, 16], [found.processes, found.levels.last.threads]
  end

  test "fewer than three numbers of threads, or no round, are no curve" do
    refute_predicate scaling(rounds(4, threads: [1, 5])), :enough?
    refute_predicate scaling([]), :enough?
    refute_predicate scaling([{ 1 => 1.0 }, { 2 => 2.0 }, { 3 => 3.0 }]), :enough?
    refute_predicate scaling(rounds(2)), :enough?, "two rounds can't be told from noise"
  end

  test "levels that were measured in too few rounds are left out; then too few are no curve" do
    some = rounds(3).each_with_index.map { |one, at| at.zero? ? one : one.except(8, 16) }
    assert_equal [1, 2, 3, 5], scaling(some).levels.map(&:threads)

    few = rounds(3).each_with_index.map { |one, at| at.zero? ? one : one.slice(1, 2) }
    refute_predicate scaling(few), :enough?
  end

  test "levels have the rate of their rounds, and what is predicted" do
    demand = Tune::Demand.new(cpu_s: 0.002, total_s: 0.01, locked: true, cores: 2)
    first, *, last = scaling(rounds(3), demand:).levels

    assert_equal [3, 200.0, 1000.0], [first.rate.count, first.predicted_per_s, last.predicted_per_s]
    assert_operator first.rate.low, :<, first.rate.value
    assert_nil scaling(rounds(3)).levels.first.predicted_per_s
  end
end

class TuningDemandTest < Mohs::TestCase
  def demand(**changes)
    Mohs::Tune::Demand.new(cpu_s: 0.002, total_s: 0.01, locked: true, cores: 4,
                                       **changes)
  end

  test "threads, the lock of each process and the cores bound a rate" do
    assert_in_delta 300, demand.at_most(1, 3), 1e-9
    assert_in_delta 500, demand.at_most(1, 16), 1e-9
    assert_in_delta 1000, demand.at_most(2, 16), 1e-9
    assert_in_delta 2000, demand.at_most(8, 16), 1e-9
  end

  test "without a lock threads share all cores; cores that are not known bound nothing" do
    assert_in_delta 1600, demand(locked: false).at_most(1, 16), 1e-9
    assert_in_delta 2000, demand(locked: false).at_most(1, 32), 1e-9
    assert_in_delta 4000, demand(cores: nil).at_most(8, 16), 1e-9
  end

  test "it is read off trials of one process and one thread" do
    result = SampleResult.new({ "1x1" => 700.0 }, boot_sd: 0.0, block_sd: 0.0).to_h
    result[:cohorts].each { |one| one[:trials].each { |trial| trial[:facts] = facts(trial) } }
    trials = Mohs::Stored.run(result).cohorts.flat_map(&:trials)
    found = Mohs::Tune::Demand.of(trials)

    assert_in_delta 1 / 700.0, found.total_s, 1e-6
    assert_in_delta 0.9 / 700.0, found.cpu_s, 1e-6
    assert_equal [true, 2], [found.locked, found.cores]
    assert_in_delta 0.5, Mohs::Tune::Demand.of(trials, quota_cores: 0.5).cores
    assert_nil Mohs::Tune::Demand.of([])
  end

  def facts(trial) = { **trial[:facts], cores: 2 }
end

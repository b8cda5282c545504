# frozen_string_literal: true

require "test_helper"
require "json"

# What every check has in common, whatever it looks at.
class ChecksContractTest < Mohs::TestCase
  SLICE = { warm_up: false, sent: 1000, good: 1000, errors: {}, wall_ns: 100_000_000,
            latency_sum_ns: 400_000_000, driver_cpu_ns: 10_000_000,
            pulse: Mohs::DRIVER_PULSE.merge(waited_ns: 100_000) }.freeze
  FACTS = {
    slices: [SLICE.merge(warm_up: true), *([SLICE] * 8)], recorded: 9000, threads: 1,
    connections: { asked: 4, opened: 4, lost: 0, served: 4 },
    stalls: Mohs::Checks::Stalls.count { 0 },
    jit: { declared: "yjit", at_boot: "yjit", at_end: "yjit" },
    workers: { declared: 2, at_end: 2, served: 2 },
    answers: [{ request: "GET /", status: 200, length: 12, kind: "body", note: nil }],
    attested: { jit: "yjit", pool: 5, threads: 5 },
    warm_up: { outcome: "warm", requests: 4000, seconds: 0.6 },
    idle: { wall_ns: 8_000_000_000, cpu_ns: 9_000_000 }, apart: true,
    arrivals: { kind: "poisson", windows: 100, index: 1.1 }, empty_per_s: 99_000.0,
  }.freeze

  # Checks that say nothing of closed loops.
  OPEN = { offered: 1000, unsent: 0, late: 0, lag_ns: { p50: 30_000, p99: 100_000 } }.freeze
  OF_OPEN_LOOPS = %w[offered_rate send_lag].freeze

  def self.faultless(name)
    OF_OPEN_LOOPS.include?(name) ? FACTS.merge(slices: [SLICE.merge(OPEN)] * 8) : FACTS
  end

  def assert_result(result, title)
    assert_equal %i[name ok level detail], result.keys
    assert_equal title, result[:name]
    assert_includes [true, false, nil], result[:ok]
    assert_includes %w[ok warn invalid], result[:level]
    assert_equal result[:ok] == false, result[:level] != "ok", "#{title}: #{result}"
    refute_empty result[:detail]
    assert_equal result, JSON.parse(JSON.generate(result), symbolize_names: true)
  end

  Mohs::Checks.names.each do |name|
    test "#{name} is content with a faultless trial" do
      result = Mohs::Checks.fetch(name).new.call(self.class.faultless(name))
      assert_result result, name
      assert_same true, result[:ok], result[:detail]
    end

    test "#{name} can't tell without facts" do
      result = Mohs::Checks.fetch(name).new.call({})
      assert_result result, name
      assert_nil result[:ok]
    end

    test "#{name} judges what came back from the store alike" do
      facts = self.class.faultless(name)
      stored = JSON.parse(JSON.generate(facts), symbolize_names: true)
      assert_equal Mohs::Checks.fetch(name).new.call(facts), Mohs::Checks.fetch(name).new.call(stored)
    end
  end

  test "a trial's checks are all of them, in order" do
    results = Mohs::Checks.call(FACTS)
    assert_equal Mohs::Checks.names, results.map { |result| result[:name] }
    assert_nil Mohs::Checks.spoiled(results)
  end
end

# frozen_string_literal: true

require "test_helper"

module Mohs
  class ArrivalsTest < TestCase
    SECOND = 1_000_000_000

    def arrivals(kind, rate_per_s = 1000, **more) = Load::Arrivals.new(kind:, rate_per_s:, **more)

    # Variance over mean of counts in windows of a hundredth of a second.
    def dispersion(times, seconds)
      counts = Array.new(seconds * 100, 0)
      times.each { |time| counts[time / (SECOND / 100)] += 1 }
      mean = counts.sum.fdiv(counts.size)
      counts.sum { |count| (count - mean)**2 } / (counts.size - 1) / mean
    end

    test "a constant rate has no dispersion, Poisson's is 1, a burst's its size" do
      { arrivals(:constant) => 0, arrivals(:poisson, seed: 5) => 1,
        arrivals(:poisson, burst: 5, seed: 5) => 5 }.each do |process, wanted|
        times = process.due_ns(duration_ns: 20 * SECOND)
        assert_in_delta 20_000, times.size, wanted.zero? ? 0 : 4 * Math.sqrt(wanted * 20_000)
        # its standard error is sqrt(2 / 2000) of it, for bursts somewhat more
        assert_in_delta wanted, dispersion(times, 20), 0.2 * wanted
      end
    end

    test "the seed decides" do
      times = [1, 1, 2].map { |seed| arrivals(:poisson, seed:).due_ns(count: 500) }
      assert_equal times[0], times[1]
      refute_equal times[0], times[2]
      assert_equal times[0].sort, times[0]
    end

    test "without a seed it is 0" do
      assert_equal arrivals(:poisson, seed: 0).due_ns(count: 9), arrivals(:poisson).due_ns(count: 9)
    end

    test "both ends of a ramp have to be rates" do
      [[100, Float::NAN], [Float::INFINITY, 100], ["9", 100]].each do |from, to_per_s|
        assert_raises(ArgumentError) { arrivals(:constant, from, to_per_s:) }
      end
    end

    test "a ramp begins and ends at its rates" do
      times = arrivals(:constant, 100, to_per_s: 300).due_ns(duration_ns: 10 * SECOND)
      assert_equal 2000, times.size
      assert_in_delta SECOND / 100, times[1] - times[0], 200_000
      assert_in_delta SECOND / 300, times[-1] - times[-2], 20_000
      assert_raises(ArgumentError) { arrivals(:constant, 100, to_per_s: 300).due_ns(count: 3) }
    end

    test "given times are kept, and count themselves" do
      given = Load::Arrivals.new(kind: :times, times: [0, 7, 7])
      assert_equal [0, 7, 7], given.due_ns
      assert_equal [0], given.due_ns(duration_ns: 7)
      assert_equal [3, nil], Load::Step.new(arrivals: given).to_h.values_at(:count, :duration_ns)
      assert_predicate given.times, :frozen?
    end

    test "a result tells how they came, and of a ramp where it ended" do
      steady, ramp = [arrivals(:poisson, 50, burst: 3), arrivals(:constant, 50, to_per_s: 70)]

      assert_equal({ kind: "poisson", rate_per_s: 50, to_per_s: nil, burst: 3 }, steady.facts)
      assert_equal({ kind: "constant", rate_per_s: 50, to_per_s: 70, burst: 1 }, ramp.facts)
      assert_equal [false, true, false], [steady, ramp, arrivals(:constant, 5, to_per_s: 5)]
        .map(&:ramp?)
    end

    test "a ramp may end at nothing, and any seed will do" do
      times = arrivals(:constant, 100, to_per_s: 0).due_ns(duration_ns: 2 * SECOND)
      assert_equal 100, times.size
      seeds = [0, 1 << 64].map { |seed| arrivals(:poisson, seed:).due_ns(count: 3) }
      assert_equal(*seeds)
      assert_raises(ArgumentError) { arrivals(:constant).due_ns }
    end

    test "what is no process is refused" do
      [{ kind: :constant }, { kind: :closed, rate_per_s: 1 }, { kind: :constant, rate_per_s: 0 },
       { kind: :poisson, rate_per_s: Float::NAN }, { kind: :poisson, rate_per_s: 1, to_per_s: -1 },
       { kind: :constant, rate_per_s: 1, burst: 0 }, { kind: :times }, { kind: :times, times: [] },
       { kind: :times, times: [2, 1] }, { kind: :times, times: [-1] },
       { kind: :times, times: [1], rate_per_s: 3 },
       { kind: :constant, rate_per_s: 3, times: [1] }].each do |bad|
        assert_raises(ArgumentError, bad.to_s) { Load::Arrivals.new(**bad) }
      end
    end
  end
end

# frozen_string_literal: true

require "test_helper"

module Mohs
  # Recordings of requests that left when they should have, or did not.
  class DispersionTest < TestCase
    STARTED_NS = 5_000_000_000
    S = 1_000_000_000

    # Of a step whose requests left so many ns after they were due.
    def index(duration_s: 4, count: nil, lag_ns: ->(_) { 30_000 }, flags: 0, rest_s: 0, **arrivals)
      arrivals = Load::Arrivals.new(**arrivals)
      duration_ns = duration_s * S unless count
      due = arrivals.due_ns(duration_ns:, count:)
      wall_ns = duration_ns || (due.last + (rest_s * S))
      step = Load::StepResult.new(started_ns: STARTED_NS, wall_ns:, offered: due.size)
      packed = due.map { |ns|
        Core::Records.pack({ due_ns: STARTED_NS + ns, sent_ns: lag_ns.call(ns), flags: })
      }.join
      LoadRun::Dispersion.new(arrivals.facts, duration_ns:).call(step, Load::Recording.of(packed))
    end

    test "even arrivals have none, at any rate, rising or in bursts" do
      [{ rate_per_s: 50 }, { rate_per_s: 1000 }, { rate_per_s: 7001.5 },
       { rate_per_s: 200, to_per_s: 2000 }, { rate_per_s: 2000, to_per_s: 0 },
       { rate_per_s: 3000, burst: 10 }, { rate_per_s: 333, count: 1000 }].each do |options|
        result = index(kind: :constant, **options)
        assert_operator result[:index], :<, 0.02, options.inspect
        assert_includes 30..1000, result[:windows]
      end
    end

    test "windows are a thousand at most, and all of a size" do
      windows = [1500, 1525].map do |rate_per_s|
        index(kind: :constant, rate_per_s:, duration_s: 20)[:windows]
      end

      assert_equal [1000, 30_500 / 31], windows
    end

    test "the time that a number of requests took to end is none in which they were due" do
      result = index(kind: :constant, rate_per_s: 333, count: 1000, rest_s: 9)

      assert_operator result[:index], :<, 0.02
    end

    test "random ones have that of chance" do
      [{ rate_per_s: 300 }, { rate_per_s: 5000 }, { rate_per_s: 200, to_per_s: 2000 },
       { rate_per_s: 3000, burst: 10 }, { rate_per_s: 400, count: 1600 }].each do |options|
        indices = Array.new(20) { |seed| index(kind: :poisson, seed:, **options)[:index] }
        assert_in_delta 1, indices.sum / 20, 0.15, options.inspect
        assert_operator indices.max, :<, 2, options.inspect
      end
    end

    test "what a driver lets go in clumps shows" do
      clumps = ->(due_ns) { 20_000_000 - (due_ns % 20_000_000) }
      assert_operator index(kind: :constant, rate_per_s: 1000, lag_ns: clumps)[:index], :>, 5
      assert_operator index(kind: :poisson, rate_per_s: 1000, lag_ns: clumps)[:index], :>, 5
    end

    test "what waited for a connection counts when it was due" do
      clumps = ->(due_ns) { 20_000_000 - (due_ns % 20_000_000) }
      result = index(kind: :constant, rate_per_s: 1000, lag_ns: clumps, flags: 32)
      assert_operator result[:index], :<, 0.02
    end

    test "of few requests, or given times, nothing is told" do
      assert_nil index(kind: :constant, rate_per_s: 30, duration_s: 1)
      assert_nil index(kind: :times, times: (0..999).to_a)
    end
  end
end

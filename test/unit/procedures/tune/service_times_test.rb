# frozen_string_literal: true

require "test_helper"

class TuningServiceTimesTest < Mohs::TestCase
  Times = Mohs::Tune::ServiceTimes
  Trial = Struct.new(:measured_slices, :latency)
  Slice = Struct.new(:good, :latency_sum_ns)

  def trial(mean_ms, quantiles_ms, good: 100)
    latency = %i[p50_ns p90_ns p99_ns max_ns].zip(quantiles_ms.map { _1 && (_1 * 1e6) }).to_h
    Trial.new([Slice.new(good, mean_ms * good * 1e6)], latency)
  end

  test "the mean and the spread of the distributions that queues are known for" do
    assert_in_delta 0.02, Times.constant(0.02).mean_s
    assert_in_delta 0.0, Times.constant(0.02).variability
    assert_in_delta 0.02, Mohs::ExponentialTimes.of(0.02).mean_s, 1e-9
    assert_in_delta 1.0, Mohs::ExponentialTimes.of(0.02).variability, 0.01
  end

  test "of a boot that has a mean and quantiles" do
    found = Times.of([trial(14.5, [14.0, 16.0, 20.0, 30.0])])

    assert_in_delta 0.0145, found.mean_s, 1e-9
    [0.015, 0.018, 0.025].zip(found.times_s.drop(1)) { |pair| assert_in_delta(*pair, 1e-9) }
    assert_in_delta 1.0, found.shares.sum
    assert_in_delta 0.03, found.scaled(0.03).mean_s, 1e-9
    assert_in_delta found.variability, found.scaled(0.03).variability, 1e-9
  end

  # Whether one request in a hundred takes 300 ms, or one in a thousand, p99 and the maximum do not
  # say.
  test "what is open between two quantiles is as short or as long as it may be" do
    found = Times.of([trial(12.0, [10.0, 10.0, 10.0, 300.0])])

    assert_in_delta 0.3, found.longest_s
    assert_operator found.quickest.variability, :<, 0.1
    assert_operator found.slowest.variability, :>, 3.5
    exact = Times.constant(0.02)
    assert_equal [exact, exact], [exact.quickest, exact.slowest]
  end

  test "a time that two boots of five saw is one of the server's" do
    boots = [10.0, 1000.0, 10.0, 1000.0, 10.0].map do |most|
      trial(10 + (most / 400), [10.0, 10.0, 10.0, most], good: 400)
    end

    assert_in_delta 1.0, Times.of(boots).longest_s
    assert_in_delta 0.01, Times.of(boots.first(2) + boots.last(1)).longest_s
  end

  test "one boot of three that was disturbed changes nothing" do
    calm = trial(15.0, [14.0, 16.0, 20.0, 30.0])
    disturbed = trial(45.0, [14.0, 90.0, 400.0, 900.0])

    assert_equal Times.of([calm]).times_s, Times.of([calm, disturbed, calm]).times_s
  end

  test "without quantiles, or without requests, nothing is known" do
    assert_nil Times.of([])
    assert_nil Times.of([trial(15.0, [14.0, 16.0, nil, 30.0])])
    assert_nil Times.of([trial(15.0, [14.0, 16.0, 20.0, 30.0], good: 0)])
  end
end

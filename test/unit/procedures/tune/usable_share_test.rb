# frozen_string_literal: true

require "test_helper"

class TuningUsableShareTest < Mohs::TestCase
  Share = Mohs::Tune::UsableShare
  Times = Mohs::Tune::ServiceTimes

  def share(text = "p99 < 200ms", processes: 2, threads: 5, capacity_per_s: 125.0,
            service: Times.constant(0.016))
    limit = Mohs::Load::Limit.parse(text)
    Share.of(limit:, service:, capacity_per_s:, processes:, threads:)
  end

  # The figure of a simulated server at this rate, in units of the limit.
  def figure(rate_per_s, text, **server)
    queue = Mohs::SimulatedServer.new(Random.new(11), **server)
    times = queue.call(rate_per_s, 20_000).sort
    limit = Mohs::Load::Limit.parse(text)
    times[(limit.share * times.size).floor] / (limit.ns / 1e9)
  end

  test "in whichever order a server works, what it holds is between the ends" do
    work = { constant: ->(_) { 0.016 }, varied: ->(random) { 0.008 + (0.016 * random.rand) } }
    varied = Times.new(times_s: [0.010, 0.014, 0.018, 0.022], shares: [0.25] * 4)
    services = { constant: Times.constant(0.016), varied: }
    cases = ["p99 < 200ms", "p90 < 80ms"].product(work.keys, times([2], [1, 2]), [1, 5])
    cases.each do |text, kind, processes, threads|
      capacity_per_s = processes / 0.016
      found = share(text, processes:, threads:, capacity_per_s:, service: services[kind])
      [[true, true], [true, false], [false, false]].each do |spread, turns|
        server = { work_s: work[kind], processes:, threads:, spread:, turns: }
        name = [text, kind, processes, threads, spread, turns].join(" ")
        # The simulation itself errs by a tenth.
        assert_operator figure(found.low * capacity_per_s, text, **server), :<, 1.1, name
        assert_operator figure(found.high * capacity_per_s, text, **server), :>, 0.9, name
      end
    end
  end

  test "a request that waits for others leaves room for more of them" do
    waits = share("p90 < 20ms", capacity_per_s: 1300.0, threads: 5, service: Times.constant(0.0052))
    computes = share("p90 < 20ms", capacity_per_s: 385.0, threads: 5,
                                   service: Times.constant(0.0052))

    assert_operator waits.value, :>, 1.2 * computes.value
  end

  test "a limit that may hold at no rate leaves no share that is known" do
    assert_nil share("p99 < 10ms")
    turns = share("p99 < 17ms", processes: 1, service: Times.constant(0.016))
    assert(turns.nil? || turns.low.positive?)
  end

  # The busiest of four processes had 1.33 times an equal share, the busiest of two 1.17 times.
  test "the more processes, the less the busiest leaves to spare" do
    low = [1, 2, 4].map { |count| share(processes: count, capacity_per_s: 62.5 * count).low }
    assert_equal [1.17, 1.34], (low.drop(1).map { |one| (low.first / one).round(2) })
  end

  test "of two settings of different shapes the whole error counts, of the same shape little" do
    one, same = share, share(capacity_per_s: 110.0)
    other = share(threads: 1)

    apart = one.bias_beside(other)
    assert_in_delta Math.log(one.high / other.low), Math.log(one.value / other.value) + apart
    assert_operator one.bias_beside(same, same: true), :<, 0.25 * apart
  end

  test "servers on fibers have any number of requests" do
    assert_operator share(threads: nil).low, :<=, share(threads: 16).low
  end
end

# frozen_string_literal: true

require "test_helper"

class TuningQueueModelTest < Mohs::TestCase
  Times = Mohs::Tune::ServiceTimes
  Model = Mohs::Tune::QueueModel

  def limit(text) = Mohs::Load::Limit.parse(text)

  test "one server with exponential times, whose quantiles are known" do
    model = Model.new(service: Mohs::ExponentialTimes.of(0.01))

    # P(R > t) = e^(-(1 - u) t / mean)
    { "p99 < 100ms" => 1 - (Math.log(100) / 10), "p90 < 50ms" => 1 - (Math.log(10) / 5) }
      .each { |text, share| assert_in_delta share, model.utilisation(limit(text)), 0.002 }
    assert_in_delta 0.8, model.utilisation(limit("mean < 50ms")), 0.002
    assert_equal 0.0, model.utilisation(limit("p99 < 40ms")), "4.6 times the mean at any rate"
  end

  test "several servers with exponential times, by Erlang's formula" do
    servers, used = 4, 0.7
    busy = servers * used
    terms = (0...servers).map { |count| (busy**count) / (1..count).inject(1, :*) }
    last = (busy**servers) / 24 / (1 - used)
    wait = last / (terms.sum + last)
    model = Model.new(service: Mohs::ExponentialTimes.of(0.01), servers:)

    assert_in_delta (wait * 0.01 / (servers * (1 - used))) + 0.01, model.mean_s(used), 1e-5
  end

  test "one server with constant times, whose mean and tail are known" do
    model = Model.new(service: Times.constant(0.01))

    assert_in_delta 0.01 * (1 + (0.8 / (2 * 0.2))), model.mean_s(0.8), 1e-5
    # Erlang 1909: P(wait <= t) in an M/D/1 queue.
    used, waits = 0.8, 6
    held = (1 - used) * (0..waits).sum do |count|
      ((used * (count - waits))**count) / (1..count).inject(1, :*) *
        Math.exp(-used * (count - waits))
    end
    assert_in_delta 1 - held, model.beyond(0.01 * (waits + 1), used), 0.002
  end

  SERVICES = {
    "constant" => [Times.constant(0.015), ->(_) { 0.015 }],
    "exponential" => [Mohs::ExponentialTimes.of(0.015),
                      ->(random) { -0.015 * Math.log(1 - random.rand) }],
    "two pages" => [Times.new(times_s: [0.01, 0.035], shares: [0.8, 0.2]),
                    ->(random) { random.rand < 0.8 ? 0.01 : 0.035 }],
  }.freeze

  test "simulated queues keep the limit a little below the model's share, and not above" do
    SERVICES.each do |name, (service, work_s)|
      [[1, "p99 < 200ms"], [2, "p99 < 120ms"], [3, "p90 < 60ms"]].each do |servers, text|
        share = Model.new(service:, servers:).utilisation(limit(text))
        below, above = [0.93, 1.07].map do |by|
          queue = Mohs::SimulatedServer.new(Random.new(3), work_s:, processes: servers,
                                                           spread: false)
          times = queue.call([share * by, 0.99].min * servers / service.mean_s, 40_000).sort
          times[(limit(text).share * times.size).floor]
        end
        assert_operator below, :<, limit(text).ns / 1e9, "#{name}, #{servers}"
        assert_operator above, :>, limit(text).ns / 1e9, "#{name}, #{servers}"
      end
    end
  end

  test "taking turns delays requests more, the more threads there are" do
    service = Times.constant(0.015)
    shares = [1, 2, 5, 16].map do |shared|
      Model.new(service:, shared:).utilisation(limit("p99 < 200ms"))
    end

    assert_equal shares.sort.reverse, shares
    queue = Mohs::SimulatedServer.new(Random.new(5), work_s: ->(_) { 0.015 }, threads: 5,
                                                     turns: true)
    times = queue.call(0.93 * shares[2] / 0.015, 20_000).sort
    assert_operator times[(0.99 * times.size).floor], :<, 0.2
  end
end

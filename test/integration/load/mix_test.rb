# frozen_string_literal: true

require "test_helper"

module Mohs
  # Which request goes over which connection, and how many: as declared, and the same again.
  class MixTest < TestCase
    include LoadHelper

    WEIGHTS = [1, 2, 7].freeze
    COUNT = 2000

    test "a mix is as declared, the same by seed on every connection, whatever the threads" do
      one = orders(seed: 1, threads: 1)
      assert_equal one, orders(seed: 1, threads: 2)
      refute_equal one, orders(seed: 2, threads: 1)
      assert_equal 7, one.values.uniq.size, "two connections play the same order"
      counts = one.values.flatten.tally
      WEIGHTS.each_with_index do |weight, request|
        share = Rational(weight, 10)
        sigma = Math.sqrt(COUNT * share * (1 - share))
        assert_in_delta COUNT * share, counts.fetch(request), 5 * sigma, "request #{request}"
      end
    end

    test "a mix of thousands of requests reaches the first and the last" do
      requests = Array.new(3000) { |number| Load::Request.new(path: "/#{number}") }
      picked = orders(seed: 3, threads: 1, requests:).values.flatten
      assert_operator picked.uniq.size, :>, 1200 # 3000 (1 - e^(-2/3)) = 1460 are expected
      assert_operator picked.min, :<, 50
      assert_operator picked.max, :>, 2949
    end

    test "counts are exact and even for any connections and threads" do
      random = Random.new(Minitest.seed)
      FakeServer.open do |server|
        12.times do
          count, connections, threads = random.rand(1..150), random.rand(1..13), random.rand(1..3)
          with_driver([target_on(server, connections:)], threads:) do |driver|
            result = driver.run([Load::Step.new(count:)]).first
            report = "#{count} requests, #{connections} connections, #{threads} threads"
            assert_equal [count, count], [result.sent, result.good], report
            low, more = count.divmod(connections)
            assert_equal per_connection(low, more, connections), tallied(driver, connections),
                         report
            assert_equal [low, low + (more.positive? ? 1 : 0)],
                         result.connections.values_at(:requests_min, :requests_max), report
          end
        end
      end
    end

    test "workers of a target carry its connections in turn, others none" do
      FakeServer.open do |server|
        targets = [target_on(server, workers: [1], connections: 3),
                   target_on(server, workers: [0, 1])]
        with_driver(targets, threads: 2) do |driver|
          results = driver.run([Load::Step.new(targets: [0, 1], count: 21)])
          assert_equal [21, 21], results.map(&:good)
          assert_equal [[0, 1, 2], [3, 4, 5, 6]], [0, 1].map { |target| used(driver, target) }
        end
      end
    end

    private

    # The requests of each connection in order.
    def orders(seed:, threads:, requests: WEIGHTS.map { |weight| Load::Request.new(weight:) })
      FakeServer.open do |server|
        with_driver([target_on(server, requests:, connections: 7)], seed:, threads:) do |driver|
          assert_equal COUNT, driver.run([Load::Step.new(count: COUNT)]).first.good
          groups = driver.recording(0).each.group_by(&:connection)
          return groups.sort.to_h.transform_values { |entries| entries.map(&:request) }
        end
      end
    end

    # Indexes of the connections that carried requests.
    def used(driver, target) = driver.recording(target).each.map(&:connection).uniq.sort

    # The first `more` connections have one more than the others.
    def per_connection(low, more, connections)
      Array.new(connections) { |index| index < more ? low + 1 : low }
    end

    def tallied(driver, connections)
      counts = driver.recording(0).each.map(&:connection).tally
      Array.new(connections) { |index| counts.fetch(index, 0) }
    end
  end
end

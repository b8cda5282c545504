# frozen_string_literal: true

require "test_helper"

module Mohs
  # Times as they are told while load runs.
  class TimesTest < TestCase
    include LoadHelper

    # As the core counts a time, by trying.
    def times(list)
      counts = [0] * 592
      list.each do |ns|
        shift = [ns.bit_length - 5, 0].max
        counts[(ns >> shift) + (16 * shift)] += 1
      end
      Load::Times.new(counts)
    end

    test "quantiles are those of the times, to 3 percent and half a ns" do
      random = Random.new(5)
      list = Array.new(500) { random.rand(1 << random.rand(1..40)) }.sort
      [0.0, 0.01, 0.5, 0.99, 1.0].each do |share|
        exact = list[[(share * 500).ceil - 1, 0].max]
        assert_in_delta exact, times(list).quantile(share), (exact * 0.032) + 0.5
      end
    end

    test "what came since an earlier look" do
      newer = times([100, 100, 5000]) - times([100, 5000])

      assert_equal 1, newer.size
      assert_in_delta 100, newer.quantile(0.5), 4
    end

    test "without any there is no quantile" do
      assert_nil times([]).quantile(0.5)
    end

    test "the driver tells those of right answers while it loads" do
      seen = []
      slow = ->(number) { sleep(0.02) && (number % 5 == 4 ? :close : :fine) }
      FakeServer.open(slow) do |server|
        with_driver([target_on(server, connections: 1)]) do |driver|
          driver.run([Load::Step.new(duration_ns: 500_000_000)]) { |live| seen << live }
        end
      end

      refute_empty seen
      live = seen.last
      assert_operator live.times.size, :<=, live.completed
      assert_operator live.times.size, :>, 0
      assert_operator live.times.quantile(0.0), :>, 15_000_000
    end
  end
end

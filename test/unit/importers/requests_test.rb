# frozen_string_literal: true

require "test_helper"

class ImportersRequestsTest < Mohs::TestCase
  def requests(times, failed: 0)
    Mohs::Importers::Shared::Requests.new.tap do |all|
      times.each_with_index { |time, index| all.add(time, start_s: index, error: nil) }
      failed.times { all.add(1, start_s: nil, error: "failed") }
    end
  end

  # Where a failed request stands at the rank or just above it, nothing is known.
  def slow(times, failed, share)
    all = times.sort + ([Float::INFINITY] * failed)
    value = Mohs::Stats::Quantile.type7(all, share)
    value if value.finite?
  end

  test "quantiles are those of all requests, the failed ones behind the others" do
    random = Random.new(3)
    40.times do
      times = Array.new(1 + random.rand(60)) { 1 + random.rand(1000) }
      failed = random.rand(4)
      shares = [0.5, 0.9, 0.99, 1.0]
      found = requests(times, failed:).quantiles(shares)
      shares.each do |share|
        expected = slow(times, failed, share)
        next unless expected && !expected.nan?

        assert_in_delta expected, found[share], 1e-9
      end
      refute found.key?(1.0) if failed.positive?
    end
    assert_empty requests([], failed: 2).quantiles([0.5])
  end

  test "seconds are from the first sent to the last done" do
    all = requests([5_000_000_000, 1, 1])

    assert_in_delta 5.0, all.seconds
    assert_equal [3, 3], [all.good, all.size]
    assert_nil Mohs::Importers::Shared::Requests.new.seconds
  end

  test "counted failures are requests too" do
    all = requests([1, 2])
    all.fail("timeout", 3)
    all.fail("read", 0)

    assert_equal [5, 2, { "timeout" => 3 }], [all.size, all.good, all.errors.to_h]
    assert_raises(RangeError) { all.fail("read", 10**9) }
  end
end

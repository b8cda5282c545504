# frozen_string_literal: true

require "test_helper"

# What each tool prints (test/fixtures/drivers/README.md says where from) as figures.
class PeerFiguresTest < Mohs::TestCase
  FOLDER = File.expand_path("../../fixtures/drivers", __dir__)

  def text(file) = File.read(File.join(FOLDER, file), encoding: "UTF-8")

  def member(tool, **target)
    target = Mohs::Load::Target.new(host: "127.0.0.1", port: 9292, connections: 4, **target)
    Mohs::Drivers.fetch(tool).new(targets: [target])
  end

  def figures(tool, stdout, files = {})
    member(tool).figures(Mohs::Drivers::Peer::Output.new(tool:, stdout:, files:))
  end

  def counts(figures) = figures.to_h.values_at(:sent, :completed, :good, :errors)

  # us of min, p50, p90, p99, p99.9, max.
  def times(figures)
    figures.times.values_at(0.0, 0.5, 0.9, 0.99, 0.999, 1.0).map { |ns| ns && (ns / 1e3) }
  end

  test "wrk: what it counts, and no more; the time from its rate, which has more digits" do
    result = figures("wrk", text("wrk.txt"))
    assert_equal [nil, 36_765, 36_765, {}], counts(result)
    assert_equal [nil, 56.0, 1410.0, 3970.0, nil, 6830.0], times(result)
    assert_in_delta 36_765 * 1e9 / 36_719.47, result.wall_ns, 1
    assert_equal [nil, nil], [result.bytes, result.latency_sum_ns]
  end

  test "wrk: bad statuses are complete answers, its read errors are none" do
    assert_equal [nil, 31_346, 0, { "wrong_status" => 31_346 }],
                 counts(figures("wrk", text("wrk-wrong.txt")))
    assert_equal [nil, 53_218, 53_218, { "read" => 1086 }],
                 counts(figures("wrk", text("wrk-errors.txt")))
  end

  test "wrk: a late answer is in both of its counts, and good in none" do
    late = text("wrk-errors.txt").sub("timeout 0", "timeout 18")
    assert_equal [nil, 53_218, 53_200, { "read" => 1086, "timeout" => 18 }],
                 counts(figures("wrk", late))
  end

  test "wrk: without an answer there are no times, and the length is that which it prints" do
    none = text("wrk.txt").sub("36765 requests in 1.00s", "0 requests in 1.25m")
                          .sub("36719.47", "0.00")
    result = figures("wrk", none)
    assert_equal [{}, 75_000_000_000, 0], [result.times, result.wall_ns, result.good]
  end

  test "ab: its table of quantiles, which are finer than what it prints" do
    result = figures("ab", text("ab.txt"), { "times.csv" => text("ab.csv") })
    assert_equal [nil, 1000, 1000, {}], counts(result)
    assert_equal [16.0, 4135.0, 4824.0], times(result).values_at(0, 3, 5)
    assert_nil times(result)[4]
    assert_equal 11_000, result.bytes
    assert_in_delta 1000 * 1e9 / 30_917.64, result.wall_ns, 1
  end

  test "ab: rows that it read behind the end of its times are left out" do
    { 50 => [true, false], 51 => [true, true], 5 => [false, false] }.each do |count, there|
      shown = text("ab.txt").sub("Complete requests:      1000", "Complete requests:      #{count}")
      result = figures("ab", shown, { "times.csv" => text("ab.csv") })
      assert_equal there, [result.times.key?(0.9), result.times.key?(0.99)], count
      assert_includes result.times, 1.0
    end
  end

  test "ab: bad statuses are counted; where something broke its sum of good ones is unknown" do
    wrong = figures("ab", text("ab-wrong.txt"))
    assert_equal [nil, 100, 0, { "wrong_status" => 100 }], counts(wrong)
    broken = figures("ab", text("ab-errors.txt"))
    assert_equal [nil, 400, nil, { "receive" => 8, "exceptions" => 8 }], counts(broken)
    assert_empty broken.times
  end

  test "h2load: sent, done and succeeded apart, the two times that it tells" do
    result = figures("h2load", text("h2load.txt"))
    assert_equal [1000, 1000, 1000, {}], counts(result)
    assert_equal [31.0, nil, nil, nil, nil, 2720.0], times(result)
    assert_equal 11_000, result.bytes
    assert_equal [29_032, 29_028, 0, { "wrong_status" => 29_028 }],
                 counts(figures("h2load", text("h2load-wrong.txt")))
    assert_equal [184, 180, 180, { "errored" => 220 }],
                 counts(figures("h2load", text("h2load-errors.txt")))
  end

  test "siege: JSON behind its greeting; a time of zero is one that it can't tell" do
    assert_equal [nil, 400, 400, {}], counts(figures("siege", text("siege.txt")))
    assert_equal [nil, 200, 0, { "wrong_status" => 200 }],
                 counts(figures("siege", text("siege-wrong.txt")))
    broken = figures("siege", text("siege-errors.txt"))
    assert_equal [nil, 392, 392, { "failed" => 8 }], counts(broken)
    assert_equal [nil, nil, nil, nil, nil, 10_000.0], times(broken)
    assert_nil broken.bytes
  end

  test "hey: answers by status, errors by class, times that are not zero" do
    result = figures("hey", text("hey.txt"))
    assert_equal [1000, 1000, 1000, {}], counts(result)
    assert_equal [nil, 100.0, 200.0, 4200.0, nil, 4700.0], times(result)
    assert_equal 11_000, result.bytes
    wrong = figures("hey", text("hey-wrong.txt"))
    assert_equal [4341, 4341, 0, { "wrong_status" => 4341 }], counts(wrong)
    none = figures("hey", text("hey-errors.txt"))
    assert_equal [40, 0, 0, { "refused" => 40 }, {}], [*counts(none), none.times]
  end

  test "hey: what goes beyond its memory is told as such" do
    full = text("hey.txt").sub("1000 responses", "1000000 responses")
    error = assert_raises(Mohs::Error) { figures("hey", full) }
    assert_match(/\Ahey .* 1000000 requests/, error.message)
  end

  test "statuses count as right where the check says so" do
    check = Mohs::Load::Check.new(statuses: [404])
    driver = member("hey", requests: [Mohs::Load::Request.new(check:)])
    output = Mohs::Drivers::Peer::Output.new(tool: "hey", stdout: text("hey-wrong.txt"))
    assert_equal [4341, 4341, 4341, {}], counts(driver.figures(output))
  end

  test "oha: seconds as ns, errors by class" do
    result = figures("oha", text("oha.json"))
    errors = { "wrong_status" => 12, "reset" => 3, "in_flight_at_end" => 4 }
    assert_equal [37_507, 37_500, 37_488, errors], counts(result)
    assert_equal [21.0, 87.5, 171.0, 418.5, 1200.0, 3600.0], times(result)
    assert_equal [1_000_400_000, 412_500], [result.wall_ns, result.bytes]
  end

  test "vegeta: exact sums; requests without an answer have status 0" do
    result = figures("vegeta", text("vegeta.json"))
    assert_equal [100, 100, 100, {}], counts(result)
    assert_equal [1949.582, 2854.306, 3228.262, 3530.0, nil, 3660.505], times(result)
    assert_equal [993_507_166, 606_700, 237_119_463],
                 [result.wall_ns, result.bytes, result.latency_sum_ns]
    broken = figures("vegeta", text("vegeta-errors.json"))
    assert_equal [100, 70, 60, { "wrong_status" => 10, "refused" => 30 }], counts(broken)
    assert_nil broken.latency_sum_ns
    wrong = text("vegeta.json").sub('"200": 100', '"200": 99, "404": 1')
    assert_nil figures("vegeta", wrong).latency_sum_ns
  end

  test "k6: what its script writes down" do
    result = figures("k6", "", { "summary.json" => text("k6.json") })
    assert_equal [14_020, nil, 14_000, { "failed" => 20 }], counts(result)
    assert_equal [30.1, 161.5, 401.2, 2950.0, 7125.0, 11_750.0], times(result)
    assert_equal 1_001_500_000, result.wall_ns
  end

  test "what can't be read is told with its first lines" do
    %w[wrk ab h2load siege hey oha vegeta k6].each do |tool|
      ["", "out of order\n\nsorry\n", "{}", "[1]"].each do |shown|
        error = assert_raises(Mohs::Error) { figures(tool, shown) }
        assert_operator error.message, :start_with?, "the output of #{tool} can't be read ("
        assert_operator error.message, :end_with?, "It began:\n#{shown.squeeze("\n").strip}"
      end
    end
  end

  test "a JSON document of another shape is told by what it lacks" do
    changed = text("vegeta.json").sub("status_codes", "statuses")
    error = assert_raises(Mohs::Error) { figures("vegeta", changed) }
    assert_includes error.message, '(no "status_codes")'
  end
end

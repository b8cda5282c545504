# frozen_string_literal: true

require "test_helper"

class NumbersTest < Mohs::TestCase
  Numbers = Mohs::Report::Numbers

  # Method and argument => text.
  TABLE = {
    [:figure, nil] => "–", [:figure, 0.0] => "0.00", [:figure, 0.582] => "0.58",
    [:figure, 9.2149] => "9.21", [:figure, 9.996] => "10.0", [:figure, 88.12] => "88.1",
    [:figure, 99.96] => "100", [:figure, 1652.3] => "1 652", [:figure, -12.34] => "-12.3",
    [:whole, 342.4] => "342", [:whole, nil] => "–", [:thousands, 999] => "999",
    [:thousands, 1_234_567] => "1 234 567", [:thousands, -1000] => "-1 000",
    [:share, 0.624] => "62.4 %", [:share, 0.0588] => "5.9 %", [:share, 0] => "0.0 %",
    [:shares, [0.0494, 0.0616]] => "[4.9, 6.2]", [:shares, [0.1, 0.2149]] => "[10, 21]",
    [:tenths, 0.011] => "1.1 %", [:tenths, 0.1234] => "12 %", [:tenths, 0] => "0.0 %",
    [:short, 0.0034] => "0.0034", [:short, 5.0] => "5", [:short, 9.96] => "10",
    [:short, 1204.4] => "1 204",
    [:percent, 0.00344] => "0.34 %", [:percent, 0.05] => "5 %", [:percent, 0.0994] => "9.9 %",
    [:percent, 0.0996] => "10 %", [:percent, 1.0] => "100 %",
    [:exact_percent, 0.01] => "1 %", [:exact_percent, 0.125] => "12.5 %",
    [:exact_percent, 0.01234] => "1.234 %", [:exact_percent, 10.0] => "1000 %",
    [:exact_percent, 0.07] => "7 %",
    [:signed, 1.002] => "+0.2 %", [:signed, 0.63] => "-37 %", [:signed, 3.4] => "3.4 times",
    [:ms, 150_000] => "0.15 ms", [:ms, 120_000_000] => "120 ms", [:us, 1_234] => "1.2 us",
    [:seconds, 0.523] => "0.52 s", [:seconds, 120.2] => "120 s",
    [:rough_duration, 41.2] => "50 s", [:rough_duration, 91] => "2 min",
    [:gigabytes, 1_610_612_736] => "1.5 GB", [:list, ["a", 2]] => "a, 2",
    [:counts, [["timeout", 3], ["wrong_body", 1000]]] => "3 timeout, 1 000 wrong body",
    [:clock, 46] => "0:46", [:clock, 725] => "12:05", [:clock, 3720] => "1:02:00",
    [:duration, 45] => "45 s", [:duration, 110] => "1 min 50 s", [:duration, 120] => "2 min",
    [:duration, 725] => "12 min",
    [:spread, { value: 1652.3, low: 1634, high: 1670 }] => "±1.1 %",
    [:spread, { value: 1652.3, low: nil, high: nil }] => nil,
    [:spread, { value: 100.0, low: 60, high: 160 }] => "±50 %",
    [:spread, { value: 100.0, low: 60, high: 162 }] => nil,
    [:scattered?, { value: 100.0, low: 60, high: 160 }] => false,
    [:scattered?, { value: 100.0, low: 60, high: 162 }] => true,
    [:scattered?, { value: 100.0, low: nil, high: nil }] => false, [:scattered?, nil] => false,
    [:spread, { value: nil, low: nil, high: nil }] => nil, [:spread, nil] => nil,
    [:rough_option, 41.2] => "50s", [:rough_option, 55] => "1m", [:rough_option, 91] => "2m",
    [:rough_option, 1140.5] => "20m", [:rough_option, 1201] => "25m",
  }.freeze

  TABLE.each_with_index do |((method, value), text), index|
    test "#{index + 1}: #{method} of #{value.inspect} is #{text.inspect}" do
      assert_equal [text], [Numbers.public_send(method, value)]
    end
  end

  def text(outcome, effect, low, high)
    Numbers.verdict(Mohs::Analysis::Verdict.new(outcome:, against: "x", effect:, low:, high:))
  end

  test "a latency is a time, or what it exceeds" do
    { [9.21, nil] => ["9.21", "9.21 ms"], [nil, nil] => ["–", "–"],
      [nil, 503.2] => ["> 503", "> 503 ms"],
      [nil, 4012.0] => ["> 4.01 s", "> 4.01 s"] }.each do |(time, bound), texts|
      assert_equal texts, [Numbers.latency(time, bound), Numbers.latency_with_unit(time, bound)]
    end
  end

  test "verdicts as a table says them" do
    {
      [:faster, 1.37, 1.358, 1.392] => "37 % faster [36, 39]",
      [:faster, 1.331, 1.318, 1.343] => "33.1 % faster [31.8, 34.3]",
      [:faster, 1.031, 1.019, 1.043] => "3.1 % faster [1.9, 4.3]",
      [:faster, 1.004, 1.0002, 1.01] => "0.4 % faster [0.02, 1.00]",
      [:faster, 3.4, 3.2, 3.6] => "3.4 times as fast [3.2, 3.6]",
      [:slower, 0.8, 0.76, 0.84] => "20 % slower [16, 24]",
      [:slower, 0.992, 0.985, 0.9996] => "0.8 % slower [0.04, 1.50]",
      [:undecided, 1.01, 0.99, 1.028] => "undecided [-1, 3]",
      [:undecided, 3.4, 0.9, 7.9] => "undecided 3.4 times [0.9, 7.9]",
      [:undecided, 1.4, 0.7, 3.1] => "undecided [-30, 210]",
      [:undecided, 1.37, nil, nil] => "+37 %, no interval",
      [:undecided, 1.0, 0.3, 3.1] => "undecided [-70, 210]",
      [:undecided, 0.9, nil, nil] => "-10 %, no interval",
      [:equivalent, 1.002, 0.995, 1.009] => "equal within 1 % [-0.5, 0.9]",
      [:baseline, nil, nil, nil] => "baseline",
      [:invalid, nil, nil, nil] => "no verdict",
    }.each { |verdict, expected| assert_equal expected, text(*verdict) }
  end

  test "numbers have two or three significant digits, and thousands apart" do
    { 0.04 => "0.04", 0.38 => "0.4", 3.14 => "3.1", 9.97 => "10", 37.2 => "37",
      1204.4 => "1 204", 184_220 => "184 220", 1_000_000 => "1 000 000", 0 => "0",
      -0.001 => "0.00" }.each do |value, expected|
      assert_equal expected, Numbers.number(value)
    end
    assert_equal "1 234.50", Numbers.number(1234.5, decimals: 2)
    assert_equal "0.0", Numbers.number(-0.01, decimals: 1)
  end

  test "a count has no decimals" do
    assert_equal ["5", "0", "-3", "1 204"], [5, 0, -3, 1204].map { |count| Numbers.number(count) }
  end

  test "every format of a template is a function of one number, or of a list" do
    (Numbers::FORMATS.values - %i[list counts]).each do |name|
      assert_kind_of String, Numbers.public_send(name, 1.5)
    end
  end

  test "a change in bytes has its sign and the unit that suits it" do
    assert_equal ["+0 bytes", "-12 bytes", "+4.1 kB", "-3.1 MB"],
                 [0, -12, 4096, -3_100_000].map { |change| Mohs::Report::Numbers.bytes(change) }
  end

  test "a name that reads as a word stands in quotes in a sentence, a derived one does not" do
    own = ["after", "native threads", "no-jit", "my_app"]
    assert_equal own.map(&:inspect), (own.map { |name| Numbers.called(name) })
    ["3.4.5", "3.4.5 --yjit", "jruby-9.4", "puma:1x5", "@main", "A", "B", "after 2"].each do |name|
      assert_equal name, Numbers.called(name)
    end
  end

  test "what is counted is written in thousands, in the number of its noun" do
    assert_equal ["1 cohort", "0 cohorts", "2 processes", "1 204 requests"],
                 [Numbers.counted(1, "cohort"), Numbers.counted(0, "cohort"),
                  Numbers.counted(2, "process", "processes"), Numbers.counted(1204, "request")]
  end

  test "a moment is that of this machine's time zone" do
    at_ms = Time.new(2026, 11, 21, 14, 5, 59).to_i * 1000

    assert_equal ["2026-11-21 14:05", "2026-11-21"], [Numbers.minute(at_ms), Numbers.day(at_ms)]
  end
end

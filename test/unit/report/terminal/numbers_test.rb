# frozen_string_literal: true

require "test_helper"

class NumbersTest < Mohs::TestCase
  Numbers = Mohs::Report::Terminal::Numbers

  # Method and argument => text.
  TABLE = {
    [:figure, nil] => "–", [:figure, 0.0] => "0.00", [:figure, 0.582] => "0.58",
    [:figure, 9.2149] => "9.21", [:figure, 9.996] => "10.0", [:figure, 88.12] => "88.1",
    [:figure, 99.96] => "100", [:figure, 1652.3] => "1 652", [:figure, -12.34] => "-12.3",
    [:whole, 342.4] => "342", [:whole, nil] => "–", [:thousands, 999] => "999",
    [:thousands, 1_234_567] => "1 234 567", [:thousands, -1000] => "-1 000",
    [:percent, 0.011] => "1.1 %", [:percent, 0.1234] => "12 %", [:percent, 0] => "0.0 %",
    [:clock, 46] => "0:46", [:clock, 725] => "12:05", [:clock, 3720] => "1:02:00",
    [:duration, 45] => "45 s", [:duration, 110] => "1 min 50 s", [:duration, 120] => "2 min",
    [:duration, 725] => "12 min",
    [:estimate, { value: 1652.3, low: 1634, high: 1670 }] => "1 652 ±1.1 %",
    [:estimate, { value: 1652.3, low: nil, high: nil }] => "1 652",
    [:estimate, { value: 100.0, low: 5, high: 204 }] => "100 ±100 %",
    [:estimate, { value: 100.0, low: 1, high: 6461 }] => "100 ±>100 %",
    [:estimate, { value: nil, low: nil, high: nil }] => "–", [:estimate, nil] => "–",
  }.freeze

  TABLE.each_with_index do |((method, value), text), index|
    test "#{index + 1}: #{method} of #{value.inspect} is #{text}" do
      assert_equal text, Numbers.public_send(method, value)
    end
  end

  test "bars: the highest fills, little is seen, nothing is blank" do
    spark = Mohs::Report::Terminal::Sparkline

    assert_equal "█▁ ▄", spark.of([100, 1, 0, 50])
    assert_equal "   ", spark.of([0, 0, 0])
    assert_equal "", spark.of([])
  end
end

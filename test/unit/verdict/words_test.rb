# frozen_string_literal: true

require "test_helper"

class VerdictWordsTest < Mohs::TestCase
  Words = Mohs::Verdict::Words

  def text(outcome, effect, low, high)
    Mohs::Verdict.new(outcome:, against: "x", effect:, low:, high:).to_h[:text]
  end

  test "verdicts as a table says them" do
    {
      [:faster, 1.37, 1.358, 1.392] => "37 % faster [36, 39]",
      [:faster, 1.331, 1.318, 1.343] => "33 % faster [31.8, 34.3]",
      [:faster, 1.031, 1.019, 1.043] => "3.1 % faster [1.9, 4.3]",
      [:faster, 1.004, 1.0002, 1.01] => "0.4 % faster [0.02, 1.00]",
      [:faster, 3.4, 3.2, 3.6] => "3.4 times as fast [3.2, 3.6]",
      [:slower, 0.8, 0.76, 0.84] => "20 % slower [16, 24]",
      [:slower, 0.992, 0.985, 0.9996] => "0.8 % slower [0.04, 1.50]",
      [:undecided, 1.01, 0.99, 1.028] => "undecided [-1.0, 2.8]",
      [:undecided, 1.4, 0.7, 3.1] => "undecided [-30, 210]",
      [:undecided, 1.37, nil, nil] => "+37 %, no interval",
      [:undecided, 1.0, 0.3, 3.1] => "undecided, too noisy",
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
      assert_equal expected, Words.number(value)
    end
    assert_equal "1 234.50", Words.number(1234.5, decimals: 2)
    assert_equal "0.0", Words.number(-0.01, decimals: 1)
  end

  test "amounts in the words given for them" do
    assert_equal "37 % more", Words.amount(1.37, "more", "fewer", "many")
    assert_equal "12 % fewer", Words.amount(0.88, "more", "fewer", "many")
    assert_equal "5.2 times as many", Words.amount(5.2, "more", "fewer", "many")
  end

  test "what the document says of a verdict" do
    verdict = Mohs::Verdict.new(outcome: :faster, against: "3.1.2", effect: 1.37, low: 1.355,
                                high: 1.392)
    assert_equal({ outcome: "faster", against: "3.1.2", metric: "throughput_per_s", effect: 1.37,
                   interval: [1.355, 1.392], margin: 0.01, text: "37 % faster [36, 39]",
                   reasons: [] }, verdict.to_h)
    assert_nil Mohs::Verdict.new(outcome: :baseline).to_h[:interval]
    assert_predicate verdict, :frozen?
  end
end

# frozen_string_literal: true

require "test_helper"

class ChangeTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  def change(effect, *interval, better: "more")
    figures = { effect:, interval: interval.any? ? interval : nil }
    Mohs::Report::Change.new(figures, better:)
  end

  def cells(...) = change(...).then { |it| [it.signed, it.interval] }

  test "a narrow interval has decimals, a wide one none" do
    assert_equal ["+33.1 %", "[31.8, 34.3]"], cells(1.331, 1.318, 1.343)
    assert_equal ["+33 %", "[24, 41]"], cells(1.331, 1.24, 1.41)
    assert_equal ["-2.0 %", "[-3.0, -1.0]"], cells(0.98, 0.97, 0.99)
  end

  # "80 % more [80.2, 80.2]" would be outside of its own interval.
  test "in a sentence, too, it has a decimal beside a narrow interval" do
    assert_equal ["80.2 % faster", "33 % faster", "33 % faster"],
                 [change(1.802, 1.802, 1.8021), change(1.331, 1.24, 1.41), change(1.331)]
                   .map { |one| one.directed("faster", "slower") }
  end

  test "where less is better it is told in the metric's own direction, the lower end first" do
    assert_equal ["-20 %", "[-33, -9]"], cells(1.25, 1.1, 1.5, better: "less")
    assert_equal "20 % [9, 33]", change(1.25, 1.1, 1.5, better: "less").then { |it|
      "#{it.amount} #{it.bracket}"
    }
  end

  test "from three times on, times" do
    assert_equal ["5.0 times", "[4.6, 5.3]"], cells(4.95, 4.6, 5.3)
    assert_equal ["+199 %", "[190, 205]"], cells(2.99, 2.9, 3.05)
    assert_predicate change(3.0), :times?
    of = Mohs::Report::Change.of(3.4)
    assert_equal ["3.4 times as fast", "240 % faster"],
                 [of.directed("faster", "slower", "fast"), of.directed("faster", "slower")]
  end

  test "without an interval there is none" do
    assert_equal ["+5.1 %", nil], cells(1.051)
    assert_equal ["5.1 %", ""], change(1.051).then { |it| [it.amount, it.bracket] }
  end

  test "an upper end so far off that its digits would read like findings is cut" do
    assert_equal ["[-70, 210]", "[-97, >900]", "[0.7, >10]", "[12, 40]"],
                 [[1.0, 0.3, 3.1], [1.0, 0.03, 33.0], [5.0, 0.7, 33.0], [22.0, 12.0, 40.0]]
                   .map { |ratios| cells(*ratios).last }
    assert_equal [["over 90 % slower", "over 900 % faster"], ["over 90 % slower", "50 % faster"],
                  ["97 % slower", "90 % slower"]],
                 ([[0.03, 33.0], [0.001, 1.5], [0.03, 0.1]].map do |ends|
                   change(1.0, *ends).ends("faster", "slower")
                 end)
  end

  test "an interval that excludes neither a tenth nor ten times says nothing" do
    vast = [[0.03, 33.0], [0.03, 9.0], [0.3, 33.0]].map { |ends| change(1.0, *ends).vast? }
    assert_equal [true, false, false], vast
    refute_predicate change(1.0), :vast?
  end

  test "what leaves out 0 shows that it does" do
    assert_equal "[0.04, 0.50]", cells(1.003, 1.0004, 1.005).last
    assert_equal "[0.04, 0.50]", change(1.003, 1.0004, 1.005).bracket
  end

  test "amounts in the words given for them" do
    words = [1.37, 0.88, 5.2].map { |ratio| change(ratio).directed("more", "fewer", "many") }
    assert_said(*words)
  end

  # Of a bisection's document.
  def figures(ratio, *interval, metric: "throughput")
    effect = { ratio:, interval:, a: "12" }
    document = { outcome: "none", metric:, effect:, steps: [], good: { name: "1" },
                 bad: { name: "2" } }
    Mohs::Bisect::Headline.new(document).to_s[/\((.*)\)/, 1]
  end

  test "a bisection, a table's verdict and a comparison say one change in the same figures" do
    assert_equal "requests/s -0.4 % [-0.70, -0.04] against 12", figures(0.996, 0.993, 0.9996)
    assert_match(/ 4.0 times \[3.8, 4.2\] against 12/, figures(0.25, 0.2403, 0.26, metric: "boot"))
    verdict = Mohs::Analysis::Verdict.new(outcome: :slower, against: "12", effect: 0.996,
                                          low: 0.993, high: 0.9996)
    assert_equal "0.4 % slower [0.04, 0.70]", Mohs::Report::Numbers.verdict(verdict)
  end

  test "no sign before a zero, no sign lost" do
    assert_equal ["+0.0 %", "[-0.1, 0.1]"], cells(0.9999999, 0.999, 1.001)
  end

  test "it is sure if its interval leaves out 1" do
    sure = ->(*interval) { Mohs::Report::Change.new({ effect: 1.1, interval: }).sure? }

    assert_equal [true, true, false, false],
                 [sure.(1.01, 1.2), sure.(0.8, 0.9), sure.(0.9, 1.2), sure.(1.0, 1.2)]
    refute_predicate Mohs::Report::Change.of(1.1), :sure?
  end
end

# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/agreement/verdict"

class AgreementVerdictTest < Mohs::TestCase
  ONE_PROCESS = ["others unicorn:1 cpu/15 c4", "others webrick cpu/15 c4"].freeze
  FEW_FOR_EACH = ["others unicorn:1 cpu/15 c4", "others unicorn:2 cpu/15 c4"].freeze
  EIGHT_FOR_EACH = ["others unicorn:1 cpu/15 c16", "others unicorn:2 cpu/15 c16"].freeze

  test "a verdict that wrk's rates contradict is wrong, whatever arithmetic says" do
    assert_predicate verdict(wrk: [60.0, 50.0], arithmetic: [66.7, 66.7]), :wrong?
    assert_predicate verdict(wrk: [60.0, 50.0], arithmetic: [66.7, 133.3], pair: EIGHT_FOR_EACH),
                     :wrong?
    refute_predicate verdict(wrk: [50.0, 60.0], arithmetic: [66.7, 133.3]), :wrong?
    assert_predicate verdict(wrk: [50.0, 60.0], outcome: "slower"), :wrong?
  end

  test "arithmetic excuses one where wrk may have left a process without connections" do
    refute_predicate verdict(wrk: [60.0, 50.0], arithmetic: [66.7, 133.3], pair: FEW_FOR_EACH),
                     :wrong?
    refute_predicate verdict(wrk: [60.0, 50.0], arithmetic: [66.7, 66.7], pair: FEW_FOR_EACH),
                     :wrong?
    assert_predicate verdict(wrk: [60.0, 50.0], arithmetic: [133.3, 66.7], pair: FEW_FOR_EACH),
                     :wrong?
  end

  test "only a verdict that has a direction to miss shows anything" do
    assert_predicate verdict(wrk: [60.0, 50.0]), :testable?
    assert_predicate verdict(wrk: [50.0, 60.0]), :testable?
    refute_predicate verdict(wrk: [50.0, 51.0]), :testable?
    refute_predicate verdict(wrk: [60.0, 50.0], arithmetic: [66.7, 66.7], pair: FEW_FOR_EACH),
                     :testable?
    refute_predicate verdict(wrk: [60.0, 50.0], outcome: "undecided"), :testable?
  end

  test "a small difference the other way is against wrk, but not wrong" do
    assert_predicate verdict(wrk: [51.0, 50.0]), :against_wrk?
    refute_predicate verdict(wrk: [51.0, 50.0]), :wrong?
    refute_predicate verdict(wrk: [50.0, 51.0]), :against_wrk?
    refute_predicate verdict(wrk: [51.0, 50.0], outcome: "equivalent"), :against_wrk?
  end

  test "does its interval contain the ratio of wrk's mean rates?" do
    refute_predicate verdict(wrk: [[40.0, 60.0], [70.0, 50.0]], interval: [1.1, 1.3]), :outside?
    assert_predicate verdict(wrk: [50.0, 60.0], interval: [1.21, 1.3]), :outside?
    assert_predicate verdict(wrk: [50.0, 60.0], interval: [1.0, 1.19]), :outside?
    assert_nil verdict(interval: nil).outside?
  end

  private

  def verdict(wrk: [50.0, 60.0], arithmetic: [66.7, 66.7], pair: ONE_PROCESS, outcome: "faster",
              interval: [1.1, 1.3])
    Mohs::AgreementVerdict.new("a" => pair.first, "b" => pair.last, "wrk" => wrk,
                               "arithmetic" => arithmetic, "outcome" => outcome,
                               "interval" => interval)
  end
end

# frozen_string_literal: true

require "test_helper"

class VerdictTest < Mohs::TestCase
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

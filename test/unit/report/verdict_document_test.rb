# frozen_string_literal: true

require "test_helper"

class VerdictDocumentTest < Mohs::TestCase
  def document(verdict) = Mohs::Report::Render.verdict(verdict)

  test "what the document says of a verdict" do
    finding = Mohs::Analysis::Finding.new(code: "rounds_needed", severity: :info,
                                          values: { rounds: 9, difference: 0.01 })
    verdict = Mohs::Analysis::Verdict.new(outcome: :faster, against: "3.1.2", effect: 1.37,
                                          low: 1.355, high: 1.392, findings: [finding])
    assert_equal({ outcome: "faster", against: "3.1.2", metric: "throughput_per_s", effect: 1.37,
                   interval: [1.355, 1.392], equal_interval: nil, margin: 0.01,
                   text: "37 % faster [36, 39]",
                   reasons: ["about 9 rounds would find a difference of 1 %"],
                   findings: [{ code: "rounds_needed", severity: "info", subject: nil,
                                values: { rounds: 9, difference: 0.01 },
                                text: "about 9 rounds would find a difference of 1 %" }] },
                 document(verdict))
    assert_nil document(Mohs::Analysis::Verdict.new(outcome: :baseline))[:interval]
    assert_predicate verdict, :frozen?
  end
end

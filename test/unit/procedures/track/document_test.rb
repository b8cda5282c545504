# frozen_string_literal: true

require "test_helper"
require "support/sample_history"

class TrackDocumentTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-track"

  def document(logs, metric: "throughput", key: :throughput_per_s)
    history = Mohs::Track::Result.new(SampleHistory.points(logs, key:),
                                          metric: Mohs::Analysis::Metric.fetch(metric))
    Mohs::Track::Document.document("shop", history)
  end

  def sentence(...) = document(...)[:sentence]

  # The page has `tracks` in the same section, which is of the list alone.
  test "the document has the keys of the contract" do
    found = document([*SampleHistory.steps([30, 0.1], [10, 0.07]), nil])

    assert_equal ["tracks is missing"], Mohs::JSONContract.new("`history`").faults(found)
    assert_equal [41, 1, "worse"],
                 [found[:points].size, found[:changes].size, found[:changes].first[:outcome]]
    assert_equal [%(B, "b", failed: it did not boot), nil],
                 found[:points].last.values_at(:reason, :effect)
  end

  test "a change is said with its commits, its size and what is now" do
    assert_match(/\AIt changed between c00001d and c00001e: requests\/s -[23]\.\d % \[-\d.+\]\. /,
                 sentence(SampleHistory.steps([30, 0.1], [10, 0.07])))
    assert_match(/ Now requests\/s \+7\.\d % \[\d\.\d, \d\.\d\] against @v1\.\z/,
                 sentence(SampleHistory.steps([30, 0.1], [10, 0.07])))
    assert_includes sentence(SampleHistory.steps([30, 0.1], [30, 0.05], [30, 0.1])),
                    "(1 earlier change)"
  end

  test "less is better: a latency that grew is said to have grown" do
    found = document(SampleHistory.steps([30, 0.1], [10, 0.07]), metric: "p50",
                                                                  key: :latency_p50_ms)

    assert_match(/: p50 \+3\.\d % \[/, found[:sentence])
    assert_equal "worse", found[:changes].first[:outcome]
  end

  test "without a change, with too few points, and with none" do
    assert_said(sentence(SampleHistory.steps([30, 0.1])))
    assert_said(sentence([0.1, 0.1]))
    assert_said(sentence([nil]))
  end

  test "a change that servers may have by their warm-up is not one, and is told" do
    biases = (30..39).to_h { |index| [index, [0.0, 0.08]] }
    points = SampleHistory.points(SampleHistory.steps([30, 0.1], [10, 0.05]), biases:)
    found = SampleHistory.document(points)
    left = Mohs::Report::Views.of(found).remarks.find { |one| one.name == "left out" }

    assert_equal [[], 1], found.values_at(:changes, :hidden)
    assert_said(found[:sentence], left.text)
  end
end

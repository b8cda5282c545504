# frozen_string_literal: true

require "test_helper"

# How sources are read: versions that they don't name, ranges, cores, stand-ins in order.
class ReproReadingTest < Mohs::TestCase
  include Mohs::ColdStarts
  include Mohs::Published
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

  LESS = "- {text: A, place: p, order: {less: jit, than: old}}\n"
  MORE = "- {text: A, place: p, order: {more: jit, than: old}}\n"
  UNNAMED = "unnamed: [\"2.6\"]\ninstead: {\"2.6\": [\"2.7\"]}"
  OLD = "variants: [\"old::2.6\", \"jit::3.4.5 --yjit\"]\n"

  def judge(claims, more: "", study: OLD, rates: nil, **options)
    publication = publication(claims, more:, study:)
    choice = choose(publication, **options)
    names = choice.variants.map { |_, one| one.label }
    rates ||= names.zip([1000, 1300]).to_h
    run = reproduced(publication, rates, tests: choice.tests)
    Mohs::Repro::Judge.new(publication, Mohs::Repro::Order.tests(run.stored), run).call.first
  end

  def text(judgement) = Mohs::Repro::Document.reason(judgement.findings)

  test "a version that the source does not name agrees in full" do
    found = judge(MORE, more: UNNAMED)

    assert_equal ["agrees", ["repro_ordered"]], [found.outcome, found.findings.map(&:code)]
    assert_equal [[nil, nil, "2.7.4"], ["3.4.5 --yjit", nil, nil]],
                 found.levels.sort_by(&:level).reverse.map { |one|
                   [one.asked, one.used, one.unnamed]
                 }
  end

  test "a version that the source names agrees in part, if another stands in" do
    assert_equal "direction_only", judge(MORE, more: "instead: {\"2.6\": [\"2.7\"]}").outcome
  end

  test "what contradicts a source that names no version does so for this version only" do
    found = judge(LESS, more: UNNAMED)

    assert_equal ["contradicted", true], [found.outcome, found.only.any?]
    assert_match(/ 2\.7\.4; .*no version/,
                 text(found))
  end

  test "an interpreter that the study does not have can't be unnamed" do
    error = assert_raises(Mohs::StudyError) { publication(MORE, more: "unnamed: [\"1.9\"]") }

    assert_match(/unnamed: "1\.9" .*study\.yml/, error.message)
  end

  test "with fewer cores than the source had a contradiction says so, an agreement does not" do
    had = ", source_had: {cores: 8}, order"
    against, same = [LESS, MORE].map { |yaml| judge(yaml.sub(", order", had), study: STUDY_OF) }
    enough = judge(LESS.sub(", order", had), study: STUDY_OF, cores: 8)

    assert_equal [["contradicted", true], ["agrees", false], ["contradicted", false]],
                 [against, same, enough].map { |one| [one.outcome, one.only.any?] }
    assert_match(/; measured on 2 cores .* of 8, /, text(against))
  end

  STUDY_OF = "variants: [\"old::2.7.4\", \"jit::3.4.5 --yjit\"]\n"

  test "a stand-in that would turn two versions round is none" do
    study = "variants: [\"old::2.0\", \"new::2.6\"]\n"
    more = "instead: {\"2.0\": [\"2.7\"]}"
    claim = "- {text: A, place: p, order: {more: new, than: old}}\n"
    both = Mohs::FakeRubies.new(Mohs::FakeRubies.ruby("2.6.2"), Mohs::FakeRubies.ruby("2.7.4"))
    newer = Mohs::FakeRubies.new(Mohs::FakeRubies.ruby("2.7.4"), Mohs::FakeRubies.ruby("3.4.5"))
    found = choose(publication(claim, study:, more:), rubies: both).tests.first
    kept = choose(publication(claim, study:, more: "#{more[0...-1]}, \"2.6\": [\"3.4\"]}"),
                  rubies: newer).tests.first

    assert_equal ["repro_absent", ["2.0"]],
                 [found.obstacle.code, found.obstacle.values[:interpreters].map { _1[:asked] }]
    assert_nil kept.obstacle
  end

  test "a range that the source gives is the claim's, with a direction" do
    found = judge("- {text: A, place: p, ratio: {of: jit, to: old, published: [1.25, 1.4]}}\n",
                  study: STUDY_OF)
    statement = found.claim.statement

    assert_equal [nil, 1.25, 1.4, :more],
                 statement.to_h.values_at(:published, :low, :high, :direction)
    assert_equal "agrees", found.outcome
    { "[1.4, 1.25]" => "published: should be", "[1, 2, 3]" => "published: should be",
      "[1, 2], tolerance: 5 %" => "tolerance: has no meaning" }.each do |given, message|
      yaml = "- {text: A, place: p, ratio: {of: jit, to: old, published: #{given}}}\n"
      error = assert_raises(Mohs::StudyError) { publication(yaml) }
      assert_includes error.message, "claims/1/ratio/#{message}"
    end
  end

  test "a bound may have two ends" do
    inside, outside = ["above: 1.2, below: 1.4", "above: 0.9, below: 1"].map do |ends|
      judge("- {text: A, place: p, bound: {of: jit, to: old, #{ends}}}\n", study: STUDY_OF)
    end

    assert_equal %w[agrees contradicted], [inside, outside].map(&:outcome)
    assert_equal "not between -10 % and 0 %", text(outside).sub("+", "")
  end

  test "of several that should be as much, the one that differs most is shown" do
    claims = "- {text: A, place: p, equal: {of: new, to: [old, jit], margin: 10 %}}\n"
    found = judge(claims, study: STUDY, rates: { "old" => 1000, "new" => 1010, "jit" => 1300 })

    assert_equal "contradicted", found.outcome
    assert_match(/ 10 %; .*"jit"\z/, text(found))
  end

  # Each has three trials, of which the first batch is slow if `slow` is.
  def from_a_cold_start(yaml, slow: 1, p99: 9)
    levels = { "old" => Array.new(3) { |at| cold_trial(400 + at, p50: 2, p99: 6) },
               "jit" => Array.new(3) { |at| cold_trial(700 + at, slow:, p50: 1, p99:) } }
    publication = publication("- {text: A, place: p, order: {#{yaml}}}\n")
    tests = Mohs::Repro::Selection.new(publication, rubies: Mohs::Rubies, cores: 1).of_source
    raw = Mohs::Repro::RawData.new(Mohs::Analysis::ColdStart.new(levels))
    Mohs::Repro::Judge.new(publication, tests, raw).call.first
  end

  test "the first batch is compared with the first batch" do
    found = from_a_cold_start("less: jit, than: old, metric: first")

    assert_equal "agrees", found.outcome
    assert_match(/\A"jit" .*less .*"old"\z/, text(found))
    assert_equal "contradicted",
                 from_a_cold_start("less: jit, than: old, metric: first", slow: 0).outcome
  end

  test "how far p99 is from p50 is compared as their quotient" do
    assert_equal "contradicted", from_a_cold_start("less: jit, than: old, metric: stretch").outcome
    found = from_a_cold_start("less: jit, than: old, metric: stretch", p99: 2)

    assert_said(text(found))
    assert_in_delta 2 / 3.0, found.interval.value, 1e-9
  end

  test "a run without batches can't say what the first one was" do
    found = judge("- {text: A, place: p, order: {less: jit, than: old, metric: first}}\n",
                  study: STUDY_OF)

    assert_equal ["not_measured", ["repro_no_batches"]], [found.outcome, found.findings.map(&:code)]
  end
end

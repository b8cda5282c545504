# frozen_string_literal: true

require "test_helper"

class ReproCompiledEvidenceTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::ColdStarts

  THREE = "- {text: A, place: p, compiled: {level: old, method: multiply, times: 3}}\n"
  AGAIN = "- {text: A, place: p, compiled: {level: old, at_least: 2}}\n"

  # By trials with these methods saved: { name => versions }, or nil.
  def judge(claims, *codes, publication: publication(claims), variant: "old")
    trials = codes.map do |code|
      cold_trial_at([100] * 12, code: code && saved_code(code))
    end
    cold = Mohs::Analysis::ColdStart.new({ variant => trials })
    tests = choose(publication).tests
    Mohs::Repro::Judge.new(publication, tests, Mohs::Repro::RawData.new(cold)).call.first
  end

  def same(versions) = [{ "multiply" => versions, "call" => 1 }] * 3

  def text(judgement) = Mohs::Report::Phrase.call(judgement.findings.first)

  test "as many versions in each trial agree" do
    found = judge(THREE, *same(3))

    assert_equal ["agrees", '"old" compiled multiply in 3 versions'], [found.outcome, text(found)]
    assert_equal [nil, nil, nil], [found.interval, found.p, found.adjusted]
  end

  test "another number in each trial contradicts" do
    fewer, mixed = judge(THREE, *same(1)), judge(THREE, *same(4).first(2), { "multiply" => 2 })

    assert_equal [["contradicted", '"old" compiled multiply in 1 version'],
                  ["contradicted", '"old" compiled multiply in 4, 4, 2 versions']],
                 [fewer, mixed].map { |one| [one.outcome, text(one)] }
  end

  test "trials that differ, or that never compiled it, leave it undecided" do
    differ = judge(THREE, *same(3).first(2), { "multiply" => 2 })
    never = judge(THREE, *same(2).first(2), { "call" => 1 })

    assert_equal [["undecided", [3, 3, 2]], ["undecided", [2, 2, 0]]],
                 [differ, never].map { |one| [one.outcome, one.findings.first.values[:versions]] }
  end

  test "without a method it is the one with the most versions" do
    agreed, other = judge(AGAIN, *[{ "a" => 1, "b" => 3 }] * 3), judge(AGAIN, *[{ "a" => 1 }] * 3)

    assert_equal [["agrees", '"old" compiled some method in 3 versions'],
                  ["contradicted", '"old" compiled some method in 1 version']],
                 [agreed, other].map { |one| [one.outcome, text(one)] }
  end

  test "fewer than three trials decide nothing" do
    found = judge(THREE, *same(3).first(2))

    assert_equal ["undecided", %w[repro_versions repro_few]],
                 [found.outcome, found.findings.map(&:code)]
  end

  test "a JIT that saves nothing, or another level's batches, decide nothing" do
    found, other = judge(THREE, *same(3).first(2), nil), judge(THREE, *same(3), variant: "new")

    assert_equal [%w[undecided repro_no_code], %w[undecided repro_unmeasured]],
                 [found, other].map { |one| [one.outcome, one.findings.first.code] }
  end

  test "a version that stood in shows the direction only, and can contradict" do
    claims = THREE.sub("old", "2.6.2")
    publication = publication(claims, more: "instead: {\"2.6.2\": [\"2.7\"]}",
                                      study: "variants: [2.6.2]\n")
    outcomes = [3, 1].map do |versions|
      judge(claims, *same(versions), publication:, variant: "2.7.4").outcome
    end

    assert_equal %w[direction_only contradicted], outcomes
  end
end

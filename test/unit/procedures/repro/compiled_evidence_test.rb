# frozen_string_literal: true

require "test_helper"

class ReproCompiledEvidenceTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::ColdStarts
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

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

  def same(versions, boots = 6) = [{ "multiply" => versions, "call" => 1 }] * boots

  def text(judgement) = Mohs::Report::Render.call(judgement.findings.first)

  test "as many versions in each trial agree" do
    found = judge(THREE, *same(3))

    assert_equal 6, Mohs::Repro::CompiledEvidence::FEWEST
    assert_equal "agrees", found.outcome
    assert_match(/`multiply` 3 times .* 6 boots\z/, text(found))
    assert_equal [nil, nil, nil], [found.interval, found.p, found.adjusted]
  end

  test "another number in each trial contradicts" do
    fewer, mixed = judge(THREE, *same(1)), judge(THREE, *same(4, 5), { "multiply" => 2 })

    assert_equal %w[contradicted contradicted], [fewer, mixed].map(&:outcome)
    assert_match(/`multiply` once .* 6 boots\z/, text(fewer))
    assert_match(/`multiply` 4, 4, 4, 4, 4, 2 times/, text(mixed))
  end

  test "trials that differ, or that never compiled it, leave it undecided" do
    differ = judge(THREE, *same(3, 8), { "multiply" => 2 })
    never = judge(THREE, *same(2, 8), { "call" => 1 })

    assert_equal [[*[3] * 8, 2], [*[2] * 8, 0]],
                 [differ, never].map { |one| one.findings.first.values[:versions] }
    assert_equal [["undecided", ["repro_versions"]]] * 2,
                 [differ, never].map { |one| [one.outcome, one.findings.map(&:code)] }
  end

  test "without a method it is the one with the most versions" do
    agreed, other = judge(AGAIN, *[{ "a" => 1, "b" => 3 }] * 6), judge(AGAIN, *[{ "a" => 1 }] * 6)

    assert_equal %w[agrees contradicted], [agreed, other].map(&:outcome)
    assert_match(/most versions 3 times .* 6 boots\z/, text(agreed))
    assert_match(/most versions once .* 6 boots\z/, text(other))
  end

  # 0.025^(1 / 3) = 0.292, 0.025^(1 / 5) = 0.478, 0.025^(1 / 6) = 0.541.
  test "few trials may be alike by chance, so they decide nothing, either way" do
    [[3, 3, 0.292], [1, 3, 0.292], [3, 5, 0.478]].each do |versions, boots, share|
      found = judge(THREE, *same(versions, boots))

      assert_equal ["undecided", %w[repro_versions repro_few_boots]],
                   [found.outcome, found.findings.map(&:code)]
      assert_in_delta share, found.findings.last.values[:share], 5e-4
    end
    assert_said(Mohs::Report::Render.call(judge(THREE, *same(3, 3)).findings.last))
  end

  # Compiled as claimed in every second boot: decided by chance, however many boots there are.
  test "what is so in every second boot is hardly ever decided" do
    random = Random.new(3)
    publication = publication(THREE)
    decided = Array.new(200) do
      boots = Array.new(6) { { "multiply" => random.rand < 0.5 ? 3 : 1 } }
      judge(THREE, *boots, publication:).outcome
    end

    found = decided.count { |one| one != "undecided" }
    assert_operator found, :<=, 18 # 3.1 % and four standard errors
  end

  test "a JIT that saves nothing, or another level's batches, decide nothing" do
    found, other = judge(THREE, *same(3), nil), judge(THREE, *same(3), variant: "new")

    assert_equal [%w[undecided repro_no_code], %w[not_measured repro_unmeasured]],
                 [found, other].map { |one| [one.outcome, one.findings.first.code] }
  end

  test "a version that stood in shows the direction only, and contradicts for itself only" do
    claims = THREE.sub("old", "2.6.2")
    publication = publication(claims, more: "instead: {\"2.6.2\": [\"2.7\"]}",
                                      study: "variants: [2.6.2]\n")
    found = [3, 1].map do |versions|
      judge(claims, *same(versions), publication:, variant: "2.7.4")
    end

    assert_equal [%w[direction_only repro_stand_in], %w[contradicted repro_stand_in_only]],
                 found.map { |one| [one.outcome, one.findings.last.code] }
  end
end

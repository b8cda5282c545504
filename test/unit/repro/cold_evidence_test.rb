# frozen_string_literal: true

require "test_helper"

class ReproColdEvidenceTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::ColdStarts

  WARM = "- {text: A, place: p, warm: {levels: [old, new], within: 3}}\n"
  EXCLUDED = "- {text: A, place: p, excluded: {level: jit}}\n"

  # Of raw data with these trials: { level => [batches that were slow in each trial] }.
  def judge(claims, slow, rates: {}, more: "")
    publication = publication(claims, more:)
    levels = slow.to_h do |name, each|
      each_rate = rates.fetch(name, [400] * each.size)
      [name, each.zip(each_rate).map { |count, rate| cold_trial(rate, slow: count) }]
    end
    judged_levels(claims, levels, publication:)
  end

  def judged_levels(claims, levels, publication: publication(claims))
    tests = Mohs::Repro::Selection.new(publication, rubies: Mohs::Rubies, cores: 1).of_source
    raw = Mohs::Repro::RawData.new(Mohs::Analysis::ColdStart.new(levels))
    Mohs::Repro::Judge.new(publication, tests, raw).call.first
  end

  def text(judgement) = Mohs::Report::Phrase.call(judgement.findings.first)

  test "levels that are all warm in time agree, and the last one is named" do
    found = judge(WARM, { "old" => [0, 1, 2], "new" => [2, 3, 5] })

    assert_equal ["agrees", "new after 3 (2, 3, 5)"], [found.outcome, text(found)]
    assert_equal [nil, nil, nil], [found.interval, found.p, found.adjusted]
  end

  test "one that is late contradicts, as does one that is never warm" do
    late = judge(WARM, { "old" => [0, 1, 2], "new" => [4, 4, 5] })
    never = judge(WARM, { "old" => [nil, nil, 4], "new" => [4, 4, 5] })

    assert_equal ["contradicted", "new after 4 (4, 4, 5)"], [late.outcome, text(late)]
    assert_equal ["contradicted", "old not in time (not, not, 4); new after 4 (4, 4, 5)"],
                 [never.outcome, text(never)]
  end

  test "as long as one of its trials was warm in time, a late level contradicts nothing" do
    found = judge(WARM, { "old" => [0, 1, 2], "new" => [nil, 3, 5] })
    other = judge(WARM, { "old" => [4, 4, 4], "new" => [nil, 3, 5] })

    assert_equal ["undecided", "new after 5 (not, 3, 5)"], [found.outcome, text(found)]
    assert_equal ["contradicted", "old after 4 (4, 4, 4)"], [other.outcome, text(other)]
  end

  test "trials that end too soon to tell contradict nothing" do
    soon = [Array.new(8) { 400 }] * 3
    levels = { "old" => soon, "new" => soon }.transform_values do |each|
      each.map { |rates| cold_trial_at(rates) }
    end
    within = judge(WARM.sub("within: 3", "within: 10"), { "old" => [nil] * 3, "new" => [0, 0, 0] })

    assert_equal %w[undecided repro_warm],
                 judged_levels(WARM, levels).then { |one| [one.outcome, one.findings.first.code] }
    assert_equal "undecided", within.outcome
  end

  test "a level whose trials disagree is compared with nothing" do
    slow = { "old" => [0, 0, 0], "new" => [0, 0, 0], "jit" => [0, 0, 0] }
    apart = { "old" => [99, 100, 101], "new" => [200, 202, 198], "jit" => [900, 303, 306] }
    found = judge("- {text: A, place: p, order: {more: jit, than: new}}\n", slow, rates: apart)
    other = judge("- {text: A, place: p, order: {more: new, than: old}}\n", slow, rates: apart)

    assert_equal %w[undecided repro_disagree], [found.outcome, found.findings.first.code]
    assert_equal "agrees", other.outcome
  end

  ["order: {more: jit, than: new, over: [old, old]}",
   "order: {more: jit, than: new, since: [old, old]}", "survives: jit", "crashes: jit"]
    .each do |statement|
    test "the source's own data can't tell: #{statement}" do
      found = judge("- {text: A, place: p, #{statement}}\n",
                    { "old" => [0, 0, 0], "new" => [0, 0, 0], "jit" => [0, 0, 0] })

      assert_equal %w[not_testable repro_raw], [found.outcome, found.findings.first.code]
    end
  end

  test "fewer than three trials decide nothing" do
    found = judge(WARM, { "old" => [0, 1, 2], "new" => [5, 5] })

    assert_equal ["undecided", %w[repro_warm repro_few]],
                 [found.outcome, found.findings.map(&:code)]
    assert_equal({ rounds: 2, needed: 3 }, found.findings.last.values)
  end

  test "a level whose trials disagree is excluded; one whose trials agree is undecided" do
    slow = { "old" => [0, 0, 0], "new" => [0, 0, 0], "jit" => [0, 0, 0] }
    near = { "old" => [99, 100, 101], "new" => [200, 202, 198], "jit" => [300, 303, 306] }
    apart = { **near, "jit" => [150, 300, 290] }
    out, kept = judge(EXCLUDED, slow, rates: apart), judge(EXCLUDED, slow, rates: near)

    assert_equal %w[agrees undecided], [out.outcome, kept.outcome]
    assert_operator out.p, :<, 0.01
    assert_equal "its trials served 150, 300, 290 requests/s, farther apart than those of the " \
                 "others", text(out)
    assert_equal ["repro_alike"], kept.findings.map(&:code)
  end

  test "without batches, or without some of them, nothing is decided" do
    publication = publication(WARM)
    tests = choose(publication).tests
    run = reproduced(publication, { "old" => 1000, "new" => 1050 })
    found = Mohs::Repro::Judge.new(publication, tests, run).call.first
    part = judge(WARM, { "old" => [0, 0] })
    single = judge(EXCLUDED, { "jit" => [0], "old" => [0, 0] })

    assert_equal [%w[undecided repro_no_batches], %w[undecided repro_unmeasured],
                  %w[undecided repro_single]],
                 [found, part, single].map { |one| [one.outcome, one.findings.first.code] }
  end

  test "without batches the sizes that record a cold start are named" do
    sizes = { nil => /study has no cold start/, "full" => /: --full records a cold start\z/,
              "quick: {cold_start: 12x64}, full" => /: --quick, --full record a cold start\z/ }
    sizes.each do |size, expected|
      more = size ? "sizes: {#{size}: {cold_start: 64x8}}" : ""
      found = judged(WARM, { "old" => 1000, "new" => 1050 }, more:).first

      assert_match expected, Mohs::Report::Phrase.call(found.findings.first)
    end
  end

  test "what keeps a claim from being tested is its reason" do
    study = "variants: [1.8.7, 3.4.5]\n"
    publication = publication("- {text: A, place: p, excluded: {level: 1.8.7}}\n", study:)
    found = Mohs::Repro::Judge.new(publication, choose(publication).tests, nil).call.first

    assert_equal %w[not_testable repro_absent], [found.outcome, found.findings.first.code]
  end

  test "a version that stood in shows the direction only" do
    publication = publication("- {text: A, place: p, warm: {levels: [3.2.2], within: 3}}\n",
                              more: "instead: {\"3.2.2\": [\"3.4\"]}", study: "variants: [3.2.2]\n")
    cold = Mohs::Analysis::ColdStart.new({ "3.4.5" => [cold_trial(400, slow: 2)] * 3 })
    tests = choose(publication).tests
    found = Mohs::Repro::Judge.new(publication, tests, Mohs::Repro::RawData.new(cold)).call.first

    assert_equal ["direction_only", %w[repro_warm repro_stand_in]],
                 [found.outcome, found.findings.map(&:code)]
  end
end

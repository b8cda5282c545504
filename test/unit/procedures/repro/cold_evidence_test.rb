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

  def text(judgement) = Mohs::Report::Render.call(judgement.findings.first)

  # Of boots, each at these rates behind the first three batches, beside 400 in the second half.
  def behind(*rates, within: 3, later: 400)
    trials = rates.map { |rate| cold_trial_at(([100] * 3) + ([rate] * 7) + ([later] * 10)) }
    judged_levels(WARM.sub("within: 3", "within: #{within}"),
                  { "old" => [cold_trial(400)] * trials.size, "new" => trials })
  end

  test "levels agree that are as fast by then as later, surely within 2 per cent" do
    found = behind(401, 400, 399, 400)

    assert_equal ["agrees", %w[repro_settling repro_warm]],
                 [found.outcome, found.findings.map(&:code)]
    settling, warm = found.findings.map { |one| Mohs::Report::Render.call(one) }
    assert_match(/\Aafter 3 batches new .* 0\.0 % \w+ \[-0\.3, 0\.3\] than /, settling)
    assert_match(/ old .* after 0 .* 4 boots; .* new .* 3 batches in 2 .* 10 batches in 2 /, warm)
    assert_nil found.interval
    assert_operator found.p, :<, 0.01
  end

  test "one that is surely slower or faster by then contradicts" do
    [[380, 378, 383, 381], [420, 421, 425, 419]].each do |rates|
      found = behind(*rates)

      assert_equal ["contradicted", %w[repro_outside repro_settling repro_warm]],
                   [found.outcome, found.findings.map(&:code)]
    end
  end

  test "boots that hold both are undecided, with the rounds that would do" do
    found = behind(396, 385, 400, 397)

    assert_equal ["undecided", %w[repro_rounds repro_settling repro_warm]],
                 [found.outcome, found.findings.map(&:code)]
  end

  # 0.4 % slower in the first half: within 2 %, but MSER cuts where it gets faster.
  test "a level that MSER finds no cut of is not steady, so it does not agree" do
    steady, rising = [10, 12].map do |slow|
      trial = cold_trial_at(([398] * slow) + ([400] * (20 - slow)))
      judged_levels(WARM, { "old" => [cold_trial(400)] * 4, "new" => [trial] * 4 })
    end

    assert_equal [["agrees", 10], ["undecided", nil]],
                 [steady, rising].map { |one|
                   [one.outcome, one.findings.last.values[:levels][1][:after]]
                 }
  end

  test "it is tested with the study's other claims" do
    order = "- {text: B, place: p, order: {more: jit, than: new}}\n"
    slow = { "old" => [0, 0, 0], "new" => [1, 0, 2], "jit" => [0, 1, 2] }
    publication = publication("#{WARM}#{order}")
    levels = slow.transform_values { |each| each.map { |count| cold_trial(400 + count) } }
    tests = Mohs::Repro::Selection.new(publication, rubies: Mohs::Rubies, cores: 1).of_source
    raw = Mohs::Repro::RawData.new(Mohs::Analysis::ColdStart.new(levels))
    found = Mohs::Repro::Judge.new(publication, tests, raw).call

    assert_equal Mohs::Stats::BenjaminiHochberg.adjust(found.map(&:p)), found.map(&:adjusted)
  end

  test "batches that end too soon behind the claimed ones decide nothing" do
    found = [3, 9, 10].map { |within| behind(400, 400, 400, within:) }

    assert_equal %w[agrees agrees undecided], found.map(&:outcome)
    assert_match(/\A"old" .* 10 batches /, Mohs::Report::Render.call(found.last.findings.first))
    assert_nil found.last.p
    silent = [cold_trial_at([400] * 20)] * 3
    silent[0].batches.fill(3..5) { Mohs::Analysis::ColdStart::Batch.new(good: 0, seconds: 1.0) }
    mute = judged_levels(WARM, { "old" => silent, "new" => silent })
    assert_equal ["undecided", ["repro_short"]], [mute.outcome, mute.findings.map(&:code)]
  end

  test "a level whose trials vary more is compared with nothing" do
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

    assert_equal ["undecided", %w[repro_few repro_settling repro_warm]],
                 [found.outcome, found.findings.map(&:code)]
    assert_equal({ rounds: 2, needed: 3 }, found.findings.first.values)
  end

  test "a level whose trials vary more is excluded; one whose trials vary alike is undecided" do
    slow = { "old" => [0, 0, 0], "new" => [0, 0, 0], "jit" => [0, 0, 0] }
    near = { "old" => [99, 100, 101], "new" => [200, 202, 198], "jit" => [300, 303, 306] }
    apart = { **near, "jit" => [150, 300, 290] }
    out, kept = judge(EXCLUDED, slow, rates: apart), judge(EXCLUDED, slow, rates: near)

    assert_equal %w[agrees undecided], [out.outcome, kept.outcome]
    assert_operator out.p, :<, 0.01
    assert_match(%r{150, 300, 290 requests/s .*vary more}, text(out))
    assert_equal ["repro_alike"], kept.findings.map(&:code)
  end

  # Of six trials, with the same range.
  test "a trial stands apart by the level's own spread, not by that of the others" do
    slow = { "old" => [0] * 6, "new" => [0] * 6, "jit" => [0] * 6 }
    near = { "old" => [99, 100, 101, 99, 100, 101], "new" => [200, 202, 198, 201, 199, 200] }
    found = [[300, 302, 299, 298, 150, 301], [300, 150, 250, 200, 280, 180]].map do |rates|
      judge(EXCLUDED, slow, rates: { **near, "jit" => rates })
    end

    assert_equal [["agrees", 5], ["agrees", nil]],
                 found.map { |one| [one.outcome, one.findings.first.values[:stray]] }
    assert_match(/vary more .*, trial 5 .*apart\z/, text(found[0]))
    assert_match(/vary more [^,]*\z/, text(found[1]))
  end

  test "batches are not those of the boots that a server survived" do
    claim = "- {text: A, place: p, order: {more: jit, than: old, metric: first}}\n"
    rates = { "old" => 1000, "new" => 1050, "jit" => 1300 }
    found = [false, true].map do |died|
      judged(claim, rates, rounds: 4) do |result|
        record_cold_starts(result, slow: 0)
        trial = result[:cohorts][0][:trials].find { |one| one[:variant] == "jit" }
        trial.merge!(state: "failed", reason: "the server died") if died
      end.first
    end

    assert_equal [false, true],
                 (found.map { |one| one.findings.map(&:code).include?("ended_under_load") })
    assert_equal ["undecided", nil], [found.last.outcome, found.last.interval]
  end

  test "without batches, or without some of them, nothing is decided" do
    publication = publication(WARM)
    tests = choose(publication).tests
    run = reproduced(publication, { "old" => 1000, "new" => 1050 })
    found = Mohs::Repro::Judge.new(publication, tests, run).call.first
    part = judge(WARM, { "old" => [0, 0] })
    single = judge(EXCLUDED, { "jit" => [0], "old" => [0, 0] })

    assert_equal [%w[not_measured repro_no_batches], %w[not_measured repro_unmeasured],
                  %w[undecided repro_single]],
                 [found, part, single].map { |one| [one.outcome, one.findings.first.code] }
  end

  test "without batches the sizes that record a cold start are named" do
    sizes = { nil => /no cold start/, "full" => /: --full records a cold start\z/,
              "quick: {cold_start: 12x64}, full" => /: --quick, --full record a cold start\z/ }
    sizes.each do |size, expected|
      more = size ? "sizes: {#{size}: {cold_start: 64x8}}" : ""
      found = judged(WARM, { "old" => 1000, "new" => 1050 }, more:).first

      assert_match expected, Mohs::Report::Render.call(found.findings.first)
    end
  end

  test "what keeps a claim from being tested is its reason" do
    study = "variants: [1.8.7, 3.4.5]\n"
    publication = publication("- {text: A, place: p, excluded: {level: 1.8.7}}\n", study:)
    found = Mohs::Repro::Judge.new(publication, choose(publication).tests, nil).call.first

    assert_equal %w[not_testable repro_absent], [found.outcome, found.findings.first.code]
  end

  test "a level that is not warm in time contradicts, a version that stood in for itself only" do
    publication = publication("- {text: A, place: p, warm: {levels: [3.2.2, 3.1.2], within: 3}}\n",
                              more: "instead: {\"3.2.2\": [\"3.4\"]}",
                              study: "variants: [3.2.2, 3.1.2]\n")
    cold = [[10, 0], [0, 10]].map do |slow|
      trials = slow.map { |count| [cold_trial_at(([380] * count) + ([400] * (20 - count)))] * 3 }
      Mohs::Analysis::ColdStart.new(%w[3.4.5 3.1.2].zip(trials).to_h)
    end
    found = cold.map do |one|
      tests = choose(publication).tests
      Mohs::Repro::Judge.new(publication, tests, Mohs::Repro::RawData.new(one)).call.first
    end

    assert_equal [%w[contradicted repro_stand_in_only], %w[contradicted repro_stand_in]],
                 found.map { |one| [one.outcome, one.findings.last.code] }
  end

  test "a version that stood in shows the direction only" do
    publication = publication("- {text: A, place: p, warm: {levels: [3.2.2], within: 3}}\n",
                              more: "instead: {\"3.2.2\": [\"3.4\"]}", study: "variants: [3.2.2]\n")
    cold = Mohs::Analysis::ColdStart.new({ "3.4.5" => [cold_trial(400, slow: 2)] * 3 })
    tests = choose(publication).tests
    found = Mohs::Repro::Judge.new(publication, tests, Mohs::Repro::RawData.new(cold)).call.first

    assert_equal ["direction_only", %w[repro_settling repro_warm repro_stand_in]],
                 [found.outcome, found.findings.map(&:code)]
  end
end

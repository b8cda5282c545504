# frozen_string_literal: true

require "test_helper"

class ReproJudgeTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

  FASTER = { "old" => 1000, "new" => 1050, "jit" => 1300 }.freeze

  def claim(yaml, text: "A", table: "all", headline: false)
    "- {text: #{text}, place: p, table: #{table}, headline: #{headline}, #{yaml}}\n"
  end

  def ratio(published, tolerance: "10 %", **options)
    claim("ratio: {of: jit, to: old, published: #{published}, tolerance: #{tolerance}}", **options)
  end

  def judge(yaml, rates = FASTER, **options, &)
    judged(claim(yaml), rates, **options, &).first
  end

  def codes(judgement) = judgement.findings.map(&:code)

  test "a ratio agrees if all of its interval is as published" do
    found = judged(ratio(1.25), FASTER).first

    assert_equal ["agrees", %w[repro_within]], [found.outcome, codes(found)]
    assert_in_delta 1.3, found.interval.value, 0.02
    assert found.interval.low.between?(1.25, 1.3)
  end

  test "of another size it agrees in direction only, and says the range" do
    found = judged(ratio(1.1, tolerance: "5 %"), FASTER).first
    near = judged(ratio(1.25, tolerance: "4 %"), FASTER).first

    assert_equal ["direction_only", ["repro_other_size"]], [found.outcome, codes(found)]
    assert_equal ["direction_only", ["repro_size_open"]], [near.outcome, codes(near)]
    assert_in_delta 1.1 * 1.05, found.findings.first.values[:high], 1e-12
  end

  test "the other way round it is contradicted" do
    found = judged(ratio(0.8), FASTER).first

    assert_equal ["contradicted", ["repro_opposite"]], [found.outcome, codes(found)]
  end

  test "a difference that is not there is contradicted, not undecided" do
    found = judged(ratio(1.25), { "old" => 1000, "new" => 900, "jit" => 1001 }, boot_sd: 0.002,
                                                                                rounds: 6).first

    assert_equal ["contradicted", ["repro_smaller"]], [found.outcome, codes(found)]
  end

  test "too little data is undecided, with what would decide it" do
    noisy = judged(ratio(1.05, tolerance: "2 %"), { "old" => 1000, "new" => 1000, "jit" => 1030 },
                   boot_sd: 0.05, rounds: 4).first
    few = judged(ratio(1.25), FASTER, rounds: 2).first

    assert_equal [["undecided", ["repro_rounds"]], ["undecided", ["repro_few"]]],
                 [noisy, few].map { |one| [one.outcome, codes(one)] }
    assert_operator noisy.findings.first.values[:rounds], :>, 4
    assert_equal({ rounds: 2, needed: 3 }, few.findings.first.values)
  end

  # The values of what would decide a claim, of a run of this size.
  def deciding(more, size: nil, rounds: 4)
    publication = publication(ratio(1.05, tolerance: "2 %"), more:)
    rates = { "old" => 1000, "new" => 1000, "jit" => 1030 }
    run = reproduced(publication, rates, boot_sd: 0.05, rounds:) do |result|
      result[:run][:study][:published][:size] = size
    end
    tests = choose(publication).tests
    finding = Mohs::Repro::Judge.new(publication, tests, run).call.first.findings.first
    assert_equal "repro_rounds", finding.code
    finding.values
  end

  test "the rounds that would decide stand beside those that there were, and a size's" do
    sizes = "sizes: {quick: {rounds: 4}, full: {rounds: 30}}"

    assert_equal [4, 30], deciding(sizes, size: "quick").values_at(:here, :full)
    same = "sizes: {quick: {rounds: 4}, full: {rounds: 4}}"
    assert_equal [4, nil], deciding(same, size: "quick").values_at(:here, :full)
    assert_equal [4, nil], deciding("").values_at(:here, :full)
  end

  test "that more rounds would decide it names no file" do
    values = { rounds: 127, here: 3 }
    texts = [values, { **values, full: 200 }, { **values, full: 20 }].map do |given|
      Mohs::Report::Render.text("repro_rounds", **given)
    end

    assert_equal [texts[0], "#{texts[0]} (--full without --budget has 200)", texts[0]], texts
    assert_match(/: 3 rounds so far; about 127 in all /, texts[0])
  end

  test "a nearest version contradicts for itself only, and says so" do
    more = "instead: {\"1.8.7\": [\"2.7\"]}"
    study = "variants: [1.8.7, 3.4.5]\n"
    publication = publication("- {text: A, place: p, order: {more: 1.8.7, than: 3.4.5}}\n", more:,
                                                                                           study:)
    run = reproduced(publication, { "2.7.4" => 1000, "3.4.5" => 1200 })
    found = Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call.first

    assert_equal ["contradicted", %w[repro_outside repro_stand_in_only]],
                 [found.outcome, codes(found)]
    assert_said(Mohs::Report::Render.call(found.findings.last))
  end

  test "a version that stands for several levels is named once" do
    claims = "- {text: A, place: p, order: {more: 1.8.7, than: [on Rack, 3.4.5]}}\n"
    more = "instead: {\"1.8.7\": [\"2.7\"]}"
    study = "variants: [1.8.7, \"on Rack::1.8.7, A=1\", 3.4.5]\n"
    publication = publication(claims, more:, study:)
    run = reproduced(publication, { "2.7.4" => 1000, "on Rack on 2.7.4" => 1000, "3.4.5" => 1200 })
    found = Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call.first

    assert_equal ["contradicted", %w[repro_outside repro_rival repro_stand_in_only]],
                 [found.outcome, codes(found)]
    assert_equal({ rival: "3.4.5", farthest: false }, found.findings[1].values)
  end

  # The stand-in is one of the rivals.
  test "what the published versions contradict by themselves is not for a stand-in only" do
    claims = "- {text: A, place: p, order: {more: 3.4.5, than: [1.8.7, 3.1.2]}}\n"
    publication = publication(claims, more: "instead: {\"1.8.7\": [\"2.7\"]}",
                                      study: "variants: [1.8.7, 3.4.5, 3.1.2]\n")
    found = [[900, 1200], [1200, 900]].map do |old, other|
      run = reproduced(publication, { "2.7.4" => old, "3.4.5" => 1000, "3.1.2" => other })
      Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call.first
    end

    assert_equal [["contradicted", %w[repro_outside repro_rival repro_stand_in], false],
                  ["contradicted", %w[repro_outside repro_rival repro_stand_in_only], true]],
                 found.map { |one| [one.outcome, codes(one), one.only.any?] }
  end

  test "a nearest version shows the direction only, and is named" do
    study = "variants: ['3.2.2', 3.2.2 --yjit]\n"
    claims = "- {text: A, place: p, ratio: {of: 3.2.2 --yjit, to: 3.2.2, published: 1.25, " \
             "tolerance: 10 %}}\n"
    more = "instead: {\"3.2.2\": [\"3.4\"], \"3.2.2 --yjit\": [\"3.4 --yjit\"]}"
    publication = publication(claims, study:, more:)
    run = reproduced(publication, { "3.4.5" => 1000, "3.4.5 --yjit" => 1250 })
    tests = Mohs::Repro::Order.tests(run.stored)
    found = Mohs::Repro::Judge.new(publication, tests, run).call.first

    assert_equal ["direction_only", %w[repro_within repro_stand_in]], [found.outcome, codes(found)]
    assert_equal({ used: "3.4.5", asked: "3.2.2", used_ruby: "3.4.5", asked_ruby: "3.2.2" },
                 found.findings.last.values)
  end

  test "an order needs each of the others, and shows the nearest" do
    most = judge("order: {more: jit, than: [old, new]}")
    not_most = judge("order: {more: new, than: [old, jit]}")
    least = judge("order: {less: old, than: [new, jit]}")

    assert_equal %w[agrees contradicted agrees], [most, not_most, least].map(&:outcome)
    assert_in_delta 1300 / 1050.0, most.interval.value, 0.02
    assert_in_delta 1050 / 1300.0, not_most.interval.value, 0.02
    assert_in_delta 1000 / 1050.0, least.interval.value, 0.02
  end

  test "an order is contradicted by any rival, and undecided where one is too near" do
    assert_equal %w[contradicted contradicted undecided],
                 [judge("order: {more: new, than: [jit, old]}"),
                  judge("order: {less: new, than: [old, jit]}"),
                  judge("order: {more: jit, than: [old, new]}", { "old" => 1000, "new" => 1300,
                                                                  "jit" => 1301 })].map(&:outcome)
  end

  test "what each of several rivals contradicts is not surer for their number" do
    publication = publication(claim("order: {more: new, than: [old, jit]}"))
    run = reproduced(publication, { "old" => 1000, "new" => 1000, "jit" => 1010 }, boot_sd: 0.01)
    metric = Mohs::Analysis::Metric.fetch("throughput")
    chances = %w[old jit].map { |rival| run.contrast(metric, rival, "new").below(1.0) }
    found = Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call.first

    assert_in_delta [2 * 2 * chances.min, 1.0].min, found.p, 1e-12
  end

  test "an order of cost is one of the cost: the fast one has less" do
    assert_equal %w[agrees contradicted],
                 [judge("order: {less: jit, than: old, metric: cpu}"),
                  judge("order: {more: jit, than: old, metric: p50}")].map(&:outcome)
  end

  # 750 and 519 us beyond old.
  BEYOND = { "old" => 4000, "new" => 1000, "jit" => 1300 }.freeze

  test "an overhead is what a request takes beyond another variant" do
    less = judge("order: {less: jit, than: new, over: [old, old]}", BEYOND)
    sized = judge("ratio: {of: jit, to: new, over: [old, old], published: 0.7, tolerance: 10 %}",
                  BEYOND)
    more = judge("order: {more: jit, than: new, over: [old, old]}", BEYOND)
    equal = judge("equal: {of: jit, to: new, over: [old, old], margin: 50 %}", BEYOND)

    assert_equal %w[agrees agrees contradicted agrees],
                 [less, sized, more, equal].map(&:outcome)
    assert_in_delta ((1000 / 1.3) - 250) / 750, sized.interval.value, 0.03
    assert_equal [%w[jit old], %w[new old]], less.overheads
  end

  test "without an overhead there is nothing to compare" do
    none = judge("order: {less: old, than: new, over: [new, jit]}", BEYOND)

    assert_equal ["undecided", ["repro_no_overhead"], nil],
                 [none.outcome, codes(none), none.interval]
  end

  test "an overhead that can't be tested names no variants" do
    study = "variants: ['1.8.7', 3.4.5]\n"
    claims = "- {text: A, place: p, order: {less: 3.4.5, than: 1.8.7, over: [1.8.7, 3.4.5]}}\n"
    publication = publication(claims, study:)
    found = Mohs::Repro::Judge.new(publication, choose(publication).tests, nil).call.first

    assert_equal ["not_testable", []], [found.outcome, found.overheads]
  end

  test "an overhead of a server that ended under load is none" do
    found = judge("order: {less: jit, than: new, over: [old, old]}", BEYOND) do |result|
      result[:cohorts][0][:trials][0].merge!(state: "failed", reason: "the server died")
    end

    assert_equal ["undecided", ["ended_under_load"]], [found.outcome, codes(found)]
  end

  # jit gains 60 % over new, fast 20 % over slow.
  GAINS = { "old" => 900, "new" => 1000, "jit" => 1600, "slow" => 5000, "fast" => 6000 }.freeze
  GAINERS = <<~YAML
    app: .
    variants:
      - "old::2.7.4"
      - "new::3.4.5"
      - "jit::3.4.5 --yjit"
      - "slow::3.4.5, A=1"
      - "fast::3.4.5 --yjit, A=1"
    baseline: old
  YAML

  def gains(yaml, rates = GAINS, &)
    publication = publication(claim(yaml), study: GAINERS)
    run = reproduced(publication, rates, &)
    Mohs::Repro::Judge.new(publication, Mohs::Repro::Order.tests(run.stored), run).call.first
  end

  test "a gain is the ratio to another variant, and gains are compared" do
    more = gains("order: {more: jit, than: fast, since: [new, slow]}")
    less = gains("order: {more: fast, than: jit, since: [slow, new]}")
    sized = gains("ratio: {of: jit, to: fast, since: [new, slow], published: 1.3, tolerance: 10 %}")
    cpu = gains("order: {less: jit, than: fast, since: [new, slow], metric: p50}")

    assert_equal %w[agrees contradicted agrees agrees], [more, less, sized, cpu].map(&:outcome)
    assert_in_delta 1.6 / 1.2, sized.interval.value, 0.04
    assert_in_delta 1.2 / 1.6, cpu.interval.value, 0.03
  end

  # Each boot of a variant pauses for so many slices of a normal length.
  def pausing(name, slices)
    lambda do |result|
      trials = result[:cohorts].flat_map { |cohort| cohort[:trials] }
      trials.select { |trial| trial[:variant] == name }.each do |trial|
        paused = trial[:slices].last
        paused[:wall_ns] *= slices
      end
    end
  end

  test "gains, or overheads, are about the same only if they are so with pauses included" do
    even = GAINS.merge("fast" => 8000)
    about = ["equal: {of: fast, to: jit, since: [slow, new], margin: 10 %}",
             "ratio: {of: fast, to: jit, since: [slow, new], published: 1, tolerance: 10 %}"]
    steady, paused = [nil, pausing("fast", 9)].map do |change|
      about.map { |yaml| gains(yaml, even, &change) }
    end
    beyond = judge("equal: {of: jit, to: new, over: [old, old], margin: 50 %}", BEYOND,
                   &pausing("jit", 30))

    assert_equal %w[agrees agrees], steady.map(&:outcome)
    [*paused, beyond].each do |found|
      assert_equal ["undecided", ["repro_total"]], [found.outcome, codes(found)]
    end
  end

  test "a gain of a server that ended under load is none" do
    found = gains("order: {more: jit, than: fast, since: [new, slow]}") do |result|
      trial = result[:cohorts][0][:trials].find { |one| one[:variant] == "slow" }
      trial.merge!(state: "failed", reason: "the server died")
    end

    assert_equal ["undecided", ["ended_under_load"]], [found.outcome, codes(found)]
  end

  test "equal within a margin agrees, beyond it is contradicted, in between it is undecided" do
    alike = { "old" => 1000, "new" => 1000, "jit" => 1002 }
    equal = "equal: {of: jit, to: old, margin: 1 %}"

    assert_equal ["agrees", "contradicted"],
                 [judge(equal, alike, boot_sd: 0.001, rounds: 8), judge(equal)].map(&:outcome)
    vague = judge(equal, alike, boot_sd: 0.02, rounds: 3)
    assert_equal "undecided", vague.outcome
  end

  test "a bound is held, broken, or undecided" do
    assert_equal %w[agrees contradicted agrees contradicted],
                 [judge("bound: {of: jit, to: old, below: 1.5}"),
                  judge("bound: {of: jit, to: old, below: 1.1}"),
                  judge("bound: {of: jit, to: old, above: 1.1}"),
                  judge("bound: {of: jit, to: old, above: 1.5}")].map(&:outcome)
    assert_equal "undecided", judge("bound: {of: jit, to: old, above: 1.299}").outcome
  end

  test "what is not adjusted to be sure stays undecided, whatever its interval says" do
    claims = [ratio(1.25), claim("bound: {of: jit, to: old, below: 1.1}", text: "B"),
              claim("order: {more: jit, than: old}", text: "C")]
    publication = publication(claims.join)
    run = reproduced(publication, FASTER)
    tests = Mohs::Repro::Order.tests(run.stored)
    found = publication.claims.zip(tests).map do |claim, test|
      evidence = Mohs::Repro::Evidence.new(claim, test, run)
      Mohs::Repro::Judge::QUESTIONS.each { |kind| evidence.adjusted(kind, 0.101, alpha: 0.1) }
      evidence.judgement
    end

    assert_equal %w[undecided] * 3, found.map(&:outcome)
    assert_equal [0.101] * 3, found.map(&:adjusted)
  end

  test "its p is that of the end which is least sure, or of the surest one outside, doubled" do
    publication = publication(claim("equal: {of: jit, to: old, margin: 5 %}"))
    inside, outside = [1010, 1100].map do |rate|
      run = reproduced(publication, { "old" => 1000, "new" => 1, "jit" => rate }, boot_sd: 0.02)
      contrast = run.contrast(Mohs::Analysis::Metric.fetch("throughput"), "old", "jit")
      found = Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call.first
      [found.p, 2 * contrast.below(1.05), 2 * contrast.above(1.05)]
    end

    assert_in_delta inside[1], inside[0], 1e-12
    assert_in_delta outside[2], outside[0], 1e-12
  end

  test "the rounds that would decide are those that separate it from what it has to exclude" do
    { ratio(1.05, tolerance: "2 %") => 1.0,
      claim("bound: {of: jit, to: old, below: 1.02}") => 1.02 }.each do |yaml, bound|
      publication = publication(yaml)
      run = reproduced(publication, { "old" => 1000, "new" => 1000, "jit" => 1030 }, boot_sd: 0.05,
                                                                                     rounds: 4)
      contrast = run.contrast(Mohs::Analysis::Metric.fetch("throughput"), "old", "jit")
      found = Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call.first

      assert_equal contrast.needed(bound, most: 1000), found.findings.first.values[:rounds]
    end
  end

  test "the rounds that would decide are those for the level that the family asks" do
    noisy = { "old" => 1000, "new" => 1000, "jit" => 1030 }
    orders = %w[A B C].map { |text| claim("order: {more: jit, than: old}", text:) }
    { false => 0.1 / 3, true => 0.05 / 3 }.each do |headline, level|
      yaml = orders.map { |one| one.sub("headline: false", "headline: #{headline}") }.join
      publication = publication(yaml)
      run = reproduced(publication, noisy, boot_sd: 0.05, rounds: 4)
      contrast = run.contrast(Mohs::Analysis::Metric.fetch("throughput"), "old", "jit")
      found = Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call

      assert_equal [contrast.needed(1.0, most: 1000, level:)] * 3,
                   found.map { |one| one.findings.first.values[:rounds] }
    end
  end

  test "a claim among sure ones needs fewer rounds than among others that are not" do
    orders = ["B", "C"].map { |text| claim("order: {more: new, than: old}", text:) }
    alone, among = [1000, 2000].map do |rate|
      yaml = [claim("order: {more: jit, than: old}"), *orders].join
      judged(yaml.gsub("headline: false", "headline: true"),
             { "old" => 1000, "new" => rate, "jit" => 1030 }, boot_sd: 0.05, rounds: 4).first
    end

    assert_operator among.findings.first.values[:rounds], :<, alone.findings.first.values[:rounds]
  end

  test "variants that never ran side by side decide nothing" do
    found = judge("order: {more: jit, than: new}") do |result|
      result[:cohorts].each_with_index do |cohort, index|
        out = index.even? ? %w[jit old] : %w[new old]
        cohort[:trials].reject! { |trial| out.include?(trial[:variant]) }
      end
    end

    assert_equal ["undecided", ["repro_never_beside"], nil],
                 [found.outcome, codes(found), found.interval]
  end

  test "a percentile of too few requests is missing, which is another reason" do
    found = judge("order: {more: jit, than: new, metric: p99}") do |result|
      result[:cohorts].flat_map { |cohort| cohort[:trials] }.each do |trial|
        latency = { **SampleResult::LATENCY, count: 40, p99_ns: nil }
        trial[:facts] = { **trial[:facts], latency: }
      end
    end

    assert_equal ["undecided", ["repro_no_figure"], { metric: "p99" }],
                 [found.outcome, codes(found), found.findings.first.values]
  end

  test "a percentile that one round lacks is judged by none of the others" do
    found = judge("order: {more: jit, than: new, metric: p99}") do |result|
      slow = result[:cohorts].last[:trials].find { |trial| trial[:variant] == "jit" }
      latency = { **SampleResult::LATENCY, count: 40, p99_ns: nil }
      slow[:facts] = { **slow[:facts], latency: }
    end

    assert_equal ["undecided", ["repro_no_figure"]], [found.outcome, codes(found)]
  end

  test "what could not run is not testable, what broke undecided, what had no turn not measured" do
    ends = { "refused" => "not_testable", "failed" => "undecided", "invalid" => "undecided",
             "lost" => "not_measured" }
    ends.each do |state, outcome|
      found = judge("order: {more: jit, than: old}") do |result|
        result[:cohorts].each do |cohort|
          cohort[:trials][2] = SampleResult.new({}).failed("jit", state:, reason: "no such gem")
        end
      end

      assert_equal outcome, found.outcome, state
      code = { "refused" => "repro_refused", "lost" => "repro_unmeasured" }
      assert_equal [code.fetch(state, "repro_failed")], codes(found)
      assert_nil found.interval
      assert_equal "jit", found.findings.first.values[:variant]
    end
  end

  test "a check that made all of its trials invalid is the reason" do
    found = judge("order: {more: jit, than: old}") do |result|
      result[:cohorts].each do |cohort|
        trial = cohort[:trials][2]
        checks = [{ name: "jit", ok: false, level: "invalid", code: "jit.other",
                    values: { expected: "yjit", found: "off" } }]
        trial.merge!(state: "invalid", slices: [], facts: { **trial[:facts], checks: })
      end
    end

    assert_equal ["undecided", ["repro_failed"], "jit.other"],
                 [found.outcome, codes(found), found.findings.first.values.dig(:spoiled, :code)]
  end

  test "a refusal keeps its reason, known before the start or by the trial" do
    refused = judge("order: {more: jit, than: old}") do |result|
      result[:run][:study][:variants][2][:refusal] = "no such flag"
      result[:cohorts].each { |cohort| cohort[:trials].delete_at(2) }
    end
    ended = judge("order: {more: jit, than: old}") do |result|
      result[:cohorts].each do |cohort|
        cohort[:trials][2] = SampleResult.new({}).failed("jit", reason: "no such gem")
      end
    end
    cut = judge("order: {more: jit, than: old}") do |result|
      result[:run][:plan][:dropped] = [{ name: "jit", code: "dropped_variant", values: {} }]
      result[:cohorts].each { |cohort| cohort[:trials].delete_at(2) }
    end

    assert_equal ["no such flag", "no such gem"],
                 [refused, ended].map { |one| one.findings.first.values[:reason].summary }
    assert_equal ["not_measured", ["repro_unmeasured"]], [cut.outcome, codes(cut)]
  end

  test "a server that ended under load makes its claims undecided" do
    found = judge("order: {more: jit, than: old}") do |result|
      result[:cohorts][0][:trials][2].merge!(state: "failed", reason: "the server died")
    end

    assert_equal ["undecided", ["ended_under_load"]], [found.outcome, codes(found)]
    second, third = %w[new old].map do |more|
      judge("order: {more: #{more}, than: [#{(%w[old new] - [more]).first}, jit]}") do |result|
        result[:cohorts][0][:trials][2].merge!(state: "failed", reason: "the server died")
      end
    end
    assert_equal ["undecided", ["ended_under_load"]], [second.outcome, codes(second)]
    assert_equal ["contradicted", %w[repro_outside repro_rival]], [third.outcome, codes(third)],
                 "the other one serves more"
  end

  # A run whose trials of `jit` end like this in those rounds.
  def ending(yaml, code: "died_under_load", state: "failed", rounds: [2], **options)
    judge(yaml, **options) do |result|
      rounds.each do |round|
        trial = SampleResult.new({}).failed("jit", state:, reason: "the server died (SIGSEGV)")
        trial[:facts] = { reason_parts: { summary: trial[:reason], code:, values: {} } }
        result[:cohorts][round - 1][:trials][2] = trial
      end
      result[:cohorts].each { |cohort| cohort[:trials].delete_at(1) }
    end
  end

  test "what served in all of its rounds survives, and does not crash" do
    survived = judge("survives: {levels: [jit, old], at_most: 64 %}")

    assert_equal ["agrees", ["repro_survived"], nil, nil],
                 [survived.outcome, codes(survived), survived.interval, survived.p]
    assert_equal ["undecided", ["repro_survived"]],
                 judge("crashes: jit").then { |one| [one.outcome, codes(one)] }
  end

  # 1 - 0.05^(1 / 3) = 0.632; that of 6 boots would be 0.393.
  test "boots without a crash agree only as far as they bound its chance, for each variant" do
    found = ["{levels: [jit, old], at_most: 63 %}", "[jit, old]", "jit"].map do |yaml|
      judge("survives: #{yaml}")
    end

    assert_equal [["undecided", ["repro_survived"]]] * 3,
                 found.map { |one| [one.outcome, codes(one)] }
    values = found[0].findings.first.values
    assert_equal [6, "jit", 3, 0.63, 4],
                 values.values_at(:boots, :variant, :fewest, :at_most, :needed)
    assert_in_delta 0.6316, values[:bound], 1e-4
    some, all = found.drop(1).map { |one| Mohs::Report::Render.call(one.findings.first) }
    assert_match(/\Ano crash in 6 boots, 3 of them of jit: .* 63 % .* 59 boots /, some)
    assert_match(/\Ano crash in 3 boots: .* 63 % .* 59 boots /, all)
  end

  test "59 boots of each bound it at 5 per cent" do
    boots = [58, 59].map { |rounds| judge("survives: [jit, old]", rounds:, blocks: 3).outcome }

    assert_equal %w[undecided agrees], boots
  end

  test "one crash is enough, and has its reason" do
    %w[died_under_load died_in_checks].each do |code|
      assert_equal "contradicted", ending("survives: [old, jit]", code:).outcome
    end
    silent = ending("survives: jit", code: "no_right_answers", state: "invalid")
    crashed = ending("crashes: jit", rounds: [1, 3])

    assert_equal %w[contradicted agrees], [silent.outcome, crashed.outcome]
    values = crashed.findings.first.values
    assert_equal ["repro_crashed", "jit", 2, 3, "the server died (SIGSEGV)"],
                 [codes(crashed).first, *values.values_at(:variant, :crashes, :boots),
                  values[:reason].summary]
  end

  test "what crashes whenever it is booted has crashed, though it has no figures" do
    assert_equal "agrees", ending("crashes: jit", rounds: [1, 2, 3]).outcome
  end

  test "a server that did not fail by itself has neither survived nor crashed" do
    { ["port_taken", "failed"] => "undecided", ["jit_differs", "invalid"] => "undecided",
      ["no_answer", "refused"] => "not_testable" }.each do |(code, state), outcome|
      %w[survives crashes].each do |kind|
        assert_equal outcome, ending("#{kind}: jit", code:, state:, rounds: [1, 2, 3]).outcome
      end
      assert_equal 2, ending("survives: jit", code:, state:).findings.first.values[:boots]
    end
  end

  test "a run that goes on may still see a crash" do
    stopped = judge("survives: {levels: jit, at_most: 90 %}") do |result|
      result[:run][:state] = "interrupted"
    end

    assert_equal ["undecided", ["repro_survived"]], [stopped.outcome, codes(stopped)]
  end

  test "survival is no test, so it is none of its study's" do
    found = judged("#{ratio(1.25)}#{claim('survives: jit', text: 'B')}", FASTER)

    assert_equal found[0].p, found[0].adjusted
    assert_nil found[1].adjusted
  end

  test "a claim of survival that can't be tested here has its obstacle" do
    publication = publication(claim("survives: jit"))
    obstacle = Mohs::Analysis::Finding.note("repro_cores", needed: 9, here: 2)
    test = Mohs::Repro::Test.new(claim: "A", levels: [], obstacle:)
    untried = choose(publication).tests

    assert_equal [["not_testable", ["repro_cores"]], ["not_measured", ["repro_nothing"]]],
                 [[test], untried].map { |tests|
                   one = Mohs::Repro::Judge.new(publication, tests, nil).call.first
                   [one.outcome, codes(one)]
                 }
  end

  test "a nearest version shows no more than that it survives itself" do
    publication = publication("- {text: A, place: p, survives: {levels: 1.8.7, at_most: 64 %}}\n",
                              more: "instead: {\"1.8.7\": [\"2.7\"]}",
                              study: "variants: [1.8.7, 3.4.5]\n")
    run = reproduced(publication, { "2.7.4" => 1000, "3.4.5" => 1200 })
    found = Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call.first

    assert_equal ["direction_only", %w[repro_survived repro_stand_in]],
                 [found.outcome, codes(found)]
  end

  test "a nearest version that crashes contradicts for itself only" do
    publication = publication("- {text: A, place: p, survives: 1.8.7}\n",
                              more: "instead: {\"1.8.7\": [\"2.7\"]}",
                              study: "variants: [1.8.7, 3.4.5]\n")
    run = reproduced(publication, { "2.7.4" => 1000, "3.4.5" => 1200 }) do |result|
      trial = SampleResult.new({}).failed("2.7.4", reason: "the server died (SIGSEGV)")
      parts = { summary: trial[:reason], code: "died_under_load", values: {} }
      result[:cohorts][0][:trials][0] = { **trial, facts: { reason_parts: parts } }
    end
    found = Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call.first

    assert_equal ["contradicted", %w[repro_crashed repro_stand_in_only]],
                 [found.outcome, codes(found)]
  end

  test "a claim without a run has its obstacle, or that nothing was measured" do
    publication = publication("#{claim('not_testable: no proxy', text: 'B')}#{ratio(1.2)}")
    found = Mohs::Repro::Judge.new(publication, choose(publication).tests, nil).call

    assert_equal [["not_testable", ["repro_stated"]], ["not_measured", ["repro_nothing"]]],
                 found.map { |one| [one.outcome, codes(one)] }
  end

  def tables = times(20, 40)

  # Many claims of no difference at all, a new run each time: how often is any called different?
  def false_findings(headline:)
    names = Array.new(12) { |index| "v#{index}" }
    study = "variants: [old, #{names.join(', ')}]\n".gsub(/(old|v\d+)/, '"\1::2.7.4"')
    claims = names.map { |name|
      "- {text: #{name}, place: p, headline: #{headline}, ratio: {of: #{name}, to: old, " \
        "published: 1.2, tolerance: 10 %}}\n"
    }.join
    publication = publication(claims, study:)
    (1..tables).count do |seed|
      run = reproduced(publication, ["old", *names].to_h { |name| [name, 1000] },
                       seed:, blocks: 3, rounds: 3, boot_sd: 0.02)
      judgements = Mohs::Repro::Judge.new(publication, choose(publication).tests, run).call
      judgements.any? { |one| one.findings.any? { |finding| finding.code == "repro_opposite" } ||
        one.outcome == "direction_only" }
    end
  end

  test "a table of claims without any difference hardly ever has one" do
    # The shares that method, section 8, promises, and three standard errors.
    { false => 0.1, true => 0.05 }.each do |headline, share|
      most = (tables * share) + (3 * Math.sqrt(tables * share * (1 - share)))
      assert_operator false_findings(headline:), :<=, most
    end
  end

  test "that a ratio is of the published size is adjusted with the other claims" do
    near = ratio(1.25, tolerance: "5 %")
    others = Array.new(8) { |index| ratio(2, text: "O#{index}") }.join
    alone, among = [near, "#{near}#{others}"].map { |claims| judged(claims, FASTER).first }

    assert_equal [["agrees", ["repro_within"]], ["direction_only", ["repro_size_open"]]],
                 [alone, among].map { |one| [one.outcome, codes(one)] }
  end

  FAMILIES = [["A", "all", true], ["B", "other", true], ["C", "all", false], ["D", "other", false]]
             .map { |text, table, headline| { text:, table:, headline: } }.freeze
  CLOSE = { "old" => 1000, "new" => 1004, "jit" => 1008 }.freeze

  def families
    sizes = [1.25, 1.2, 1.15, 1.3]
    FAMILIES.zip(sizes).map { |options, size| ratio(size, **options) }.join
  end

  def bh(*p_values) = Mohs::Stats::BenjaminiHochberg.adjust(p_values)
  def holm(*p_values) = Mohs::Stats::Holm.adjust(p_values)

  test "a study's headlines are adjusted by Holm, its others by Benjamini-Hochberg, in any table" do
    claims = families + claim("order: {more: new, than: old}", text: "E", table: "third")
    found = judged(claims, CLOSE, boot_sd: 0.006)
    p_values = found.map(&:p)

    assert_operator p_values.uniq.size, :>, 1
    assert_equal holm(*p_values.first(2)), found.first(2).map(&:adjusted)
    assert_equal bh(*p_values.drop(2)), found.drop(2).map(&:adjusted)
  end

  test "claims that were not asked for, or have no figures, count as tests without a finding" do
    extra = claim("survives: jit", text: "S") + claim("not_testable: nothing", text: "N") +
            claim("order: {more: old, than: new}", text: "E")
    publication = publication(families + extra)
    tests = choose(publication).tests
    run = reproduced(publication, CLOSE, boot_sd: 0.006)
    only = tests.select { |test| %w[B C].include?(test.claim) }
    found = Mohs::Repro::Judge.new(publication, only, run).call
    unmeasured = judged(families + extra, CLOSE, boot_sd: 0.006) do |result|
      result[:cohorts].each do |cohort|
        cohort[:trials].reject! { |trial| trial[:variant] == "new" }
      end
    end

    assert_equal [holm(found[0].p, 1.0)[0], bh(found[1].p, 1.0, 1.0)[0]], found.map(&:adjusted)
    assert_equal bh(*unmeasured[2, 2].map(&:p), 1.0).first(2), unmeasured[2, 2].map(&:adjusted)
  end

  test "what can't be tested here is no test" do
    publication = publication(families)
    run = reproduced(publication, CLOSE, boot_sd: 0.006)
    obstacle = Mohs::Analysis::Finding.note("repro_cores", needed: 9, here: 2)
    tests = choose(publication).tests.map do |test|
      test.claim == "D" ? Mohs::Repro::Test.new(claim: "D", levels: [], obstacle:) : test
    end
    found = Mohs::Repro::Judge.new(publication, tests, run).call

    assert_equal found[2].p, found[2].adjusted
  end

  test "a claim that the run was not made for is left out" do
    publication = publication("#{ratio(1.2)}#{claim('order: {more: new, than: old}', text: 'B')}")
    run = reproduced(publication, FASTER, tests: choose(publication, only: "new").tests)
    tests = Mohs::Repro::Order.tests(run.stored)

    assert_equal ["B"], Mohs::Repro::Judge.new(publication, tests, run).call.map { |one| one.claim.text }
  end


  RATES_BEFORE = { "old" => 1000, "new" => 1050, "jit" => 1300 }.freeze

  # As measured, and by another file now.
  def edited(before, after, only: nil)
    publication = publication(before)
    run = reproduced(publication, RATES_BEFORE, tests: choose(publication, only:).tests)
    tests = Mohs::Repro::Order.tests(run.stored)
    claims = Mohs::Repro::Order.claims(run.stored)
    [before, after].map do |yaml|
      Mohs::Repro::Judge.new(publication(yaml), tests, run, claims:).call
    end
  end

  test "what is edited after a run changes no judgement of it, and is said" do
    ratio = ratio(1.25, tolerance: "2 %")
    { ratio(1.25, tolerance: "40 %") => "repro_edited", ratio.sub("1.25", "0.7") => "repro_edited",
      ratio(1.25, tolerance: "2 %", headline: true) => "repro_edited",
      ratio(1.25, tolerance: "2 %", text: "B") => "repro_deleted" }.each do |after, code|
      before, now = edited(ratio, after).map(&:first)

      assert_equal [before.outcome, before.p, before.adjusted, before.claim.statement],
                   [now.outcome, now.p, now.adjusted, now.claim.statement]
      assert_equal [*codes(before), code], codes(now)
    end
  end

  test "a claim whose wording is edited after a run, even to that of another, keeps its verdict" do
    order = "order: {more: jit, than: old}"
    less = "order: {less: jit, than: old}"
    before = "- {id: more, text: A, place: p, ours: true, #{order}}\n" \
             "- {id: less, text: B, place: p, #{less}}\n"
    after = before.sub("text: A", "text: C").sub("text: B", "text: A")
    was, now = edited(before, after)
    shown = Mohs::Repro::Document.parts(publication(after), now, size: nil, measured: 3)[:claims]

    assert_equal %w[agrees contradicted], now.map(&:outcome)
    assert_equal [was.map(&:outcome), was.map { |one| codes(one) }],
                 [now.map(&:outcome), now.map { |one| codes(one) }]
    assert_equal [["more", true], ["less", false]], shown.map { |one| one.values_at(:id, :ours) }
  end

  test "claims that are deleted or added after a run make no test of it easier or harder" do
    order = claim("order: {more: new, than: old}", text: "B")
    before, fewer = edited("#{ratio(1.25)}#{order}", ratio(1.25), only: "jit")
    more = edited("#{ratio(1.25)}#{order}", "#{ratio(1.25)}#{order}#{order.sub('B', 'C')}").last

    assert_equal before.map(&:adjusted), fewer.map(&:adjusted)
    assert_operator before.first.adjusted, :>, before.first.p
    assert_equal [["A", ["repro_within"]], ["B", ["repro_ordered"]]],
                 more.map { |one| [one.claim.text, codes(one)] }
  end
end

# frozen_string_literal: true

require "test_helper"

# `mohs compare` from argv to exit status, with an experiment that only answers.
class CLICompareTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-compare"

  APP = { "config.ru" => "run ->(_) { [200, {}, []] }" }.freeze
  DIFFER = [0.301, 0.3, 0.299].freeze
  FAULT = lambda do |trial, name, _|
    trial.merge!(state: "refused", reason: "no", slices: []) if name == "b"
  end

  def compare(*argv, differences: DIFFER, events: [], members: [{}, {}], **options)
    document = Mohs::Stored.document(CompareResult.new(differences, **options).to_h)
    with_files(APP) do |dir|
      comparison = Mohs::Compare::Rules.new(candidate: "3.4.5")
      variants = fixture_study.variants.zip(members).map do |one, changed|
        Mohs::Study::Variant.new(**one.each_pair.to_h, **changed)
      end
      study = fixture_study(rules: comparison, variants:)
      @experiment = FakeExperiment.new(document:, study:, events:,
                                       plan: study.procedure.plan(seed: 1))
      return mohs("compare", *argv, dir:, experiment: -> { @experiment })
    end
  end

  def declared(*argv)
    output = compare(*argv)
    assert_equal [0, ""], [output.status, output.err]
    @experiment.declaration
  end

  test "two things that differ in anything" do
    a, b = declared("3.1.2", "3.4.5 --yjit, puma:2x5")[:variants].map(&:last)

    assert_equal ["3.1.2", "3.4.5", ["--yjit"], "puma:2x5"], [a.ruby, b.ruby, b.flags, b.server]
  end

  test "where the application turns its JIT on for one side only, it says how both have it" do
    members = [{ ruby: "4.0.5", own_jit: true, app_jit: "yjit" }, { app_jit: "yjit" }]
    told = lambda do |*argv, **changes|
      compare(*argv, "--get", "/a", "--dry-run", members:, **changes).err
    end

    same = [{ **members.first, ruby: "3.4.5" }, { **members.last, processes: 2 }]
    assert_said(told.call("yours", "3.4.5"), told.call("3.4.5", "yours", members: members.reverse),
                told.call("yours", "3.4.5, puma:2x5", members: same))
    assert_said(told.call("yours", "3.4.5, SECRET_KEY_BASE=s3cr3t"))
    assert_empty told.call("yours", "3.4.5 own-jit")
    assert_empty told.call("yours", "3.4.5", "--quiet")
  end

  test "a thing may be compared with itself" do
    labels = declared("3.1.2", "3.1.2")[:variants].map { |_, notation| notation.label }

    assert_equal "3.1.2 again", labels.last
    refute_equal(*labels)
  end

  test "--rate is that of both, unless messages are sent" do
    typed = [%w[--rate 60 --metric p99], %w[--websocket --rate 60]].map do |options|
      declared("3.1.2", "3.4.5", *options)
    end

    assert_equal [[60, 60], [nil, nil]],
                 (typed.map { |one| one[:variants].map { |_, notation| notation.rate } })
    assert_equal [nil, 60.0], (typed.map { |one| one[:streams]&.messages_per_s })
    { ["3.1.2, rate=5", "60"] => "--rate 60 is for A and B: leave out rate=5.",
      ["3.1.2", "0.5"] => "rate=0.5: write whole requests a second, rate=200",
      ["3.1.2", "x"] => "--rate x: a number of requests or messages per second." }
      .each do |(a, rate), text|
      assert_equal "mohs: #{text}\n", compare(a, "3.4.5", "--rate", rate, "--metric", "p99").err
    end
  end

  test "what is asked is declared, and nothing that was not given" do
    assert_equal({}, declared("a::3.1.2", "3.4.5")[:comparison])
    assert_equal({ metric: "p50", margin: 0.02, precision: 0.005, quick: true,
                   gates: ["p50 < +2%", "memory < +5%"]
                     .map { |text| Mohs::Compare::Condition.parse(text) } },
                 declared("3.1.2", "3.4.5", "--metric", "latency", "--margin", "2%", "--quick",
                          "--precision", "0.5 %", "--gate", "p50 < +2%", "--gate",
                          "memory < +5%")[:comparison])
  end

  test "options of a measurement are there too, but for its variants" do
    declaration = declared("3.1.2", "3.4.5", "--get", "/a", "--budget", "60s", "--seed", "4",
                           "--warm-up", "9s")

    assert_equal [["GET /a"], 60.0, 4, 9.0],
                 [declaration[:requests].map(&:to_s),
                  *declaration.values_at(:budget_s, :seed, :warm_up_s)]
    assert_equal 2, compare("3.1.2", "3.4.5", "--variant", "3.3").status
  end

  test "mistakes are found before anything takes time" do
    lines = [%w[3.1.2], %w[1 2 3], %w[3.1.2 3.4.5 --margin 0%], %w[3.1.2 3.4.5 --precision x],
             %w[3.1.2 3.4.5 --metric p51], %w[3.1.2 3.4.5 --gate p50]]
    assert_mistakes("compare", lines) { |*argv| compare(*argv) }
  end

  test "an application that isn't there is told before anything takes time" do
    output = mohs("compare", "3.1.2", "3.4.5", "--app", "/nowhere")

    assert_equal 2, output.status
    assert_includes output.err, "/nowhere"
  end

  test "exit status: 0 with any verdict, 1 without one" do
    assert_equal 0, compare("3.1.2", "3.4.5").status
    assert_equal 0, compare("3.1.2", "3.4.5", differences: [0.02, -0.03, 0.01], budget_s: 16).status
    assert_equal 1, compare("3.1.2", "3.4.5", trial: FAULT).status
  end

  {
    ["memory < +5%"] => 0, ["throughput > -2%"] => 0, ["throughput > +50%"] => 10,
    ["throughput > +35%"] => 11, ["throughput > +35%", "cpu < -50%"] => 10,
  }.each do |gates, status|
    test "exit status of #{gates.join(' and ')}: #{status}" do
      assert_equal status, compare("3.1.2", "3.4.5", comparison: { gates: }).status
    end
  end

  test "a gate without a verdict is inconclusive" do
    output = compare("3.1.2", "3.4.5", trial: FAULT, comparison: { gates: ["p50 < 1%"] })
    assert_equal 11, output.status
  end

  test "its document has the keys of docs/json.md, its plan too" do
    whole = compare("3.1.2", "3.4.5", "--json").json
    plan = compare("3.1.2", "3.4.5", "--json", "--dry-run").json

    assert_empty Mohs::JSONContract.new("In every document", "`run`", "`compare`").faults(whole)
    assert_empty Mohs::JSONContract.new("`run --dry-run`").faults(plan)
    assert_equal %w[compare compare], [whole, plan].map { |document| document[:command] }
  end

  test "where one is refused nothing is planned or measured" do
    [[], %w[--dry-run]].each do |options|
      study = fixture_study(rules: Mohs::Compare::Rules.new(candidate: "3.4.5"))
      refusal = Mohs::Reason.new(summary: "it does not start", code: "x")
      variants = [study.variants.first.refused(refusal), study.variants.last]
      study = Mohs::Study.new(**study.each_pair.to_h, variants:)
      experiment = FakeExperiment.new(document: -> { flunk "measured" }, study:)
      output = with_files(APP) do |dir|
        mohs("compare", "3.1.2", "3.4.5", *options, dir:, experiment: -> { experiment })
      end

      assert_equal [2, ""], [output.status, output.out]
      assert_match(/\Amohs: nothing .*: 3\.1\.2: .*not start/, output.err)
    end
  end

  test "a dry run says how it is done and when is looked first" do
    output = compare("3.1.2", "3.4.5", "--dry-run").out

    assert_match(/^3\.1\.2 \(A\) and 3\.4\.5 \(B\) (side by side|in turns)/, output)
    assert_match(/ · first look in about \d+ s$/, output)
    assert_match(/^30 cohorts +\d.* the last: /, output)
  end

  test "progress: a line for each cohort, with the interval as it closes in" do
    events = [1, 3].flat_map do |count|
      document = Mohs::Stored.document(CompareResult.new(DIFFER.first(count)).to_h)
      facts = { cohort: count - 1, of: 30, round: count, variants: %w[a b] }
      [[:cohort_started, facts], [:cohort_finished, { **facts, document: }]]
    end
    study = fixture_study(rules: Mohs::Compare::Rules.new(candidate: "3.4.5"))
    events.unshift([:plan, { study:, plan: study.procedure.plan(seed: 1) }])
    lines = compare("3.1.2", "3.4.5", events:).err.lines(chomp: true).grep(/cohort/)

    assert_said(*lines)
  end

  # What is said when the first servers are warm; seconds of slices, and of what waits behind them.
  def outlook(slices_s, waiting_s, budget_s: 60, cohort: 0)
    study = fixture_study(rules: Mohs::Compare::Rules.new(candidate: "3.4.5", budget_s:),
                          connections: 256)
    started = { cohort:, of: 30, round: cohort + 1, variants: %w[a b] }
    events = [[:plan, { study:, plan: study.procedure.plan(seed: 1) }], [:cohort_started, started],
              [:trial, { stage: :outlook, slices_s:, waiting_s: }]]
    text = compare("3.1.2", "3.4.5", events:).err.split.join(" ")
    text[/the first look needs about.*? it\)/]
  end

  test "progress: a budget that ends before the first look is told when the servers are warm" do
    assert_said(outlook(4.0, 48.0))
    assert_said(outlook(30.0, 0.0))
    assert_nil outlook(4.0, 10.0)
    assert_nil outlook(4.0, 48.0, budget_s: nil)
    assert_nil outlook(4.0, 48.0, cohort: 1)
  end

  test "progress: a cohort that does not count says why" do
    died = lambda do |trial, name, _|
      trial.merge!(state: "failed", reason: "died", slices: []) if name == "b"
    end
    document = Mohs::Stored.document(CompareResult.new([0.1], trial: died).to_h)
    facts = { cohort: 0, of: 30, round: 1, variants: %w[a b], document: }

    assert_equal "  cohort 1 · left out: B, \"b\", failed: died\n", compare_line(facts)
  end

  test "progress: what is decided but for a gate says which" do
    wide = ->(slice, name, _, at) { slice[:p50_ns] = 1_000_000 + (name == "b" ? at * 40_000 : 0) }
    result = CompareResult.new(DIFFER.first(3), slice: wide, comparison: { gates: ["p50 < +2%"] })
    document = Mohs::Stored.document(result.to_h)
    facts = { cohort: 2, of: 30, round: 3, variants: %w[a b], document: }

    assert_said(compare_line(facts))
  end

  private

  def compare_line(facts)
    out = StringIO.new(+"")
    progress = Mohs::Report::Terminal::LineProgress.new(out, style: Mohs::Report::Terminal::Style.new)
    study = fixture_study(rules: Mohs::Compare::Rules.new(candidate: "3.4.5"))
    progress.call(:plan, { study:, plan: study.procedure.plan(seed: 1) })
    out.truncate(0)
    out.rewind
    progress.call(:cohort_started, facts)
    progress.call(:cohort_finished, facts)
    out.string.lines.grep(/cohort/).join
  end
end

# frozen_string_literal: true

require "test_helper"

class CLIReproTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Published
  include Mohs::RawFiles
  include Mohs::ColdStarts
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-repro"

  CLAIMS = <<~YAML
    - {text: JIT gains a quarter, place: table 5, headline: true, ratio: {of: jit, to: new, published: 1.25, tolerance: 10 %}}
    - {text: New serves more, place: p. 3, table: versions, order: {more: new, than: old}}
    - {text: It scales, place: p. 4, needs: {cores: 100000}, bound: {of: jit, to: old, above: 2}}
  YAML
  RATES = { "old" => 1000, "new" => 1050, "jit" => 1300 }.freeze
  SIZES = "sizes: {quick: {rounds: 3, budget: 90s}, full: {rounds: 30}}"

  # A experiment that has measured the study of this folder.
  STUDIES = Dir.glob("*/published.yml", base: File.join(Mohs.root, "studies"))
               .map { |path| File.dirname(path) }.sort.freeze

  def repro(*argv, claims: CLAIMS, rates: RATES, more: SIZES, store: nil,
            study: STUDY, profile: nil, prepared: fixture_study, settled: nil, **options)
    with_files(published_files(claims, more:, study:)) do |dir|
      publication = Mohs::Repro::File.load("#{dir}/shop-2023")
      run = rates && reproduced(publication, rates) { |result| yield result if block_given? }
      plan = fixture_study.procedure.plan(seed: 1)
      @experiment = FakeExperiment.new(document: run, study: prepared, plan:, settled:)
      stored = run && Struct.new(:runs, :run).new([run.stored], run.stored)
      stored&.define_singleton_method(:result) { |_| run.stored }
      stored&.define_singleton_method(:profile, &profile) if profile
      return mohs("repro", *argv, dir:, experiment: -> { @experiment }, store: -> { stored },
                  **options)
    end
  end

  # How many claims it says that can be tested, if it says nothing else.
  def testable(output) = output.err[/\Ashop-2023: (\d of \d) claims [^\n]*\n\z/, 1]

  # What every study is declared as, and planned.
  def listing(*argv, experiment: nil)
    planned = fixture_study.procedure.plan(seed: 1)
    planning = FakeExperiment.new(document: nil, study: fixture_study, plan: planned)
    mohs("repro", *argv, experiment: experiment || -> { planning })
  end

  # The same for all tests: a listing reads every study.
  LISTED = {}
  def listed(*argv) = LISTED[argv] ||= listing(*argv)

  test "without a name, or with --list, it lists the studies of the checkout" do
    plain = listed

    assert_equal [0, ""], [plain.status, plain.err]
    assert_equal plain.out, listed("--list").out
    Mohs::Repro::Library.new.names.each { |name| assert_match(/^#{name} /, plain.out) }
    assert_equal Mohs::Repro::Library.new.names,
                 listed("--json").json[:studies].map { |one| one[:name] }
  end

  test "the list has the time of --quick, and the claims that it can test" do
    estimate_s = fixture_study.procedure.plan(seed: 1).estimate_s
    studies = listed("--json").json[:studies].to_h { |one| [one[:name], one] }
    quick = studies.transform_values { |one| one[:quick] }
    about = Mohs::Report::Numbers.duration(estimate_s)

    assert_equal [estimate_s, true], quick["keep-alive"].values_at(:estimate_s, :assumed)
    assert_operator quick["kazakov-2023"][:testable], :<, studies["kazakov-2023"][:claims]
    assert_match(/^keep-alive +#{about} +3 of 5 +Keep-alive/, listed.out)
    assert_match(/under a\s+Rack "hello,\s+world" \(Noah\s+Gibbs\s+2019\)/, listed.out)
  end

  test "without a store, the list has no times" do
    output = listing(experiment: -> { raise Mohs::EnvironmentError, "no folder" })

    assert_equal [0, ""], [output.status, output.err]
    assert_match(/^keep-alive +– +3 of 5 /, output.out)
  end

  # It may be locked by another program for half a minute: it is asked once.
  test "without a store that can be read, the list has no times" do
    asked = 0
    broken = lambda do |_study|
      asked += 1
      raise Mohs::StoreError, "the store is locked"
    end
    experiment = FakeExperiment.new(document: nil, study: fixture_study, plan: broken)
    output = listing(experiment: -> { experiment })

    assert_equal [0, "", 1], [output.status, output.err, asked]
    assert_match(/^keep-alive +– +3 of 5 /, output.out)
    refute_match(/guess/, output.out)
  end

  test "a folder's study is measured as it is declared, with the variants that are needed" do
    output = repro("shop-2023")

    assert_equal [0, "2 of 3"], [output.status, testable(output)]
    given = @experiment.declaration
    assert_equal ["old", %w[jit new old]],
                 [given[:baseline], given[:variants].map { |_, one| one.label }.sort]
    assert_equal [nil, nil, nil], given.values_at(:rounds, :budget_s, :seed)
    assert_equal ["shop-2023", 3, nil], given[:published].values_at(:name, :levels, :size)
    sentence = "Rubies under a shop (A. Author and others 2023), measured again. Of 3 claims: " \
               "2 agree, 1 not testable here."
    assert_operator output.out.tr("\n", " "), :start_with?, sentence
  end

  test "--quick and --full are what the study declares; the command line takes precedence" do
    repro("shop-2023", "--quick")
    assert_equal [3, 90.0], @experiment.declaration.values_at(:rounds, :budget_s)
    repro("shop-2023", "--full")
    assert_equal [30, nil], @experiment.declaration.values_at(:rounds, :budget_s)
    repro("shop-2023", "--quick", "--budget", "1h", "--seed", "5", "--warm-up", "10m")
    assert_equal [3, 3600.0, 5, 600.0],
                 @experiment.declaration.values_at(:rounds, :budget_s, :seed, :warm_up_s)
    repro("shop-2023", "--quick", "--rounds", "45")
    assert_equal [45, nil], @experiment.declaration.values_at(:rounds, :budget_s)
    repro("shop-2023", "--quick", "--rounds", "45", "--budget", "1h")
    assert_equal [45, 3600.0], @experiment.declaration.values_at(:rounds, :budget_s)
    output = repro("shop-2023", "--full", more: "")
    assert_equal 2, output.status
    assert_includes output.err, "shop-2023 has no size full: "
  end

  NO_GEMS = Mohs::Reason.new(code: "bundle_failed", summary: "no OpenSSL")

  # What a declaration is prepared to, where these Rubies can't be measured.
  def refusing(*lost, reason: NO_GEMS)
    lambda do |declaration|
      variants = declaration[:variants].map do |_, one|
        Mohs::Study::Variant.new(name: one.label, ruby: one.ruby, flags: one.flags,
                                 refusal: (reason if lost.include?(one.ruby)))
      end
      Mohs::Study.new(**fixture_study.each_pair.to_h, variants:, baseline: variants.first.name)
    end
  end

  OLDER = "#{SIZES}\ninstead: {\"3.4.5\": [\"3.1.2\"], \"3.4.5 --yjit\": [\"3.1.2 --yjit\"]}".freeze

  test "what is refused before the run is not among the claims that can be tested" do
    output = repro("shop-2023", prepared: refusing("2.7.4"))

    assert_equal "1 of 3", testable(output)
  end

  test "a Ruby that is here and can't be measured gives way to its stand-in" do
    output = repro("shop-2023", prepared: refusing("3.4.5"), more: OLDER)

    lost, tested, *instead = output.err.lines(chomp: true)
    assert_match(/\A3\.4\.5 .*: no OpenSSL\z/, lost)
    assert_match(/\Ashop-2023: 2 of 3 claims/, tested)
    assert_said(*instead)
    assert_equal %w[2.7.4 3.1.2], @experiment.declaration[:variants].map { |_, one| one.ruby }
                                             .uniq.sort
  end

  test "where no other Ruby does better, nothing is tried instead" do
    full = Mohs::Reason.new(code: "disk_full", summary: "the disk is full")
    [refusing("3.4.5", "3.1.2"), refusing("3.4.5", reason: full)].each do |prepared|
      output = repro("shop-2023", prepared:, more: OLDER)

      assert_match(/^shop-2023: 0 of 3 claims/, output.err)
    end
  end

  test "a Ruby whose gems turn out not to be installable gives way, too" do
    seed = nil
    settled = lambda do |study|
      seed = study.seed
      variants = study.variants.map { |one| one.ruby == "3.4.5" ? one.refused(NO_GEMS) : one }
      Mohs::Study.new(**study.each_pair.to_h, variants:)
    end
    output = repro("shop-2023", prepared: refusing, settled:, more: OLDER)

    assert_equal "2 of 3", testable(output)
    assert_equal %w[2.7.4 3.1.2], @experiment.declaration[:variants].map { |_, one| one.ruby }
                                             .uniq.sort
    assert_equal seed, @experiment.declaration[:seed]
  end

  test "--only measures and judges a part" do
    repro("shop-2023", "--only", "quarter")

    assert_equal %w[jit new], @experiment.declaration[:variants].map { |_, one| one.label }.sort
    assert_equal ["JIT gains a quarter"],
                 @experiment.declaration[:published][:tests].map { |test| test[:claim] }
  end

  test "--instead measures another Ruby in place of one of the study's" do
    output = repro("shop-2023", "--instead", "2.7.4=3.1.2", "--instead", "3.4.5=3.1.2")

    assert_equal 0, output.status, output.err
    assert_said(*output.err.lines(chomp: true).grep(/in place/))
    assert_equal %w[3.1.2 3.1.2 3.1.2],
                 @experiment.declaration[:variants].map { |_, one| one.ruby }
  end

  test "the document has the claims, with both figures and the judgement" do
    json = repro("shop-2023", "--json").json

    assert_empty Mohs::JSONContract.new("In every document", "`repro`").faults(json)
    row = Mohs::JSONContract.new("A row", bare: true)
    assert_empty(json[:rows].flat_map { |one| row.faults(one) })
    assert_equal [%w[agrees agrees not_testable], { agrees: 2, direction_only: 0, contradicted: 0,
                                                    undecided: 0, not_measured: 0,
                                                    not_testable: 1 }],
                 [json[:claims].map { |one| one[:judgement] }, json[:counts]]
    first = json[:claims].first
    assert_equal ["JIT gains a quarter", "table 5", 1.25, true, "ratio"],
                 first.values_at(:text, :place, :published, :headline, :kind)
    assert_in_delta 1300 / 1050.0, first[:value], 0.02
    assert_match(/needs 100000 cores/, json[:claims].last[:reason])
  end

  test "the list is a document too" do
    json = listed("--json").json

    assert_empty Mohs::JSONContract.new("`repro --list`").faults(json)
  end

  test "where nothing can be measured, it is said why" do
    only = <<~YAML
      - {text: A, place: p, needs: {cores: 100000}, order: {more: jit, than: [new, old]}}
      - {text: B, place: p, not_testable: needs a proxy}
    YAML
    output = repro("shop-2023", claims: only, rates: nil)

    assert_equal 0, output.status, output.err
    assert_nil @experiment.declaration
    assert_match(/not testable here: needs a\s+proxy/, output.out)
    json = repro("shop-2023", "--json", claims: only, rates: nil).json
    assert_empty Mohs::JSONContract.new("In every document", "`repro`").faults(json)
  end

  test "variants that no claim is about are measured though no claim can be tested" do
    only = "- {text: A, place: p, not_testable: needs a proxy}\n"
    output = repro("shop-2023", claims: only)

    assert_equal [0, "0 of 1"], [output.status, testable(output)]
    assert_equal %w[jit new old],
                 @experiment.declaration[:variants].map { |_, one| one.label }.sort
    assert_match(/not testable here: needs a\s+proxy/, output.out)
    assert_includes output.out, "its table: mohs show 7c1a --table"
  end

  test "--resume continues the last run of the study, and shows one that has ended" do
    ended = repro("shop-2023", "--resume")
    assert_equal [0, nil], [ended.status, @experiment.resumed]
    assert_includes ended.out, "JIT gains a quarter"

    stopped = repro("shop-2023", "--resume") { |result| result[:run][:state] = "interrupted" }
    assert_equal "7c1a", @experiment.resumed
    assert_match(%r{continue:\s+mohs repro /\S+/shop-2023[ \\\n]+--resume$}, stopped.out)
    never = repro("shop-2023", "--resume") { |result| result[:run][:study].delete(:published) }
    assert_equal 2, never.status
    assert_match(/no run .*: mohs repro shop-2023\n\z/, never.err)
  end

  test "a run is judged by the claims that it was begun with" do
    edited = repro("shop-2023", "--resume", "--json") do |result|
      claims = result[:run][:study][:published][:claims]
      claims.find { |claim| claim[:text] == "JIT gains a quarter" }[:statement][:high] = 1.2501
    end.json[:claims].find { |claim| claim[:text] == "JIT gains a quarter" }

    assert_equal ["direction_only", 1.2501, %w[repro_size_open repro_edited]],
                 [edited[:judgement], edited[:range][:high],
                  edited[:findings].map { |one| one[:code] }]
  end

  test "what a stopped run says continues it from any folder" do
    with_files(published_files(CLAIMS, name: "my shop")) do |dir|
      folder = File.join(dir, "my shop")
      publication = Mohs::Repro::File.load(folder)
      run = reproduced(publication, RATES) { |result| result[:run][:state] = "interrupted" }
      document = Mohs::Repro::Document.new(run, publication, []).document
      screen = Mohs::Report::Terminal.new.call(document)

      assert_equal folder, document[:folder]
      command = screen.gsub("\\\n", "")[/continue:\s+mohs (.*)/, 1]
      assert_equal ["repro", folder, "--resume"], Shellwords.split(command)
    end
  end

  test "a study of mohs's own is continued by its name" do
    publication = Mohs::Repro::Library.new.own("gc-compact")
    invocation = Mohs::Typed.invocation("gc-compact", command: "repro")
    document = Mohs::Repro::Document.unmeasured(publication, [], size: nil, invocation:)
    screen = Mohs::Report::Terminal.new.call({ **document, state: "interrupted" })

    assert_nil document[:folder]
    assert_includes screen, "continue: mohs repro gc-compact --resume"
  end

  # A folder with a study, and a store with runs of it that were begun so, the newest last.
  def with_runs(*begun)
    with_files(published_files(CLAIMS, more: SIZES)) do |dir|
      publication = Mohs::Repro::File.load("#{dir}/shop-2023")
      runs = begun.map.with_index do |order, at|
        reproduced(publication, RATES) { |result|
          result[:run].merge!(id: at, key: "aaa#{at}", created_ms: at)
          result[:run][:study][:published].merge!(order)
        }.stored
      end
      store = Struct.new(:runs).new(runs)
      store.define_singleton_method(:result) { |id| runs.fetch(id) }
      store.define_singleton_method(:run) { |key| runs.find { |run| run.key == key } }
      yield dir, store
    end
  end

  test "--resume takes the newest run of the size and the word that it is given" do
    begun = [["full", nil], ["quick", nil], ["quick", "gain"]].map { |size, only| { size:, only: } }
    with_runs(*begun) do |dir, store|
      shown = ->(*argv) { mohs("repro", "shop-2023", "--resume", *argv, dir:, store: -> { store }) }
      keys = [[], %w[--full], %w[--quick], %w[--only gain], %w[--quick --only gain]].map do |argv|
        shown.call("--json", *argv).json[:run]
      end

      assert_equal %w[aaa2 aaa0 aaa1 aaa2 aaa2], keys
      assert_equal "mohs: shop-2023 has no such run yet: mohs repro shop-2023 --full --only gain\n",
                   shown.call("--full", "--only", "gain").err
    end
  end

  test "--resume takes no run that was imported" do
    with_runs({ size: "full", only: nil }, { size: "full", only: nil }) do |dir, store|
      imported = { imported: { key: "aaa1", at_ms: 5 } }
      store.runs[1] = store.runs[1].with(provenance: imported)
      json = mohs("repro", "shop-2023", "--resume", "--json", dir:, store: -> { store }).json

      assert_equal "aaa0", json[:run]
    end
  end

  test "--all --resume shows whole studies of the size that it is given" do
    with_runs({ size: "full", only: nil }, { size: "quick", only: "gain" }) do |dir, store|
      [%w[--full], %w[--quick], []].zip([nil, "shop-2023", nil]).each do |argv, begun|
        plan = fixture_study.procedure.plan(seed: 1)
        experiment = FakeExperiment.new(document: Mohs::Analysis::Run.new(store.runs.last),
                                        study: fixture_study, plan:)
        json = mohs("repro", "--all", ".", "--resume", "--json", *argv, dir:,
                    store: -> { store }, experiment: -> { experiment }).json

        assert_equal [begun].compact, [experiment.declaration&.dig(:published, :name)].compact
        assert_equal "aaa0", json[:studies][0][:document][:run] unless begun
      end
    end
  end

  test "mohs show and mohs resume print the claims of a run that reproduces a study" do
    with_runs({ size: "full" }, { size: "quick" }) do |dir, store|
      analysis = Mohs::Analysis::Run.new(store.runs.first)
      experiment = FakeExperiment.new(document: analysis)
      expected = mohs("repro", "shop-2023", "--resume", "--full", dir:, store: -> { store })
      shown = mohs("show", "aaa0", store: -> { store })
      resumed = mohs("resume", "aaa0", store: -> { store }, experiment: -> { experiment })

      assert_equal [expected.out] * 2, [shown.out, resumed.out]
      assert_equal ["repro", "aaa0", "full"], mohs("show", "aaa0", "--json", store: -> { store })
        .json.values_at(:command, :run, :size)
      table, json = [[], %w[--json]].map do |argv|
        mohs("show", "aaa0", "--table", *argv, store: -> { store })
      end
      assert_match(/^variant +boot ms +requests/, table.out)
      assert_equal %w[run aaa0], json.json.values_at(:command, :run)
    end
  end

  test "a run whose study is gone is shown as any other, which is said" do
    store = with_runs({ size: "full" }) { |_, found| found }
    output = mohs("show", "aaa0", store: -> { store })

    assert_match(/^variant +boot ms +requests/, output.out)
    assert_match(/\Aonly its figures, .*: .* no published/, output.err)
  end

  test "a dry run prints the plan" do
    output = repro("shop-2023", "--quick", "--dry-run")

    assert_equal 0, output.status, output.err
    assert_said(paragraph(output.out, "round"))
    refute_includes output.out, "quarter"
  end

  def cold(slow) = ->(result) { record_cold_starts(result, slow:) }

  test "a run with batches from a cold start shows them, and judges claims about them" do
    claims = "#{CLAIMS}- {text: All are warm soon, place: p. 5, warm: {levels: [new, jit], " \
             "within: 4}}\n- {text: JIT disagrees, place: p. 6, excluded: {level: jit}}\n"
    json = repro("shop-2023", "--json", claims:, &cold(4)).json
    text = repro("shop-2023", claims:, &cold(5)).out

    assert_empty Mohs::JSONContract.new("In every document", "`repro`").faults(json)
    assert_equal %w[agrees undecided], json[:claims].last(2).map { |one| one[:judgement] }
    jit = json[:cold_start].find { |level| level[:name] == "jit" }
    assert_equal [1000, 4, false, 1.5], jit.values_at(:last_per_s, :warm_after, :excluded, :p50_ms)
    assert_in_delta 300, jit[:boot_ms], 20
    assert_match(/^jit +1 000 +571 +1\.50 +2\.00 +\d\d\d +5$/, text)
    assert_nil repro("shop-2023", "--json").json[:cold_start]
    none = repro("shop-2023", "--json", claims:) { |result|
      cold(4)[result]
      result[:cohorts] = []
    }.json
    assert_equal [[], %w[repro_unmeasured] * 2],
                 [none[:cold_start], none[:claims].last(2).map { |one| one[:findings][0][:code] }]
  end

  SHARES = <<~YAML
    - {text: GC takes 6 %, place: p. 7, share: {of: jit, category: GC, published: 6 %, tolerance: 25 %}}
    - {text: ActiveRecord takes most, place: p. 8, order: {more: ActiveRecord, than: [GC, application], in: jit}}
  YAML

  test "a run with profiles shows shares, and judges claims about them" do
    study = "profile: true\n#{STUDY}"
    made = Mohs::ProfiledTrials.new(a: { "cpu" => { application: 34, query: 60, gc: 6 } },
                                    b: { "cpu" => {} }, cohorts: 1)
    reading = []
    run = lambda do |result|
      result[:run][:study][:profile] = true
      trials = result[:cohorts].flat_map { |cohort| cohort[:trials] }
      trials.each.with_index(1) { |trial, id| trial[:id] = id }
    end
    profile = lambda do |id|
      reading << id
      made.profiles.fetch(0).dump
    end
    json, text = ["--json", nil].map do |option|
      repro("shop-2023", *option, claims: SHARES, study:, profile:, &run)
    end

    assert_equal "", text.err.lines.drop(1).join
    json = json.json
    assert_empty Mohs::JSONContract.new("In every document", "`repro`").faults(json)
    assert_equal [%w[GC], %w[ActiveRecord GC application]],
                 json[:claims].map { |one| one[:categories] }
    jit = json[:shares].find { |one| one[:variant] == "jit" }
    assert_equal [3, %w[ActiveRecord application GC]],
                 [jit[:trials], jit[:categories].map { |one| one[:name] }]
    assert_said(paragraph(text.out, "share"))
    assert_equal (1..9).to_a, reading.uniq.sort
    assert_nil repro("shop-2023", "--json").json[:shares]
  end

  def from_raw(*argv)
    with_files(raw_files) { |dir| mohs("repro", "kazakov-2023", "--from-raw", ".", *argv, dir:) }
  end

  test "--from-raw judges by the source's own data, and measures nothing" do
    output = from_raw
    text = output.out.tr("\n", " ").squeeze(" ")

    assert_equal [0, ""], [output.status, output.err]
    assert_match(/JRuby can serve .*\(.*tables 1 and 6\) published \+94 % /, text)
    assert_match(/\(729.01 against 375.69 requests.s, rate of the last batch\); accepted: /, text)
    assert_match(/ here \+94 % \[91, 97\] .* agrees: /, text)
    assert_match(/excluded truffleruby\+graalvm-22.3.1: its trials served 287, 194, 202/, text)
    assert_match(/40 ms jruby-9.4.2.0 39 %, jruby-9.4.2.0 --dev \d\d % of the responses/, text)
  end

  test "its document has each level with its curves, each trial with its batches" do
    json = from_raw("--only", "warm-up", "--json").json

    assert_empty Mohs::JSONContract.new("In every document", "`repro`").faults(json)
    assert_equal ["warm-up"], json[:claims].map { |one| one[:table] }.uniq
    assert_equal [nil, 9], [json[:run], json[:cold_start].size]
    jruby = json[:cold_start].find { |level| level[:name] == "jruby-9.4.2.0" }
    assert_equal [16, [16, 21, 16], false, nil],
                 [jruby[:warm_after], jruby[:trials].map { |one| one[:warm_after] },
                  *jruby.values_at(:excluded, :boot_ms)]
    assert_equal [64] * 3, jruby[:curves].values.map(&:size)
    assert_equal 1024, jruby[:trials].first[:batches].last[:good]
  end

  test "mistakes are told with what to type" do
    lines = ["shop-2023 --quick --full", "shop-2023 --resume --seed 1", "shop-2023 --list",
             "shop-2023 --instead 3.4.5", "shop-2023 --instead 3.4.6=3.1.2",
             "shop-2023 --resume --instead 3.4.5=3.1.2", "--instead 3.4.5=3.1.2",
             "shop-2023 --from-raw . --instead 3.4.5=3.1.2", "shop-2023 --from-raw . --quick",
             "shop-2023 --from-raw . --resume", "shop-2023 --from-raw . --fleet",
             "shop-2023 --resume --hosts 2", "shop-2023 --from-raw .",
             "shop-2023 --only nonsense", "a b"].map(&:split)
    assert_mistakes("repro", lines) { |*argv| repro(*argv) }
  end

  %w[nothing --quick --resume --fleet --from-raw\ . --dry-run].each do |line|
    test "mohs repro #{line} is told which studies there are" do
      output = repro(*line.split)

      assert_equal [2, ""], [output.status, output.out]
      assert_includes output.err, "Known: #{STUDIES.join(', ')}."
    end
  end

  # Studies of one folder, in an experiment that has measured the first.
  def all(*argv, studies: %w[first second], state: "finished", least_s: [])
    files = studies.map { |name| published_files(CLAIMS, more: SIZES, name:) }.inject(:merge)
    with_files(files) do |dir|
      run = reproduced(Mohs::Repro::File.load("#{dir}/#{studies.first}"), RATES) do |result|
        result[:run][:state] = state
      end
      @budgets = []
      plan = lambda do |study|
        @budgets << study.rules.budget_s
        study.procedure.plan(seed: 1)
      end
      @experiment = FakeExperiment.new(document: run, study: fixture_study, plan:, least_s:)
      budgeted(@experiment)
      stored = Struct.new(:runs).new([run.stored])
      stored.define_singleton_method(:result) { |_| run.stored }
      yield dir if block_given?
      return mohs("repro", "--all", ".", *argv, dir:, experiment: -> { @experiment },
                  store: -> { stored })
    end
  end

  # A study has the budget that was declared for it.
  def budgeted(experiment)
    experiment.define_singleton_method(:declared) do |declaration|
      study = super(declaration)
      study.within(declaration[:budget_s])
    end
  end

  test "a dry run of all shares the budget as the run does: what is planned counts as spent" do
    output = all("--dry-run", "--budget", "100s", studies: %w[a b c])

    assert_equal 0, output.status, output.err
    studies = @budgets.map { |budget_s| fixture_study(budget_s:) }
    planned = studies.map { |study| study.procedure.plan(seed: 1).estimate_s }
    assert_equal [33, ((100 - planned[0]) / 2.0).round, 100 - planned[0] - planned[1]], @budgets
    assert_operator planned.sum, :<=, 100
    assert_includes output.out, "all together about #{Mohs::Report::Numbers.duration(planned.sum)}:"
  end

  test "a study gets its share of the budget, or of the rest the least that tells anything" do
    output = all("--dry-run", "--budget", "60s", studies: %w[a b c], least_s: [40.2, 25, 12])

    assert_equal 0, output.status, output.err
    assert_equal 41, @budgets.first
    planned = fixture_study(budget_s: 41).procedure.plan(seed: 1).estimate_s
    assert_equal [41, 60 - planned], @budgets
    why = /left out: .*\(.* 25 s; .*: #{60 - planned} s\)/
    assert_match(/^b +– +– +#{why}\nc +\d+ s +2 of 3$/, output.out)
  end

  test "a study that there is no time for is left out of the run as well, and is no failure" do
    output = all("--budget", "60s", least_s: [3600, 0])

    assert_equal 0, output.status, output.err
    assert_match(/^first +3 +– +– +– +– +– +– +\d+ s$/, output.out)
    assert_match(/^first: left out: .*\(.* 60 min; /,
                 output.out)
    assert_equal 1, @budgets.size
    json = all("--budget", "60s", "--json", least_s: [0, 3600]).json
    left_out = json[:studies].map { |one| one[:left_out] }
    assert_equal [nil, 3600], [left_out.first, left_out.last[:needed_s]]
    assert_empty Mohs::JSONContract.new("`repro --all`").faults(json)
  end

  test "all left out of a dry run is a plan of nothing" do
    output = all("--dry-run", "--budget", "60s", least_s: [100, 100])

    assert_equal [0, 2], [output.status, output.out.scan("left out: not enough").size]
    assert_includes output.out, " about 0 s:"
  end

  test "--all measures every study in turn, prints each table, then what came of them" do
    output = all("--quick", "--seed", "4")

    assert_equal 0, output.status, output.err
    assert_equal ["first (1 of 2)", "second (2 of 2)"], output.err.scan(/^\w+ \(\d of \d\)$/)
    assert_equal [3, 4], @experiment.declaration.values_at(:rounds, :seed)
    assert_equal 2, output.out.scan("JIT gains a quarter").size
    assert_equal 3, output.out.scan(/(?:\A|\n)\n(?=Rubies under|2 studies)/).size
    assert_includes output.out, "2 studies, 6 claims: 4 agree, 2 not testable here."
    assert_match(/^first +3 +2 +0 +0 +0 +0 +1 +\d+ s$/, output.out)
  end

  test "--all gives each study values, and what would be typed for it" do
    output = all("--warm-up", "0.05ms", "--seed=4", "--quiet", "--hosts", "2")

    assert_equal 0, output.status, output.err
    assert_equal [5e-05, 4], @experiment.declaration.values_at(:warm_up_s, :seed)
    typed = @experiment.invocation
    assert_equal ["repro", "second"], [typed.command, File.basename(typed.arguments.first)]
    assert_equal %w[--warm-up 0.05ms --seed 4 --hosts 2], typed.argv.drop(1)
    assert_equal [%w[--warm-up extent], %w[--seed extent], %w[--hosts subject]],
                 typed.options.map { |one| [one.name, one.about] }
    all("--budget", "100s", "--quick", studies: %w[first])
    assert_match(/\A--quick --budget \d+s\z/, @experiment.invocation.argv.drop(1).join(" "))
  end

  { %w[--hosts 2 --in-place] => { hosts: 2, packs: false, class: Mohs::Fleet::HostSelection },
    %w[--fleet=slurm --same-host n1] =>
      { same: "n1", packs: true, class: Mohs::Fleet::SlurmSelection } }.each do |argv, expected|
    test "--all #{argv.join(' ')} hands every study to the fleet" do
      all(*argv)
      fleet = @experiment.fleet

      assert_equal [expected[:class], expected[:packs]], [fleet.class, fleet.packs?]
      assert_equal expected.values_at(:hosts, :same),
                   [fleet.instance_variable_get(:@count), fleet.instance_variable_get(:@same)]
    end
  end

  test "--all reports all of them together, once" do
    with_files do |folder|
      output = all("--report", "#{folder}/all.md", "--report", "#{folder}/all.json")
      text, json = %w[md json].map { |ending| File.read("#{folder}/all.#{ending}") }

      assert_equal 1, output.err.scan("written: ").size
      assert_operator text, :start_with?, "**2 studies, 6 claims: 4 agree"
      assert_equal 2, JSON.parse(json)["studies"].size
    end
  end

  test "its document has each study's, and the sums" do
    json = all("--json").json

    assert_empty Mohs::JSONContract.new("`repro --all`").faults(json)
    assert_equal [%w[first second], { agrees: 4, direction_only: 0, contradicted: 0, undecided: 0,
                                      not_measured: 0, not_testable: 2 }],
                 [json[:studies].map { |one| one[:name] }, json[:counts]]
    assert_equal "JIT gains a quarter", json[:studies].last[:document][:claims].first[:text]
  end

  test "a study that can't be measured is a row, and the others go on" do
    output = all("--full") { |dir| File.delete("#{dir}/first/config.ru", "#{dir}/config.ru") }

    assert_equal 2, output.status
    assert_match(/^first +3 +– +– +– +– +– /, output.out)
    assert_match(/^first: .*config\.ru/, output.out)
    assert_match(/^second +3 +2 /, output.out)
  end

  test "the studies that are left share what is left of --budget" do
    all("--budget", "100s")

    assert_in_delta 100, @experiment.declaration[:budget_s], 2
    all("--budget", "100s", studies: %w[first])
    assert_in_delta 100, @experiment.declaration[:budget_s], 2
    refute_nil all("--budget", "1s", studies: %w[first second third]).out
  end

  test "a study that goes on has its share of the budget, too" do
    all("--resume", "--budget", "100s", state: "interrupted")
    assert_in_delta 50, @experiment.budget_s, 2
    repro("shop-2023", "--resume", "--budget", "30m") { |got| got[:run][:state] = "interrupted" }
    assert_equal 1800, @experiment.budget_s
  end

  test "--all --resume shows or continues what has a run, and begins the others" do
    output = all("--resume", "--quick")

    assert_equal [0, nil, "second"],
                 [output.status, @experiment.resumed, @experiment.declaration[:published][:name]]
    all("--resume", state: "failed")
    assert_equal "7c1a", @experiment.resumed
  end

  test "a study whose file is broken is a row that names it, in a dry run too" do
    broken = ->(dir) { File.write("#{dir}/first/published.yml", "claims: 1") }
    measured, planned = all(&broken), all("--dry-run", &broken)

    [measured, planned].each do |output|
      assert_equal 3, output.status
      assert_match(/^first:? .*published\.yml: claims/, output.out)
      assert_match(/\Afirst can't be measured: published\.yml: claims/, output.err)
    end
    assert_match(/^second +3 +2 /, measured.out)
    assert_match(/^first +– +– +published\.yml: claims/, planned.out)
    assert_said(paragraph(planned.out, "2 studies,"))
    assert_nil all("--json", &broken).json[:studies].first[:title]
  end

  test "a fault of mohs in one study does not cost the others" do
    faulty = -> { raise "boom" }
    with_files(published_files(CLAIMS, name: "first")) do |dir|
      output = mohs("repro", "--all", dir, dir:, experiment: faulty)

      assert_equal 1, output.status
      assert_includes output.out.tr("\n", " ").squeeze(" "),
                      "itself: RuntimeError: boom"
    end
  end

  test "an interruption ends it, and the studies that are left are counted" do
    output = all(state: "interrupted")

    assert_equal 130, output.status
    assert_match(%r{1 study not begun; continue:\s+mohs repro /\S+ --all[ \\\n]+--resume$},
                 output.out)
    assert_match(%r{its table again:\s+mohs repro /\S+/NAME --resume$}, output.out)
    refute_match(/^second /, output.out)
    quick = all("--quick", state: "interrupted").out
    assert_match(%r{1 study not begun; continue:\s+mohs repro /\S+ --all --quick[ \\\n]+--resume$},
                 quick)
    json = all("--full", "--json").json
    assert_equal "full", json[:size]
    assert_empty Mohs::JSONContract.new("`repro --all`").faults(json)
  end

  test "an application that is not there is named by study.yml, not by an option" do
    output = repro("shop-2023", study: STUDY.sub(/^app: .*/, "app: nowhere"))

    assert_equal 2, output.status
    assert_said(output.err)
  end

  test "a dry run of all prints the time of all, then a row for each, and tries nothing out" do
    output = all("--dry-run", "--quick")

    assert_equal [0, "", nil], [output.status, output.err, @experiment.tried]
    sentence = /2 studies, .* \d.+ s: 4 of 6 claims .*\./
    assert_match(/\A#{sentence}\n\nstudy /, output.out)
    assert_match(/^first +\d.+ s +2 of 3\nsecond +\d.+ s +2 of 3\n/, output.out)
    assert_match(%r{^one +its whole plan:\s+mohs repro /\S+/NAME --quick[ \\\n]+--dry-run$},
                 output.out)
    assert_said(paragraph(output.out, "about     "))
    refute_includes output.out, "quarter"
  end

  test "a dry run of all is a document, too" do
    json = all("--dry-run", "--json").json

    assert_empty Mohs::JSONContract.new("`repro --all`").faults(json)
    planned = json[:studies].map { |one| one[:planned] }
    assert_equal [json[:planned_s], 2],
                 [planned.sum { |one| one[:estimate_s] }, planned.first[:testable]]
  end

  test "of a study without a claim to test, a dry run of all says what the run does" do
    statements = ["not_testable: needs a proxy",
                  "needs: {cores: 100000}, order: {more: jit, than: [new, old]}"]
    rows, nothing = statements.map do |statement|
      files = published_files("- {text: A, place: p, #{statement}}\n", name: "first")
      all("--dry-run") do |dir|
        File.write("#{dir}/first/published.yml", files.fetch("first/published.yml"))
      end
    end

    assert_match(/^first +\d.+ s +0 of 1 +measured, but /, rows.out)
    assert_match(/^first +– +0 of 1 +nothing /, nothing.out)
  end

  test "what does not go with --all is a mistake" do
    typed = [%w[--list], %w[--only memory], %w[--from-raw .], %w[--instead 3.4.5=3.1.2],
             %w[--dry-run --resume], %w[--quick --full]]
    outputs = typed.map { |argv| mohs("repro", "--all", *argv) }

    assert_equal [2], outputs.map(&:status).uniq
    assert_said(*outputs.map { |output| output.err.chomp })
  end

  test "--all of a folder without a study is a mistake" do
    with_files do |dir|
      output = mohs("repro", "--all", ".", dir:)

      assert_equal 2, output.status
      assert_match(/published\.yml in \.\n\z/, output.err)
    end
  end

  test "a fault in the file ends with its own status" do
    output = repro("shop-2023", claims: CLAIMS).then do
      with_files(published_files("- {text: A, place: p}\n")) do |dir|
        mohs("repro", "shop-2023", dir:)
      end
    end

    assert_equal [3, ""], [output.status, output.out]
    assert_includes output.err, "mohs: published.yml: claims/1: "
  end
end

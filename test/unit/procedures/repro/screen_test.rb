# frozen_string_literal: true

require "test_helper"

class ReproScreenTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::ColdStarts
  include Mohs::RawFiles
  include Mohs::SampledRuns
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

  MORE = <<~YAML
    environment: {machine: "8 vCPUs"}
    instead:
      "3.2.2": ["3.4"]
      "3.2.2 --yjit": ["3.4 --yjit"]
      "2.7.8": ["2.7"]
    figures:
      - {id: plain, place: table 3, value: 393.97, unit: requests/s, level: 3.2.2, metric: last batch rate}
      - {id: yjit, place: table 5, value: 490.64, unit: requests/s, level: 3.2.2 --yjit, metric: last batch rate}
  YAML
  STUDY = <<~YAML
    variants: [3.2.2, 3.2.2 --yjit, 2.7.8, 3.1.2, 3.1.2 --mjit, jruby-9.4.2.0]
    baseline: "3.2.2"
  YAML
  CLAIMS = <<~YAML
    - {text: YJIT serves 25 % more than 3.2 plain, place: 3.3.3, headline: true, ratio: {of: 3.2.2 --yjit, to: 3.2.2, figures: [yjit, plain], tolerance: 10 %}}
    - {text: YJIT doubles, place: 3.3.4, ratio: {of: 3.2.2 --yjit, to: 3.2.2, published: 2, tolerance: 5 %}}
    - {text: 3.1 serves more than 2.7, place: figure 17, order: {more: 3.1.2, than: "2.7.8"}}
    - {text: MJIT gains under half a per cent, place: p. 31, bound: {of: 3.1.2 --mjit, to: 3.1.2, below: 1.005}}
    - {text: MJIT costs nothing, place: p. 32, equal: {of: 3.1.2 --mjit, to: 3.1.2, margin: 1 %}}
    - {text: MJIT is the worst of all, place: p. 33, order: {less: 3.1.2 --mjit, than: [3.1.2, "2.7.8", 3.2.2]}}
    - {text: JRuby serves most, place: table 4, order: {more: jruby-9.4.2.0, than: 3.2.2 --yjit}}
    - {text: It scales with the processes, place: p. 34, needs: {cores: 8}, bound: {of: 3.1.2, to: "2.7.8", above: 2}}
    - {text: No server crashes, place: p. 35, survives: [3.2.2 --yjit, "2.7.8"]}
    - {text: MJIT crashes, place: p. 35, crashes: 3.1.2 --mjit}
    - {text: All are warm after 16 batches, place: 3.3.2, not_testable: needs the rate of each batch from a cold start}
  YAML
  RATES = { "3.4.5" => 1000, "3.4.5 --yjit" => 1330, "2.7.4" => 950, "3.1.2" => 990,
            "3.1.2 --mjit" => 960 }.freeze

  def document(claims: CLAIMS, rates: RATES, **options, &block)
    publication = publication(claims, more: MORE, study: STUDY, name: "shop-2023")
    run = reproduced(publication, rates, **options, &block)
    tests = Mohs::Repro::Order.tests(run.stored)
    judgements = Mohs::Repro::Judge.new(publication, tests, run).call
    model = Mohs::Repro::Document.new(run, publication, judgements)
    model.document.merge(notes: "studies/notes.md")
  end

  RAW = Mohs::Typed.invocation("kazakov-2023", "--from-raw", "measurements", command: "repro")

  def from_raw
    publication = Mohs::Repro::Library.new.find("kazakov-2023", dir: Mohs.root)
    raw = with_files(raw_files) { |folder| Mohs::Repro::RawData.load(folder, publication) }
    selection = Mohs::Repro::Selection.new(publication, rubies: Mohs::Rubies, cores: 1)
    tests = selection.of_source("first batch")
    judgements = Mohs::Repro::Judge.new(publication, tests, raw).call
    Mohs::Repro::Document.of_source(publication, judgements, raw, folder: "measurements",
                                                                     invocation: RAW)
  end

  SHARES = <<~YAML
    - {text: Garbage collection takes 5.9 % with one thread, place: figure 1, headline: true, share: {of: one thread, category: GC, published: 5.92 %, tolerance: 25 %}}
    - {text: JSON takes 4 to 6 %, place: figure 1, share: {of: one thread, category: JSON, above: 4 %, below: 6 %}}
    - {text: ActiveRecord takes under half, place: figure 1, share: {of: six threads, category: ActiveRecord, below: 50 %}}
    - {text: ActiveRecord takes more than garbage collection, place: figure 1, order: {more: ActiveRecord, than: GC, in: six threads}}
    - {text: Six threads collect more, place: p. 4, order: {more: six threads, than: one thread, category: GC}}
    - {text: Jemalloc makes no difference to collections, place: p. 5, equal: {of: jemalloc, to: six threads, category: GC, margin: 20 %}}
  YAML
  SAMPLED = <<~YAML
    profile: true
    variants:
      - "one thread::3.4.5, puma:1x1"
      - "six threads::3.4.5, puma:1x6"
      - "jemalloc::3.4.5, puma:1x6, LD_PRELOAD=jemalloc"
    baseline: one thread
  YAML
  COSTS = { "one thread" => { application: 33.3, query: 61, gc: 5.7 },
            "six threads" => { application: 30, query: 61, gc: 6.8 },
            "jemalloc" => { application: 30.2, query: 61, gc: 6.9 } }.freeze

  def shares(rounds: 4)
    publication = publication(SHARES, study: SAMPLED, name: "shop-2023")
    run, shares = sampled(publication, COSTS, rounds:, samples: 9000, noise: 0.02)
    tests = Mohs::Repro::Order.tests(run.stored)
    judgements = Mohs::Repro::Judge.new(publication, tests, run, shares:).call
    model = Mohs::Repro::Document.new(run, publication, judgements, shares:)
    model.document.merge(notes: "studies/notes.md")
  end

  test "what a size leaves out is named" do
    whole = document
    quick = whole.merge(size: "quick", levels: { **whole[:levels], left_out: %w[a b] })
    shown, all = [quick, whole].map { |one| Mohs::Report::Terminal.new.call(one) }

    assert_equal [], whole[:levels][:left_out]
    assert_match(/^without   a, b: not measured with --quick$/, shown)
    refute_match(/^without/, all)
  end

  test "how many rounds would decide more is said, if they take less than hours" do
    claims = "- {text: MJIT costs little, place: p. 32, equal: {of: 3.1.2 --mjit, to: 3.1.2, " \
             "margin: 3 %}}\n"
    open, slow = [10_000, 10_000_000].map do |took_ms|
      document(claims:) do |result|
        result[:cohorts].each { |cohort| cohort.update(started_ms: 0, finished_ms: took_ms) }
      end
    end
    needed = open[:claims].flat_map { |one| one[:findings] }.map { |one| one[:values][:rounds] }
    stopped = document(claims:) { |result| result[:run][:state] = "interrupted" }

    assert_equal [1, [], []], [open[:next].size, slow[:next], stopped[:next]]
    command = screen(open).gsub(/ \\\n +/, " ") # where it breaks depends on the folder's name
    assert_match(/^next .* mohs repro .* --rounds #{needed.compact.max}\b/m, command)
  end

  test "shares before the third round have no intervals" do
    early = shares(rounds: 2)
    text = screen(early)

    parts = early[:shares].flat_map { |level| level[:categories] }
    assert_empty(parts.filter_map { |part| part[:interval] })
    assert_match(/^GC +5\.\d % +7\.\d % +7\.\d %$/, text)
  end

  test "variants that have no room are named" do
    text = screen(shares, width: 40)

    assert_said(paragraph(text, "share"))
    assert_match(/no room for intervals,\s+six\s+threads, jemalloc in 40\s+columns/, text)
  end

  { "repro" => :document, "repro-cold" => :from_raw, "repro-shares" => :shares,
    "repro-jit" => :compiled }.each do |name, document|
    [100, 80, 60].each do |width|
      test "#{name} in #{width} columns" do
        text = screen(send(document), width:)

        assert_operator text.lines.map { |line| line.chomp.length }.max, :<=, width
        assert_golden "#{name}-#{width}", text
      end
    end
  end

  # Of MJIT, which saves its code, of YJIT, and of a Ruby without a JIT.
  def compiled
    claims = <<~YAML
      - {text: Three Floats take three versions, place: What Changes?, compiled: {level: "2.7.8", method: multiply, times: 3}}
      - {text: MJIT compiles again, place: What Changes?, compiled: {level: "2.7.8", at_least: 2}}
      - {text: YJIT compiles again, place: What Changes?, compiled: {level: 3.2.2 --yjit, at_least: 2}}
    YAML
    publication = publication(claims, more: MORE, study: STUDY, name: "shop-2023")
    raw = Mohs::Repro::RawData.new(Mohs::Analysis::ColdStart.new(jit_trials))
    judgements = Mohs::Repro::Judge.new(publication, choose(publication).tests, raw).call
    found = Mohs::Repro::Document.of_source(publication, judgements, raw, folder: "measurements",
                                                                     invocation: RAW)
    JSON.parse(JSON.generate(found), symbolize_names: true).merge(notes: "studies/notes.md")
  end

  def jit_trials
    rates = Array.new(20) { |index| index < 6 ? 900 : 1250 }
    mjit = Array.new(21) do |index|
      { methods: index * 4, pieces: (index * 4) + (index / 9), code_bytes: index * 3456,
        compile_ns: index * 123_456_789, invalidations: index / 9 }
    end
    yjit = Array.new(21) do |index|
      { methods: index * 99, pieces: index * 1234, code_bytes: index * 45_678,
        compile_ns: index * 1_234_567, invalidations: 3, exits: index * 98_765 }
    end
    versions = { "multiply" => 1, "call" => 3, "block in repeat" => 2, "write" => 2, "each" => 2,
                 "read" => 2 }
    { "2.7.4" => cold_trial_at(rates, jit: mjit, code: saved_code(versions)),
      "3.4.5 --yjit" => cold_trial_at(rates.map { |rate| rate * 2 }, jit: yjit),
      "3.4.5" => cold_trial_at(rates) }.transform_values { |trial| [trial] * 6 }
  end

  test "what a JIT compiled is left out where nothing tells" do
    text = screen(compiled, width: 100)

    refute_match(/^compiled in 3.4.5$/, text)
    assert_match(/^compiled in 3.4.5 --yjit\n.* exits /, text)
    refute_match(/^compiled in 2.7.4\n.* exits /, text)
  end

  test "overheads that claims are about have their own table" do
    claims = <<~YAML
      - {text: YJIT takes less beyond 2.7, place: 3.1, order: {less: 3.2.2 --yjit, than: 3.2.2, over: ["2.7.8", "2.7.8"]}}
      - {text: YJIT takes nothing beyond 2.7, place: 3.2, order: {less: 3.2.2 --yjit, than: 3.2.2, over: ["2.7.8", 3.2.2 --yjit]}}
    YAML
    rates = { "3.4.5" => 1000, "3.4.5 --yjit" => 1330, "2.7.4" => 9500 }

    whole = document(claims:, rates:)
    open = [{ of: "jit", over: "old", value_us: nil, interval_us: nil }]

    assert_golden "repro-overhead", screen(whole)
    assert_match(/^jit over old +–$/, screen({ **whole, overheads: open }))
    early = screen(document(claims:, rates:, rounds: 1))
    assert_match(/^3.4.5 --yjit over 2.7.4 +\d+$/, early)
    refute_match(/us a request +\[/, early)
  end

  test "a run that was stopped says how it goes on" do
    stopped = document(rounds: 2) { |result| result[:run][:state] = "interrupted" }

    assert_golden "repro-stopped", screen({ **stopped, folder: nil })
  end

  test "colour repeats what the words say" do
    coloured = screen(document, colour: true)

    assert_match(/\e\[31mcontradicted/, coloured)
    assert_equal screen(document), coloured.gsub(/\e\[\d+m/, "")
  end

  test "the list of studies" do
    claims = choose(publication(CLAIMS, more: MORE, study: STUDY))
    none = choose(publication("- {text: A, place: p, not_testable: no proxy}\n"))
    quick = Mohs::Repro::Estimate.new(testable: 5, estimate_s: 48, assumed: true)
    known = Mohs::Repro::Estimate.new(testable: 5, estimate_s: 48)
    untimed = Mohs::Repro::Estimate.new(testable: 0)
    list = Mohs::Repro::Document.list([[claims, quick], [claims, known], [none, untimed],
                                          [none, nil]])

    assert_golden "repro-list", Mohs::Repro::ListScreen.new(list).to_s
  end
end

# frozen_string_literal: true

require "test_helper"

# list and show, over a store that has what it is given.
class CLIStoreCommandsTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::ColdStarts
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-store-commands"

  def row(key, created_ms, variants: %w[3.1.2])
    { id: 1, key:, created_ms:, finished_ms: nil, state: "finished", app: "/srv/shop",
      study: { app: "/srv/shop", variants: variants.map { |name| { name: } } } }
  end

  def stored(result, runs = [row("7c1a", 5)], **more)
    Mohs::Stored::Reader.new(result, runs:, **more)
  end

  def list(*runs, json: false)
    mohs("list", *("--json" if json), store: -> { stored({ run: runs.first }, runs) })
  end

  test "runs are listed, the newest first" do
    lines = list(row("aaaa", 1_000_000), row("bbbb", 2_000_000, variants: %w[a b c d e])).out.lines

    assert_equal %w[run started state app variants], lines.first.split
    assert_match(/\Abbbb  1970-01-01 .* finished  shop  a · b · c and 2 more\n\z/, lines[1])
    assert_operator lines[2], :start_with?, "aaaa"
  end

  test "the names of runs have a column if any has one" do
    named = { **row("bbbb", 2_000_000), label: "before the upgrade" }
    lines = list(row("aaaa", 1_000_000), named).out.lines(chomp: true)

    assert_equal %w[run name started state app variants], lines.first.split
    assert_match(/\Abbbb  before the upgrade  1970-01-01 .* finished  shop  3\.1\.2\z/, lines[1])
    assert_match(/\Aaaaa                      1970-/, lines[2])
  end

  def many(count, app: "/srv/shop")
    Array.new(count) { |index| { **row(format("%04x", index), index * 1000), app: } }
  end

  test "of many runs the newest are listed, with how to list the others" do
    lines = list(*many(1230)).out.lines(chomp: true)

    assert_equal 32, lines.size
    assert_operator lines[1], :start_with?, "04cd"
    assert_equal "1 200 more: mohs list --all", lines.last
    assert_equal 31, list(*many(30)).out.lines.size
  end

  test "so many as are asked for are listed, or all" do
    store = -> { stored(nil, many(40)) }
    sizes = [%w[--limit 2], %w[--all], %w[--limit 40]].map do |argv|
      mohs("list", *argv, store:).out.lines.size
    end

    assert_equal [4, 41, 41], sizes # with the heading, and what is left out
  end

  test "a program gets all runs, unless it says how many, and how many are left out" do
    store = -> { stored(nil, many(40)) }
    found = [[], %w[--limit 3]].map do |argv|
      json = mohs("list", "--json", *argv, store:).json
      [json[:runs].size, json[:more]]
    end

    assert_equal [[40, 0], [3, 37]], found
  end

  test "the runs of one application are listed by its name or its folder" do
    runs = [*many(31), *many(2, app: "/elsewhere/shop"), *many(3, app: "/srv/blog")]
    store = -> { stored(nil, runs) }
    sizes = %w[shop ../elsewhere/shop blog /srv/blog].map do |name|
      mohs("list", "--json", "--app", name, store:, dir: "/srv").json[:runs].size
    end

    assert_equal [33, 2, 3, 3], sizes
    assert_equal "3 more: mohs list --all --app shop",
                 mohs("list", "--app", "shop", store:).out.lines(chomp: true).last
  end

  test "what can't be listed is refused, with what could be" do
    store = -> { stored(nil, [row("aaaa", 5)]) }
    lines = [%w[--app shoop], %w[--app x], %w[--limit 0], %w[--limit 2 --all]]
    assert_mistakes("list", lines) { |*argv| mohs("list", *argv, store:) }
    none = mohs("list", "--app", "x", store: -> { stored(nil, []) })
    assert_equal [2, ""], [none.status, none.out]
  end

  test "a run whose mohs was killed does not run, whatever the store says; one that lives does" do
    { Mohs::Cohort::Token.own => "running", "#{Socket.gethostname}:1:0" => "interrupted" }
      .each do |token, state|
        cohorts = [{ state: "done", token: }, { state: "running", token: }]
        run = row("aaaa", 5).merge(state: "running")
        store = stored({ run:, cohorts: }, [run])

        assert_equal state, mohs("list", "--json", store: -> { store }).json[:runs].first[:state]
      end
  end

  test "shown, a run whose mohs was killed says how to go on" do
    sample = SampleResult.new({ "3.1.2" => 1200 }).to_h
    sample[:run][:state] = "running"
    store = stored(sample)

    assert_match(/continue: mohs resume/, mohs("show", "7c", store: -> { store }).out)
  end

  test "without a key the newest run is shown, and the newest that was stopped is resumed" do
    sample = SampleResult.new({ "3.1.2" => 1200 }).to_h
    runs = %w[interrupted finished].map.with_index do |state, at|
      { **row("aaa#{at}", 5 - at), state: }
    end
    store = stored(sample, [sample[:run], *runs])
    experiment = FakeExperiment.new(document: Mohs::Stored.analysis(sample))
    resumed = mohs("resume", store: -> { store }, experiment: -> { experiment })

    assert_equal [mohs("show", "7c1a", store: -> { store }).out, "aaa0", "resuming aaa0\n"],
                 [mohs("show", store: -> { store }).out, experiment.resumed,
                  resumed.err.lines.first]
  end

  test "without any run, there is nothing to show or resume" do
    assert_mistakes(nil, [%w[show], %w[explain], %w[resume]], name: "without-runs") do |*argv|
      mohs(*argv, store: -> { stored({ run: row("7c1a", 5) }, []) })
    end
  end

  test "each request of a run's trials is a line, with where it comes from" do
    sample = SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1300 }).to_h
    trials = sample[:cohorts].flat_map { |cohort| cohort[:trials] }
    trials.each.with_index(1) { |trial, id| trial.merge!(id:, cohort_id: 5) }
    record = Mohs::Core::Records.pack({ due_ns: 9, first_ns: 1, done_ns: 2, status: 200 })
    store = stored(sample, observations: ->(id) { Mohs::Core::Codec.encode(record * id) })
    output = mohs("show", "7c1a", "--csv", "-", store: -> { store })
    lines = output.out.lines(chomp: true)

    assert_equal "cohort,trial,variant,due_ns,sent_ns", lines.first[/\A.*?sent_ns/]
    assert_equal (1..trials.size).sum, lines.size - 1
    assert_equal "5,1,#{trials.first[:variant]},9,0,1,2,200,,0,0,0,", lines[1]
    assert_match(/3\.4\.5/, output.err)
  end

  test "requests that were deleted are missed" do
    sample = SampleResult.new({ "3.1.2" => 1200 }).to_h
    sample[:cohorts].flat_map { |cohort| cohort[:trials] }.each.with_index(1) do |trial, id|
      trial.merge!(id:, cohort_id: 5)
    end
    store = stored(sample, observations: ->(_) { "" })
    output = mohs("show", "7c1a", "--csv", "-", store: -> { store })

    assert_equal 1, output.out.lines.size
    assert_said(paragraph(output.err, "the"))
  end

  test "no runs yet is said, with what to type" do
    assert_includes list.out, "type: mohs"
  end

  test "runs under --json" do
    assert_equal [{ run: "aaaa", label: "before", state: "finished", created_ms: 5,
                    finished_ms: nil, app: "/srv/shop", variants: ["3.1.2"], answer: nil }],
                 list({ **row("aaaa", 5), label: "before" }, json: true).json[:runs]
  end

  def show(*argv)
    sample = SampleResult.new({ "3.1.2" => 1200, "3.4.5 --yjit" => 1650 }).to_h
    sample[:cohorts].first[:trials] << SampleResult.new({}).failed("2.7.4")
    sample[:run][:study][:variants] << { name: "2.7.4", refusal: nil }
    store = stored(sample)
    mohs("show", "7c", *argv, store: -> { store })
  end

  test "a run is shown again" do
    output = show

    assert_equal [0, ""], [output.status, output.err]
    assert_match(%r{\Ashop · GET /products · 4 connections\n3\.4\.5 --yjit serves \d\d % more},
                 output.out)
    assert_includes output.out, "log       mohs show 7c1a --log 2.7.4"
  end

  test "a run of a published study is shown again by the command that shows its table" do
    sample = SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1300 }).to_h
    own = mohs("show", "--table", store: -> { stored(sample) }).out
    sample[:run][:study][:published] = { name: "shop-2023" }
    table, json = [[], %w[--json]].map do |argv|
      mohs("show", "--table", *argv, store: -> { stored(sample) })
    end

    assert_match(/: mohs show 7c1a$/, own)
    assert_match(/: mohs show 7c1a --table$/, table.out)
    assert_equal "shop-2023", json.json[:reproduces]
    assert_nil show("--json").json.fetch(:reproduces)
  end

  test "a run whose cold starts were recorded shows them, and has them in its document" do
    sample = SampleResult.new({ "3.1.2" => 1200, "3.4.5 --yjit" => 1650 }).to_h
    jit = { methods: 5, compile_ns: 4_000_000 }
    record_cold_starts(sample, slow: 3, jit:)
    text, json = [[], %w[--json]].map { |argv| mohs("show", *argv, store: -> { stored(sample) }) }
    json = json.json

    assert_match(/^3\.4\.5 --yjit +1 000 +\d+ +1\.50 +2\.00 +\d\d\d +3$/, text.out)
    assert_match(/^compiled in 3\.1\.2$/, text.out)
    assert_empty Mohs::JSONContract.new("In every document", "`run`").faults(json)
    faults = Mohs::JSONContract.new("`repro`").faults(json.slice(:cold_start))
    assert_empty faults.grep(/cold_start/)
    level = json[:cold_start].first
    assert_equal ["3.1.2", 3, 20], [level[:name], level[:warm_after], level[:curves][:per_s].size]
    assert_nil show("--json").json.fetch(:cold_start)
  end

  test "a run under --json is its document" do
    assert_equal ["run", "7c1a"], show("--json").json.values_at(:command, :run)
  end

  test "the memory of its servers is shown, process by process, or in the whole document" do
    assert_match(/^megabytes +before load +after/, show("--memory").out)
    assert_equal 28_000_000,
                 show("--memory", "--json").json[:rows].first.dig(:memory, :at_end, :pss_bytes)
    assert_said(show("--memory", "--log", "2.7.4").err)
  end

  test "the log of one of its servers is shown" do
    assert_equal "line one\nline two\n", show("--log", "2.7.4").out
    assert_match(/\ANo log: .*failed/, show("--log", "3.1.2").out)
    assert_equal "line one\nline two\n", show("--log", "2.7.4", "--json").json[:log_tail]
  end

  test "a variant that the run hasn't is a mistake" do
    output = show("--log", "2.7.5")

    assert_equal 2, output.status
    assert_said(output.err)
  end
end

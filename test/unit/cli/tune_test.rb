# frozen_string_literal: true

require "test_helper"

class CLITuneTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-tune"

  SPEEDS = { "yours" => 1000.0, "1x1" => 700.0, "2x3" => 1300.0, "2x5" => 1295.0 }.freeze
  SEARCHED = { "yours" => 700.0, "2x3" => 900.0, "2x5" => 905.0 }.freeze
  LIMIT = ["--limit", "p99 < 200ms"].freeze

  def document(speeds = SPEEDS, searched: SEARCHED, **options)
    made = SampleTuning.new(speeds, shapes: { "yours" => [1, 5] }, rounds: 6, searched:, **options)
    Mohs::Report::Model.build(made.analysis)
  end

  # A host with these control groups.
  def doctor(cores: nil, memory_bytes: nil)
    Struct.new(:allowance).new({ cores:, memory_bytes: })
  end

  def tune(*argv, document: document(), files: {}, doctor: doctor())
    with_files({ "config.ru" => "", **files }) do |folder|
      @folder = folder
      @experiment = FakeExperiment.new(document:, study: fixture_study,
                                       plan: fixture_study.procedure.plan(seed: 1))
      output = mohs("tune", *argv, dir: folder, experiment: -> { @experiment }, doctor:)
      yield folder if block_given?
      return output
    end
  end

  def declared(*argv, **options)
    output = tune(*LIMIT, *argv, **options)
    assert_equal [0, ""], [output.status, output.err]
    @experiment.declaration
  end

  test "it declares every setting, the present one as the baseline" do
    given = declared("--get", "/products", files: { "config/puma.rb" => "" })

    assert_equal ["yours", "1x1"], given[:variants].first(2).map { |_, one| one.label }
    assert_equal ["yours", nil, "p99 < 200 ms"],
                 [given[:baseline], given[:connections], given[:tuning].limit.to_s]
    assert_equal ["/products"], given[:requests].map(&:path)
  end

  test "it says that settings preload because the application's own file does" do
    [["preload_app!\n", %r{^.*config/puma.rb .*preload.*settings}],
     ["", /\A\z/]].each do |text, told|
      assert_match(told, tune(*LIMIT, files: { "config/puma.rb" => text }).err)
    end
  end

  test "its options are those of a measurement, and the limits" do
    given = declared("--settings", "1x3,2x3", "--budget", "5m", "--memory", "2GB", "--connections",
                     "12", "--price", "0.04,0.005", "--variant", "3.4.5 --yjit", "--seed", "4",
                     "--rate", "300")

    assert_equal %w[1x5 1x3 2x3], given[:variants].map { |_, one| one.label }
    assert_equal [["--yjit"]], given[:variants].map { |_, one| one.flags }.uniq
    assert_equal 300.0, given[:tuning].wanted_per_s
    assert_equal [300, 12, 4, 2_000_000_000, { core_hour: 0.04, gb_hour: 0.005 }],
                 [*given.values_at(:budget_s, :connections, :seed),
                  given[:tuning].memory_bytes, given[:tuning].price]
  end

  test "its help says nothing of jobs and streams, which it does not measure" do
    refute_match(/\b(jobs|streams)\b/, mohs("help", "tune").out)
  end

  test "requests are taken from a log, as often as they occur there" do
    line = '127.0.0.1 - - [22/Nov/2026:10:00:00 +0000] "GET %s HTTP/1.1" 200 17'
    log = [*["/products"] * 3, "/about"].map { |path| "#{format(line, path)}\n" }.join
    tune(*LIMIT, "--from-log", "access.log", files: { "access.log" => log })
    requests = @experiment.declaration[:requests]

    assert_equal({ "/products" => 3, "/about" => 1 },
                 requests.to_h { |one| [one.path, one.weight] })
  end

  test "a quota limits the processes that race, and a limit of memory is kept" do
    output = tune(*LIMIT, doctor: doctor(cores: 1.5, memory_bytes: 10**9))
    given = @experiment.declaration
    assert_match(/quota .* 1\.5 cores: .* 1 process\n\z/, output.err)
    assert(given[:variants].drop(1).all? { |_, one| one.label.start_with?("1x") })
    assert_equal({ cores: 1.5, memory_bytes: 10**9, processes: 1 }, given[:tuning].cgroup)
    assert_nil declared[:tuning].cgroup
  end

  test "more processes than cores are told before they are measured" do
    output = tune(*LIMIT, "--settings", "1x1,99x9,98x2")

    assert_match(/\A99x9, 98x2: more processes .*\(\d+\): /,
                 output.err)
  end

  test "mistakes are found before anything takes time" do
    lines = ["--settings ,", "--settings 1:3,2:5", "--workers 2", "--settings 5", "--memory lots",
             "--rate 0", "--price 1", "--own-config", "--hold concurrency=16", "--scenario x",
             "--rounds=3", "--memori 1GB", "--puma", "--variant puma:2x5", "--variant pumma"]
            .map { |line| [*LIMIT, *line.split] }
    lines = [[], %w[--limit p99], ["--limit", "p99 < 200"], *lines]
    assert_mistakes("tune", lines) do |*argv|
      tune(*argv).tap { assert_nil @experiment.declaration }
    end
  end

  test "--check says whether the present setting is among the best" do
    best = document({ "yours" => 1300.0, "1x1" => 700.0 }, searched: { "yours" => 900.0 })

    assert_equal [10, 0], [document, best].map { |found|
      tune(*LIMIT, "--check", document: { **found, check: true }).status
    }
    unknown = document(searched: {})
    assert_equal 11, tune(*LIMIT, "--check", document: { **unknown, check: true }).status
    assert_equal 1, tune(*LIMIT, document: unknown).status
  end

  test "--check is part of what is stored" do
    assert_equal([false, true], [[], %w[--check]].map { |one| declared(*one)[:tuning].check })
  end

  test "--write writes the lines of the recommended setting, and nothing else" do
    tune(*LIMIT, "--write", "tuned.rb", files: { "config/puma.rb" => "threads 5, 5\n" }) do |folder|
      text = File.read(File.join(folder, "tuned.rb"))

      assert_match(/^workers 2\nthreads [35], [35]$/, text)
      assert_match(/\A# /, text)
      assert_equal "threads 5, 5\n", File.read(File.join(folder, "config/puma.rb"))
    end
  end

  test "a tuning that is resumed writes them, too" do
    tune(*LIMIT, "--write", "tuned.rb", document: { **document, state: "interrupted" }) do |folder|
      write = @experiment.declaration[:tuning].write

      assert_equal [File.join(folder, "tuned.rb"), []], [write, Dir[File.join(folder, "*.rb")]]
      made = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 6, write:,
                                      searched: SEARCHED)
      resumed = FakeExperiment.new(document: made.analysis)
      output = mohs("resume", "7c1a", dir: folder, experiment: -> { resumed })

      assert_equal [0, "written: #{write}\n"], [output.status, output.err]
      assert_match(/^workers 2\nthreads [35], [35]$/, File.read(write))
    end
  end

  test "its path is stored, but no part of what people are shown to be searched for" do
    tune(*LIMIT, "--write", "tuned.rb")
    rules = @experiment.declaration[:tuning]
    stored, shown = [rules.to_study, rules.to_document].map { |one| one.fetch(:tuning) }

    assert_equal rules.write, stored[:write]
    refute_includes shown.keys, :write
  end

  test "a file that can't be written is a mistake before anything takes time" do
    output = tune(*LIMIT, "--write", "nodir/tuned.rb")

    assert_equal 2, output.status
    assert_includes output.err, "nodir/tuned.rb"
    assert_nil @experiment.declaration
  end

  test "where there is nothing to write it says why" do
    kept = document({ "yours" => 1300.0, "1x1" => 700.0 }, searched: { "yours" => 900.0 })

    assert_includes tune(*LIMIT, "--write", "new.rb", document: kept).err,
"already has"
    none = tune(*LIMIT, "--write", "new.rb", document: document(searched: {}))
    assert_said(none.err)
  end

  def tune_contract = Mohs::JSONContract.new("In every document", "`run`", "`tune`")

  test "its document has the keys of docs/json.md, of whatever was found" do
    none = SampleTuning.found(12.0, outcome: "none", beyond_share: nil)
    [{}, { searched: {} }, { searched: { "yours" => none } }, { failing: ["2x5"] },
     { memory_bytes: 1 }, { wanted_per_s: 800.0 },
     { cgroup: { cores: 1.5, memory_bytes: nil, processes: 1 } },
     { price: { core_hour: 1.0, gb_hour: 1.0 } }].each do |options|
      assert_empty tune_contract.faults({ **document(**options), rows: [] }), options
    end
  end

  test "so has that of a curve over threads" do
    speeds = { **SPEEDS, "2x1" => 1000.0, "2x2" => 1200.0 }
    made = document(speeds)

    assert_equal 2, made[:scaling][:processes]
    assert_empty tune_contract.faults({ **made, rows: [] })
  end

  test "a file that is there is not overwritten" do
    output = tune(*LIMIT, "--write", "config/puma.rb",
                  files: { "config/puma.rb" => "threads 5, 5\n" })

    assert_equal 2, output.status
    assert_includes output.err, "config/puma.rb"
    assert_nil @experiment.declaration
  end
end

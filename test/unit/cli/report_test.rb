# frozen_string_literal: true

require "test_helper"

# mohs report, and --report of the commands that measure.
class CLIReportTest < Mohs::TestCase
  include Mohs::SampleDocuments

  LOAD = File.join(Mohs::RecordedDocuments::FOLDER, "loads", "closed.raw")

  def report(*argv, key: "f4fb", **options)
    with_store { |store| mohs("report", *key, *argv, store: -> { store }, **options) }
  end

  test "a run is Markdown on stdout, unless a format is named" do
    assert_match(/\A\*\*.+\*\*\n\n.*\n\n\| variant \|/, report.out)
    assert_operator report("--format", "csv").out, :start_with?, "variant,metric,unit,value"
    assert_match(/\A<\?xml/, report("--format", "junit").out)
    assert_equal "f4fb", report("--json").json[:run]
    assert_equal "f4fb", report("--format", "json", "-o", "-").json[:run]
  end

  test "without a key it is the newest run, a comparison is one, too" do
    newest = report("--format", "json", key: nil).json[:run]

    assert_includes report(key: "3ba7").out, "| metric | A | B | B against A |"
    assert_equal newest, with_store { |store| mohs("show", "--json", store: -> { store }) }
      .json[:run]
  end

  test "-o writes a file, whose ending is its format" do
    with_files do |dir|
      { "a.md" => /\A\*\*/, "a.csv" => /\Avariant,/, "a.xml" => /\A<\?xml/,
        "a.prom" => /\A# HELP/, "a.otlp.json" => /resourceMetrics/ }.each do |name, start|
        output = report("-o", name, dir:)

        assert_equal [0, "", "written: #{name}\n"], output.to_h.values_at(:status, :out, :err)
        assert_match start, File.read(File.join(dir, name))
      end
      report("--output", "b.txt", "--format", "ndjson", dir:)
      assert JSON.parse(File.readlines(File.join(dir, "b.txt")).first).key?("metric")
      assert_equal 6, Dir.children(dir).size
    end
  end

  test "a load is reported from its recording" do
    output = mohs("report", LOAD, "--format", "csv")

    assert_equal 0, output.status, output.err
    assert_match(/^,rate_per_s,requests/, output.out)
    assert_includes mohs("report", LOAD).out, "| latency, ms |"
  end

  test "a run of mohs repro is reported with its claims, with --table as a run" do
    publication = publication(CLAIMS)
    with_files(published_files(CLAIMS)) do |dir|
      run = nil
      reproduced(publication, RATES) do |result|
        result[:run][:study][:published][:file] = File.join(dir, "shop-2023", "published.yml")
        run = result
      end
      store = Mohs::Stored::Reader.new(run)

      assert_includes mohs("report", "7c1a", store: -> { store }).out, "| claim (place) |"
      assert_includes mohs("report", "7c1a", "--table", store: -> { store }).out, "| variant |"
    end
  end

  test "mistakes are told with the formats that there are" do
    lines = [%w[--format markdwn], %w[--format parquet], %w[-o x.txt], %w[-o no/x.md], %w[b0fe]]
    assert_mistakes("report", lines) { |*argv| with_files { |dir| report(*argv, dir:) } }
    both = with_files { |dir| report("--format", "csv", "--json", dir:) }
    assert_equal 2, both.status
    assert_match(/--format .*--json/, both.err)
  end

  test "what a format can't write is a mistake that names those that can" do
    with_files do |dir|
      output = mohs("report", LOAD, "-o", "x.xml", dir:)

      assert_equal 2, output.status
      assert_match(/junit .*: .*\. csv, /,
                   output.err)
      assert_empty Dir.children(dir)
      assert_includes mohs("report", LOAD, "--table").err, "--table works only"
    end
  end

  test "a page of a stored run is drawn from what was recorded of it" do
    with_store do |store, _|
      key = store.runs.find { |run| run.study.rules }.key
      page = mohs("report", key, "--format", "html", store: -> { store })

      assert_equal [0, ""], [page.status, page.err]
      assert_operator page.out, :start_with?, "<!DOCTYPE html>"
      assert_includes page.out, key
    end
  end

  test "the help lists every format" do
    help = mohs("help", "report").out

    Mohs::Exporters::Documents.names.each { |name| assert_match(/^  #{name} /, help) }
  end

  # A machine that limits nothing.
  UNLIMITED = Class.new { def allowance = { cores: nil, memory_bytes: nil } }.new

  # A command that measures, in a folder of its own, which is yielded when it has ended.
  def measured(*argv, document:, study: fixture_study, files: {})
    with_files({ "config.ru" => "", **files }) do |dir|
      @experiment = FakeExperiment.new(document:, study:, plan: study.procedure.plan(seed: 1))
      output = mohs(*argv, dir:, experiment: -> { @experiment }, doctor: UNLIMITED)
      yield dir, output if block_given?
      return output
    end
  end

  COMPARE = ["compare", "3.1.2", "3.4.5"].freeze
  LIMIT = ["--limit", "p99 < 200ms"].freeze

  { "run" => [%w[run], "run"], "plain mohs" => [[], "run"], "jobs" => [%w[jobs], "run"],
    "compare" => [COMPARE, "compare"], "tune" => [["tune", *LIMIT], "tune"] }
    .each do |name, (argv, kind)|
    test "--report of #{name} writes the document in the format of each file's ending" do
      document = sample_document(kind)
      reports = %w[a.md a.json ndjson:b.txt].flat_map { |file| ["--report", file] }
      measured(*argv, *reports, document:) do |dir, output|
        text, json, lines = %w[a.md a.json b.txt].map { |file| File.read(File.join(dir, file)) }

        assert_includes output.err, "written: a.md, a.json, b.txt\n"
        assert_includes output.out, document[:sentence].split.first
        assert_operator text, :start_with?, "**"
        assert_equal document[:run], JSON.parse(json)["run"]
        assert JSON.parse(lines.lines.first).key?("variant")
      end
    end
  end

  test "--quiet says nothing of the file, and --json prints the document as well" do
    document = sample_document("run")
    measured("--quiet", "--json", "--report", "a.csv", document:) do |dir, output|
      assert_equal ["", "7c1a"], [output.err, output.json[:run]]
      assert_operator File.size(File.join(dir, "a.csv")), :>, 100
    end
  end

  WRONG = [
    [*COMPARE, *%w[--report a.txt]], [*COMPARE, *%w[--report markdwn:a.md]],
    [*COMPARE, *%w[--report no/a.md]], [*COMPARE, *%w[--report csv:-]],
    [*COMPARE, *%w[--report a.md --report ./a.md]], [*COMPARE, *%w[--report a.md --dry-run]],
    %w[bisect a b --report a.xml], %w[load localhost:1 --report a.bencher.json],
    ["load", "localhost:1", "--report", "a.xml", "--find-rate", "p99 < 5ms"],
    %w[load localhost:1 --csv a.csv --report a.csv], %w[repro --all --report a.csv],
  ].freeze

  test "a file that can't be written, or by no such format, is a mistake before it begins" do
    assert_mistakes(nil, WRONG, name: "reports") do |*argv|
      measured(*argv, document: nil) do |dir, _|
        assert_nil @experiment.invocation
        assert_equal %w[config.ru], Dir.children(dir)
      end
    end
    assert_equal 2, measured(*%w[repro --report a.md], document: nil).status
  end

  test "what fails leaves no file, and what was there as it was" do
    failing = -> { raise Mohs::StoreError, "no room" }
    measured("--report", "new.md", "--report", "old.md", document: failing,
             files: { "old.md" => "mine" }) do |dir, output|
      assert_equal 1, output.status
      assert_equal %w[config.ru old.md], Dir.children(dir).sort
      assert_equal "mine", File.read(File.join(dir, "old.md"))
    end
  end

  test "what was measured until somebody stopped it is reported, too" do
    document = sample_document("run", state: "interrupted")
    measured("--report", "a.md", document:) do |dir, output|
      assert_equal 130, output.status
      assert_includes File.read(File.join(dir, "a.md")), "- **stopped**: "
    end
  end

  test "mohs repro reports the claims of a study" do
    with_files(published_files(CLAIMS)) do |dir|
      rows = nil
      run = reproduced(publication(CLAIMS), RATES) do |result|
        result[:run][:study][:published][:file] = File.join(dir, "shop-2023", "published.yml")
        rows = result
      end
      experiment = FakeExperiment.new(document: run, study: fixture_study,
                                      plan: fixture_study.procedure.plan(seed: 1))
      store = Mohs::Stored::Reader.new(rows)
      output = mohs("repro", "shop-2023", "--report", "a.md",
                    dir:, store: -> { store }, experiment: -> { experiment })

      assert_includes output.err, "written: a.md\n"
      assert_includes File.read(File.join(dir, "a.md")), "| claim (place) |"
    end
  end

  # A bisection that finds what a made-up host hides.
  class Found < Mohs::CLI::Bisect
    private

    def line(_app) = Struct.new(:host) { def points(*) = host.points }.new(host)

    def host = @host ||= BisectHost.new([0.0, 0.0, -0.05, -0.05, -0.05], sd: 0.0075, seed: 1)

    def search(points, _declaration)
      @pair = Struct.new(:study).new
      Mohs::Bisect::Bisection.new(points:, measure: host).call
    end
  end

  test "mohs bisect reports its steps" do
    with_files("config.ru" => "") do |dir|
      out, err = StringIO.new(+""), StringIO.new(+"")
      context = Mohs::CLI::Context.new(out:, err:, env: {}, dir:, servers: Mohs::Servers)
      argv = %w[a b --report a.md --report a.csv]

      assert_equal 0, Found.new(context, argv, name: "bisect").call
      assert_equal "written: a.md, a.csv\n", err.string
      assert_includes File.read(File.join(dir, "a.md")), "| step | compared with | is |"
      assert_match(/,slower,/, File.readlines(File.join(dir, "a.csv")).last)
    end
  end
end

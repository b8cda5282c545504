# frozen_string_literal: true

require "test_helper"

# Every command's document has exactly the keys of docs/json.md, each of the type documented.
class CLIJSONTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-json"

  def assert_contract(json, *headings)
    assert_empty Mohs::JSONContract.new(*headings).faults(json)
  end

  # Rows and their verdicts.
  def assert_parts(document)
    row, verdict = ["A row", "A verdict"].map { |one| Mohs::JSONContract.new(one, bare: true) }
    assert_empty(document[:rows].flat_map { |one| row.faults(one) + verdict.faults(one[:verdict]) })
  end

  # Commands that need neither store nor experiment => the sections that describe them.
  PLAIN = { %w[rubies] => "`rubies`", %w[rubies jruby-10] => "`rubies`",
            %w[servers] => "`servers`", %w[docs] => "`docs`", %w[docs app] => "`docs`",
            %w[help] => "`help`", %w[help load] => "`help`", %w[help variants] => "`help`",
            %w[--version] => "`version`" }.freeze

  PLAIN.each do |argv, heading|
    test "mohs #{argv.join(' ')}" do
      output = mohs(*argv, "--json")

      assert_equal [0, ""], [output.status, output.err]
      assert_contract(output.json, heading)
      assert_equal heading.delete("`"), output.json[:command]
    end
  end

  MISTAKES = { %w[docs matrx] => ["docs", "UsageError", 2],
               %w[--rounds x] => ["run", "UsageError", 2],
               %w[nonsense] => ["run", "UsageError", 2],
               %w[rubies 9.9] => ["rubies", "UsageError", 2] }.freeze

  MISTAKES.each do |argv, (command, kind, status)|
    test "the mistake in mohs #{argv.join(' ')}" do
      output = mohs(*argv, "--json")

      assert_contract(output.json, "A mistake")
      error = output.json[:error]
      assert_equal [command, kind, status, status],
                   [output.json[:command], error[:kind], error[:exit_status], output.status]
      assert_equal "mohs: #{error[:message]}\n", output.err
    end
  end

  test "a study file's mistake has its key path in the document" do
    with_files("study.yml" => "rounds: 0\n") do |dir|
      json = mohs("run", "--json", dir:).json

      assert_contract(json, "A mistake")
      assert_equal ["StudyError", 3], json[:error].values_at(:kind, :exit_status)
      assert_operator json[:error][:message], :start_with?, "study.yml: rounds: "
    end
  end

  test "a fault of mohs itself is a document too" do
    json = mohs("list", "--json", store: -> { raise ArgumentError, "secret #{'x' * 900}" }).json

    assert_contract(json, "A mistake")
    assert_equal ["ArgumentError", 1], json[:error].values_at(:kind, :exit_status)
    assert_operator json[:error][:message].size, :<, 450
  end

  test "a dry run" do
    request = Mohs::App::Request.build(path: "/", headers: { "Accept" => "text/html" })
    study = fixture_study(requests: [request], env: { "A" => "b" }, budget_s: 20.0)
    plan = study.procedure.plan(seed: 1)
    experiment = FakeExperiment.new(document: nil, study:, plan:)
    output = with_files("config.ru" => "") do |dir|
      mohs("--dry-run", "--json", dir:, experiment: -> {
        experiment
      })
    end

    refute_empty plan.dropped
    assert_contract(output.json, "`run --dry-run`")
  end

  # A run with a row of every kind, through a store that is real.
  def stored
    with_files do |dir|
      store = Mohs::Store.open("sqlite://#{dir}/mohs.db")
      yield store
    ensure
      store&.close
    end
  end

  test "list, and show of a run that nothing has been measured of" do
    stored do |store|
      study = fixture_study
      run = store.create_run(study:, plan: study.procedure.plan(seed: 3),
                             fingerprint: { cores: 2 },
                             provenance: { seed: 3, argv: ["run"], versions: { mohs: "0" } })
      open = -> { store }
      assert_contract(mohs("list", "--json", store: open).json, "`list`")
      shown = mohs("show", run.key, "--json", store: open).json

      assert_contract(shown, "In every document", "`run`")
      assert_equal(%w[waiting waiting], shown[:rows].map { |row| row[:state] })
      assert_parts(shown)
    end
  end

  test "show --log, with and without a log" do
    sample = SampleResult.new({ "3.1.2" => 1200 }).to_h
    sample[:cohorts].first[:trials] << SampleResult.new({}).failed("2.7.4")
    sample[:run][:study][:variants] << { name: "2.7.4", refusal: nil }
    store = Mohs::Stored::Reader.new(sample)

    %w[2.7.4 3.1.2].each do |variant|
      assert_contract(mohs("show", "7c1a", "--log", variant, "--json", store: -> {
        store
      }).json, "`show`")
    end
  end

  # States of a trial => what the row is called by.
  { "measured" => "measured", "failed" => "failed", "refused" => "refused", "invalid" => "invalid",
    "lost" => "waiting", "started" => "waiting" }.each do |state, called|
    test "a run with a #{state} trial" do
      sample = SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1300 })
      result = sample.to_h
      other = state == "measured" ? sample.trial("3.4.5") : sample.failed("3.4.5", state:)
      result[:cohorts].each { |cohort| cohort[:trials][1] = other }
      document = JSON.parse(Mohs::Exporters::Documents::Json.new.call(Mohs::Stored.document(result)),
                            symbolize_names: true)

      assert_contract(document, "In every document", "`run`")
      assert_equal called, document[:rows].find { |row| row[:variant] == "3.4.5" }[:state]
      assert_parts(document)
    end
  end

  test "why a Ruby can't be used is printed with what to do, and is one text in JSON" do
    reason = Mohs::Reason.parse("needs Java 21, found 17\nInstall one.")
    broken = Mohs::FakeRubies.ruby("jruby-10", state: :broken, reason:)
    rubies = Mohs::FakeRubies.new(broken)
    text = mohs("rubies", rubies:).out

    assert_includes text, "jruby-10: needs Java 21, found 17\n  Install one.\n"
    assert_match(/^reason +needs Java 21, found 17. Install one.$/,
                 mohs("rubies", "jruby-10", rubies:).out)
    assert_equal "needs Java 21, found 17\nInstall one.",
                 mohs("rubies", "--json", rubies:).json[:rubies].first[:reason]
  end

  test "that a Ruby does not start is printed once" do
    reason = Mohs::Reason.parse("does not start: exit 3")
    broken = Mohs::FakeRubies.ruby("2.2.0", state: :broken, reason:)

    assert_includes mohs("rubies", rubies: Mohs::FakeRubies.new(broken)).out,
                    "\n2.2.0: does not start: exit 3\n"
  end

  test "what is no number has no JSON, and stands for not known" do
    unknown = { a: [Float::NAN, { b: Float::INFINITY }], c: 1.5 }
    text = Mohs::Exporters::Documents::Json.new.call(unknown)

    assert_equal({ a: [nil, { b: nil }], c: 1.5 }, JSON.parse(text, symbolize_names: true))
  end

  # Members that are an option of every command, and that are none.
  class Table < Mohs::Exporters::Documents::Base
    HELP = "rows of a run"
    OPTION = "a table on stdout"
    MEDIA_TYPE = "text/plain"
    ENDINGS = %w[.table].freeze

    private

    def text(document) = "table of #{document[:command]}\n"
  end

  class Chart < Table
    OPTION = nil
  end

  def with_members(&)
    documents = Mohs::Exporters::Documents
    { Table: Table, Chart: Chart }.each { |name, member| documents.const_set(name, member) }
    documents.stub(:names, %w[chart json table], &)
  ensure
    %i[Table Chart].each { |name| documents.send(:remove_const, name) }
  end

  test "an exporter is an option of every command if it says so" do
    documents = Mohs::Exporters::Documents
    assert_equal %w[json], documents.options.keys
    with_members do
      %w[doctor rubies version].each do |name|
        help = mohs("help", name).out
        assert_match(/--table +a table on stdout$/, help)
        refute_includes help, "--chart"
      end
      output = mohs("rubies", "--chart")

      assert_equal [2, ""], [output.status, output.out]
      assert_said(mohs("--table", "--rounds", "x").out)
      assert_equal "rubies", mohs("rubies", "--json").json[:command]
    end
  end
end

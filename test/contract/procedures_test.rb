# frozen_string_literal: true

require "test_helper"

# What the rooms below the procedures know of each: Mohs::Procedure.
module Mohs
  class ProceduresTest < TestCase
    include CLIHelper
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-others"

    RULES = { "rounds" => Rounds::Rules.new(rounds: 3),
              "repro" => Repro::Rules.new(budget_s: 90, published: { name: "shop-2023",
                                                                     file: "/s/study.yml" }),
              "compare" => Compare::Rules.new(candidate: "3.4.5", budget_s: 60,
                                              gates: [Compare::Condition.parse("p50 < +2%")]),
              "tune" => Tune::Rules.new(limit: Load::Limit.parse("p99 < 200ms"),
                                        price: { core_hour: 1.0 }) }.freeze

    STEP = { kind: "search", number: 2, good: "a", bad: "b" }.freeze
    SIDES = { difference: -0.3, noise: { squares: 0.002, freedom: 20 }, alpha: 0.025 }.freeze

    # What comparisons are made for, by the folders of those who ask.
    HISTORY = Track::History.new(name: "shop", reference: "@v1", reference_id: "@0f3a",
                                 check: false)
    QUESTIONS = { "compare" => Compare::Question.new, "track" => Track::Question.new(HISTORY),
                  "gate" => Gate::Question.new(fails: 0.001, holds: 0.05),
                  "bisect" => Bisect::Question.new({ **STEP, kind: "ends" }),
                  "bisect, searching" => Bisect::SideQuestion.new(STEP, SIDES) }.freeze

    # The commands of those that are not called like their folder.
    COMMANDS = { "rounds" => "run", "repro" => nil }.freeze

    # A run of each, as stored.
    RUNS = { "rounds" => -> { SampleResult.new({ "a" => 1000, "b" => 1200 }).to_h },
             "repro" => lambda {
               result = SampleResult.new({ "a" => 1000, "b" => 1200 }).to_h
               result[:run][:study][:published] = { name: "shop-2023" }
               result
             },
             "compare" => -> { CompareResult.new([0.3, 0.31, 0.29]).to_h },
             "tune" => -> { SampleTuning.new({ "yours" => 100.0, "2x3" => 130.0 }).to_h } }.freeze

    STYLE = Report::Terminal::Style.new(width: 200)

    test "all that can measure one run are here" do
      folders = Dir.children(File.join(Mohs.root, "lib/mohs/procedures"))
      measuring = folders.select do |name|
        File.exist?(File.join(Mohs.root, "lib/mohs/procedures", name, "procedure.rb"))
      end

      assert_equal RULES.keys.sort, measuring.sort
    end

    test "the loader knows none of them, nor whether one has folders of its own" do
      folders = Dir.children(File.join(Mohs.root, "lib/mohs/procedures")).grep_v(/\./)
      loader = File.read(File.join(Mohs.root, "lib/mohs.rb"))

      assert_empty folders.select { |name| loader.include?("procedures/#{name}") }
    end

    # What Procedure.parts finds by the names of files.
    PARTS = { "view" => Report::Views::Base, "layout" => Report::Terminal::Layout,
              "section" => Report::Sections::Base, "figures" => Exporters::Figures }.freeze

    test "a part that is found by its name is of its kind, and each kind of document has one" do
      PARTS.each do |name, base|
        parts = Procedure.parts(name)

        assert_operator parts.size, :>, 1, name
        assert parts.all? { |part| part < base }, name
      end
      %w[view layout figures].each do |name|
        own = Procedure.parts(name).reject { |part| part.superclass.name.end_with?("::View") }
        assert_equal own.map { |part| part::KIND }.uniq, own.map { |part| part::KIND }
      end
      assert Procedure.parts("templates").all?(Hash)
      assert_equal [LoadRun::ConnectionView, LoadRun::RateView, LoadRun::SlowView,
                    LoadRun::StreamView, LoadRun::View],
                   Procedure.parts("view").select { |part| part.name.include?("LoadRun") }
    end

    test "rules that measure streams name the command that does, and others refer to these" do
      streaming = RULES.transform_values { |rules| rules.class.streaming }.compact

      assert_equal %w[compare rounds], streaming.keys.sort
      assert_equal streaming.values, streaming.keys.map { |name| COMMANDS.fetch(name, name) }
      assert_nil Rounds::Rules.streamless({})
      assert_said(Tune::Rules.streamless({}))
    end

    test "a section that is one procedure's is explained in the folder in which it is read" do
      root = File.join(Mohs.root, "lib/mohs/procedures")
      read, explained = %w[study_file.rb sections/*.yml].map do |files|
        Dir[File.join("*", files), base: root].map { |path| path[/\w+/] }.uniq.sort
      end

      assert_equal read, explained
      refute_empty read
    end

    test "whoever compares has a question, which the store keeps" do
      assert_equal Procedure.parts("question").sort_by(&:name),
                   QUESTIONS.values.map(&:class).sort_by(&:name)
      QUESTIONS.each do |name, question|
        rules = Compare::Rules.new(candidate: "3.4.5", question:)
        study = fixture_study(rules:)
        stored = JSON.parse(JSON.generate(Store::Plain.call(study)), symbolize_names: true)
        answering = Procedure.parts("question").select { |one| one.of?(stored) }

        again = Study.from_h(stored).rules

        assert_equal [rules, question], [again, again.question]
        assert_equal name[/\w+/], study.procedure.command
        assert_equal [question.class] - [Compare::Question], answering, name
      end
    end

    test "a stored study has the keys of its own procedure and question, a printed one all keys" do
      own = Procedure.parts("question").to_h { |one| [one, one::STORED + one::BESIDE] }
      QUESTIONS.each_value do |question|
        study = fixture_study(rules: Compare::Rules.new(candidate: "3.4.5", question:))
        stored, printed = [study.to_h, study.to_document].map do |one|
          one.keys + one.fetch(:comparison).keys
        end

        assert_equal own.fetch(question.class).sort, (stored & own.values.flatten).sort
        assert_empty Procedure.keys - printed
        assert_empty own.values.flatten - printed
        assert_equal [:comparison], stored & Procedure.stored.keys
      end
    end

    # Comparisons whose documents have views of their own, and one that looks like any other.
    COMPARED = { { bisection: { **STEP, kind: "ends" } } => Bisect::StepView,
                 { bisection: STEP, step: SIDES } => Bisect::StepView,
                 { gates: ["p50 < +2%"], levels: { fails: 0.001, holds: 0.05 } } => Compare::View,
                 {} => Compare::View }.freeze

    test "exactly one view answers for each document of a run" do
      views = { "rounds" => Rounds::View, "repro" => Rounds::View, "compare" => Compare::View,
                "tune" => Tune::View }
      made = RUNS.map { |name, run| [Stored.document(run.call), views.fetch(name)] }
      made += COMPARED.map do |comparison, view|
        [Stored.document(CompareResult.new([-0.3, -0.31, -0.29], comparison:).to_h), view]
      end
      point, = made.last
      made << [point.merge(history: { sentence: "" }), Track::PointView]
      made.each { |document, view| assert_equal [view], answering(document) }
    end

    # The doctor's has a screen in place of a view.
    test "exactly one view answers for each recorded document" do
      paths = Dir[File.join(Mohs.root, "test/fixtures/documents/expected/*.json")]
      documents = paths.to_h { |path| [File.basename(path, ".json"), path] }.except("doctor")
      found = documents.transform_values do |path|
        document = JSON.parse(File.read(path), symbolize_names: true)
        answering(document).tap { |one| assert_equal [Report::Views.kind(document)], one, path }
      end

      assert_operator found.values.uniq.size, :>=, 5
      assert_equal [[Bisect::View], [Bisect::StepView]], found.values_at("bisect", "b90c")
    end

    def answering(document)
      [Report::Views::Explain, *Procedure.parts("view")].select { |one| one.of?(document) }
    end

    RULES.each do |name, rules|
      test "#{name}: a study with its rules survives the store, and has its procedure" do
        study = fixture_study(rules:)
        again = Study.from_h(JSON.parse(JSON.generate(Store::Plain.call(study)),
                                        symbolize_names: true))

        assert_equal [study, rules], [again, again.rules]
        assert_equal "Mohs::#{name.capitalize}::Procedure", again.procedure.class.name
        assert_equal [COMMANDS.fetch(name, name)], [again.procedure.command]
        assert_equal 7, again.within(7).rules.budget_s
        assert_equal rules, again.within(rules.budget_s).rules
        assert_kind_of Procedure, again.procedure
      end

      test "#{name}: its plan has an estimate, baselines, and an order by its seed" do
        study = fixture_study(rules:)
        plan = study.procedure.plan(seed: 5)

        assert_operator plan.estimate_s, :>, 0
        assert(plan.cohorts.all? { |one| one.variants.include?(one.baseline) })
        assert_equal [true, false],
                     [5, 6].map { |seed| study.procedure.plan(seed:).to_h == plan.to_h }
      end

      test "#{name}: its result answers all that the analysis of a run asks" do
        run = Stored.analysis(RUNS.fetch(name).call)
        base, row = run.rows.partition { |one| one.name == run.baseline }.map(&:first)
        given = { judge: [row], memory_differs?: [row.name], over_hosts: [row.name],
                  together: [row.name, base.name], effects_of: [Analysis::Effects] }
        asked = Analysis::Result.public_instance_methods(false) - %i[explanation]
        answers = asked.to_h { |method| [method, run.result.public_send(method, *given[method])] }
        explained = run.result.explanation(row.name, against: base.name)

        assert_kind_of Analysis::Result, run.result
        assert_equal [base.name, row.name], [explained.a, explained.b]
        assert_equal answers[:judge].outcome, run.verdict(row).outcome
        assert_equal name, run.stored.study.procedure.class.name[/(?<=::)\w+/].downcase
        assert(run.rows.all? { |one| run.verdict(one) })
      end

      test "#{name}: its text before the run names its subject, and its document is a model" do
        study = fixture_study(rules:)
        text = Report::Terminal::PlanText.of(study, study.procedure.plan(seed: 1), style: STYLE)

        assert_match(/\Amohs \S+ · shop · GET \/products/, text.to_s)
        assert_operator study.procedure.document, :<=, Report::Model
      end
    end
  end
end

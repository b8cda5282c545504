# frozen_string_literal: true

require "test_helper"

# From a declaration to a document in this process, on the server `mock` under the Ruby of the
# tests: every room but the command line.
class ExperimentTest < Mohs::TestCase
  include Mohs::StoreHelper

  APP = { "app/config.ru" => "run ->(_) { [200, {}, []] }\n" }.freeze

  test "a declaration becomes a run whose document, rows, recordings and events agree" do
    slow = "slow::#{RUBY_VERSION}, mock:1x2, MOHS_MOCK_DELAY_MS=2"
    measure("good::#{RUBY_VERSION}, mock:1x2", slow) do |document|
      good, slow = %w[good slow].map { |name| row(document, name) }

      assert_equal ["finished", 2], document.values_at(:state, :connections)
      assert_equal(%w[measured measured], [good, slow].map { |row| row[:state] })
      assert_operator slow[:verdict][:effect], :<, 1
      assert_operator slow[:latency_ms][:p50], :>=, 2
      assert_equal [1, 2, []], good[:attested].values_at(:workers, :threads, :unattested)
      agree(document)
    end
  end

  test "what is measured is the run that was planned and told" do
    measure("good::#{RUBY_VERSION}, mock") do |document|
      names = @events.map(&:first)
      assert_equal %i[plan cohort_started trial], names.uniq.first(3)
      assert_equal %i[cohort_finished finished], names.last(2)
      stages = @events.filter_map { |name, facts| facts[:stage] if name == :trial }
      stages -= %i[wait] # another mohs may have its turn
      assert_equal %i[boot attest check warm outlook measure finish], stages.uniq
      run = @store.run(document[:run])
      assert_equal [11, ["run", "it"], Mohs::VERSION],
                   [run[:plan][:seed], run[:provenance][:argv], run[:provenance][:versions][:mohs]]
      assert_operator run[:fingerprint][:cores], :>, 0
      assert_equal document[:sentence], run.answer
      again = document(@experiment.resume(document[:run]))
      assert_equal document.except(:seconds), again.except(:seconds)
      assert_in_delta document[:seconds], again[:seconds], 0.001, "a resumed run ends when it did"
      assert_equal [run[:study][:app]], [@study.app]
      assert_operator @experiment.plan(@study).estimate_s, :>, 0
      assert_includes @store.costs(@study.app).keys, "good"
      refute @experiment.estimate(@study)[:assumed]
    end
  end

  test "what is rehearsed is what is measured: without gems nothing is refused or installed" do
    in_experiment do |folder|
      study = prepare(folder, ["good::#{RUBY_VERSION}, mock"])
      assert @experiment.estimate(study)[:assumed]
      plan = @experiment.plan(study)
      events = []

      assert_equal [study, plan],
                   @experiment.rehearse(study, plan, on_event: ->(*event) { events << event })
      assert_empty events
    end
  end

  # Setups in which one Ruby's gems can't be resolved, and the others need none.
  Unfit = Struct.new(:ruby) do
    def for(_study, variant)
      Struct.new(:bundle, :no_worker).new(variant.ruby == ruby ? self : nil)
    end

    def ready? = false
    def locked? = false

    def resolve
      reason = Mohs::Reason.new(code: "gem_requires_ruby", summary: "old requires another Ruby")
      Mohs::App::Bundle::Result.new(state: :failed, reason:, seconds: 0.1)
    end
  end

  test "in place of a Ruby that mohs chose and that has no gems, another is measured" do
    in_experiment do |folder|
      declaration = { app: "#{folder}/app", seed: 11 }
      newest = @experiment.prepare(declaration).variants.last.ruby
      File.write("#{folder}/app/.ruby-version", newest)
      study = @experiment.prepare(declaration)
      experiment = Mohs::Experiment.new(store: @store, setups: Unfit.new(newest))
      settled, plan = experiment.rehearse(study, experiment.plan(study))
      lost, instead = settled.variants.partition(&:refusal)

      assert_equal [study.variants.map(&:name), [newest]], [lost.map(&:name), lost.map(&:ruby).uniq]
      others = Mohs::Rubies.all.select { |ruby| ruby.ok? && ruby.engine == "ruby" }
      assert_equal others.size > 1, instead.any?
      assert_equal instead.first(1).map(&:name), [plan.cohorts.first.baseline].compact
    end
  end

  # A fleet that is there and gets the application's folder.
  class FarHosts
    def verify(_store) = nil
    def packs? = true
    def count(_store) = 2
    def fingerprint(_store) = {}
    def coordinator(**others) = Mohs::Runner.new(**others)
  end

  test "a Gemfile that needs more than the folder that is sent is told how to be measured" do
    files = { "app/Gemfile" => "eval_gemfile \"../posts/Gemfile\"\n", "posts/Gemfile" => "" }
    in_experiment(**files) do |folder|
      study = prepare(folder, ["ok::#{RUBY_VERSION}, puma"])
      @experiment.on(FarHosts.new)
      reason = @experiment.measure(study, @experiment.plan(study)).rows.first.failures.first.reason

      assert_includes reason.summary, "/posts/Gemfile"
      assert_includes reason.remedy, "--in-place"
    end
  end

  { { env: { "TOKEN" => "hunter2hunter2" } } => /this study has secrets/,
    { scenario: "scenario.yml" } => /scenario .*not sent/ }.each do |declared, fault|
    test "a rehearsal for a fleet refuses what the run would: #{declared.keys.first}" do
      in_experiment do |folder|
        study = prepare(folder, ["good::#{RUBY_VERSION}, mock"], **declared.slice(:env))
        if declared.key?(:scenario)
          scenario = Mohs::Study::ScenarioFile.new(path: File.join(folder, "scenario.yml"))
          study = Mohs::Study.new(**study.each_pair.to_h, scenario:)
        end
        @experiment.on(FarHosts.new)
        plan = @experiment.plan(study)

        error = assert_raises(Mohs::UsageError) { @experiment.rehearse(study, plan) }
        assert_match fault, error.message
      end
    end
  end

  test "a wrong answer that quotes a secret leaves it neither in the store nor in the document" do
    in_experiment do |folder|
      variants = %w[wrong truncated].map do |fault|
        "#{fault}::#{RUBY_VERSION}, mock, MOHS_MOCK_FAULT=#{fault}, MOHS_MOCK_AFTER=60"
      end
      @study = prepare(folder, variants, env: { "MOHS_MOCK_BODY" => SECRET })
      shown = document(@experiment.measure(@study, @experiment.plan(@study)))
      reasons = shown[:rows].map { |row| row[:reason] }

      assert_match(/differs at byte 0: "[^"]+" instead of "\[secret\]"/, reasons.join)
      refute_includes JSON.generate(shown), SECRET
      assert_no_secret(folder)
    end
  end

  test "a server that works while others are measured is told of, and a quiet one is not" do
    busy = "busy::#{RUBY_VERSION}, mock:1x2, MOHS_MOCK_BUSY=0.9"
    measure("quiet::#{RUBY_VERSION}, mock:1x2", busy) do |document|
      checks = trials(@store, @store.run(document[:run])[:id]).to_h do |trial|
        [trial.variant, Mohs::Analysis::Checks.of(trial).find { |one| one.member == "idle" }.code]
      end

      assert_equal %w[idle.quiet idle.busy], checks.values_at("quiet", "busy")
      result = row(document, "busy")[:checks].find { |check| check[:name] == "idle" }
      assert_match(/\Ait took \d+ % of a core/, result[:detail])
    end
  end

  SECRET = "hunter2hunter2hunter2"

  test "a secret reaches the server, also of a run that is resumed, and is nowhere in the store" do
    in_experiment do |folder|
      @study = prepare(folder, ["ok::#{RUBY_VERSION}, mock"],
                       env: { "MOHS_MOCK_BODY" => SECRET })
      argv = ["--env", "MOHS_MOCK_BODY=#{SECRET}"]
      run = interrupted(Mohs::Typed.invocation(*argv))
      kept = Dir.glob("#{folder}/data/mohs/secrets/*")

      assert_equal [1, ["--env", "MOHS_MOCK_BODY=[secret]"]],
                   [kept.size, @store.run(run)[:provenance][:argv]]
      assert_equal [{ name: "--env", value: "MOHS_MOCK_BODY=[secret]", attached: false,
                      about: "subject",
                      secret: { file: "--env-file", line: "MOHS_MOCK_BODY=..." }, lost: false }],
                   @store.run(run)[:provenance][:invocation][:options]
      assert_no_secret(folder)
      document = document(experiment(folder).resume(run))

      assert_equal "finished", document[:state]
      answers = document[:notes].find { |note| note[:name] == "answers" }
      assert_match(/\A200, #{SECRET.size} bytes/, answers[:text])
      assert_no_secret(folder)
      assert_empty Dir.glob("#{folder}/data/mohs/secrets/*")
    end
  end

  test "a run that nobody knows can't be resumed" do
    in_experiment { assert_raises(Mohs::UsageError) { @experiment.resume("7c1a") } }
  end

  # Its first round is that of this host of a fleet.
  def run_of_host(name)
    study = @experiment.prepare(app: File.join(@folder, "app"), rounds: 2, seed: 1, variants:
      [[nil, Mohs::Study::Notation.parse("good::#{RUBY_VERSION}, mock")]])
    run = @store.create_run(study:, plan: @experiment.plan(study), fingerprint: {}, provenance: {})
    first = @store.cohorts(run.id).first.id
    @store.claim(first, "a:1:2")
    @store.finish_cohort(first, "done", token: "a:1:2", host: { name: }.compact)
    run.key
  end

  test "what a fleet began goes on without it, which is said before anything is measured" do
    in_experiment do |folder|
      @folder = folder
      said = ["a", nil].map do |name|
        events = []
        @experiment.resume(run_of_host(name), on_event: lambda { |event, facts|
          events << [event, facts]
          raise Interrupt if event == :cohort_started
        })
        events.first
      end

      assert_equal [[:without_fleet, { hosts: %w[a] }], :plan], [said.first, said.last.first]
    end
  end

  test "a run that a living mohs is measuring is not joined, but told who has it" do
    in_experiment do |folder|
      study = @experiment.prepare(app: File.join(folder, "app"), rounds: 1, seed: 1, variants:
        [[nil, Mohs::Study::Notation.parse("good::#{RUBY_VERSION}, mock")]])
      plan = @experiment.plan(study)
      run = @store.create_run(study:, plan:, fingerprint: {}, provenance: {})
      @store.claim(@store.cohorts(run[:id]).find(&:queued?)[:id], Mohs::Cohort::Token.own)
      error = assert_raises(Mohs::UsageError) { @experiment.resume(run[:key]) }

      assert_match(/#{run[:key]} .*process #{::Process.pid}\./, error.message)
    end
  end

  private

  def document(run) = Mohs::Report::Model.build(run)

  def row(document, name) = document[:rows].find { |row| row[:variant] == name }

  # The store's trials hold what the document says of them.
  def agree(document)
    trials(@store, @store.run(document[:run])[:id]).each do |trial|
      recording = Mohs::Load::Recording.decode(@store.observations(trial[:id]))
      row = row(document, trial[:variant])
      assert_equal trial.slices.sum(&:sent), recording.size
      measured = trial.measured_slices
      assert_equal [measured.sum(&:good)] * 2, [recording.good, row[:requests]]
      assert_equal measured.group_by(&:block).values.map(&:size).uniq, [2]
    end
  end

  # The key of a run that was stopped when its first cohort began.
  def interrupted(invocation)
    stop = ->(name, _) { raise Interrupt if name == :cohort_started }
    @experiment.measure(@study, @experiment.plan(@study), invocation:, on_event: stop).stored.key
  end

  def assert_no_secret(folder)
    files = Dir.glob("#{folder}/mohs.db*")

    refute_empty files
    files.each { |file| refute_includes File.binread(file), SECRET }
  end

  def prepare(folder, variants, **declaration)
    variants = variants.map { |text| [nil, Mohs::Study::Notation.parse(text)] }
    @experiment.prepare({ app: File.join(folder, "app"), rounds: 1, seed: 11, variants:,
                          **declaration })
  end

  def measure(*variants)
    in_experiment do |folder|
      @study = prepare(folder, variants)
      on_event = ->(*event) { @events << event }
      plan = @experiment.plan(@study)
      invocation = Mohs::Invocation.new(command: "run", argv: %w[run it])
      yield document(@experiment.measure(@study, plan, invocation:, on_event:))
    end
  end

  def experiment(folder)
    env = ENV.to_h.merge("XDG_DATA_HOME" => File.join(folder, "data"))
    Mohs::Experiment.new(store: @store, env:)
  end

  def in_experiment(**files)
    with_files(**APP, **files) do |folder|
      @events = []
      @store = open_store(File.join(folder, "mohs.db"))
      @experiment = experiment(folder)
      yield folder
    ensure
      close_stores
    end
  end
end

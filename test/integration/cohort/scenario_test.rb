# frozen_string_literal: true

require "test_helper"

# A cohort whose connections are a scenario's clients, on servers that let them in or not.
class CohortScenarioTest < Mohs::TestCase
  # A login by cookie, without which each page is refused.
  APP = <<~'RUBY'
    run(lambda do |env|
      path, user = env["PATH_INFO"], env["HTTP_COOKIE"].to_s[/user=(\w+)/, 1]
      next [200, { "content-type" => "text/plain" }, ["hello"]] if path == "/"
      next [user ? 200 : 401, { "content-type" => "text/plain" }, ["page of #{user}"]] unless
        path == "/login"

      right = env["rack.input"].read == "password=#{ENV.fetch('PASSWORD')}"
      next [403, {}, ["wrong password"]] unless right

      [302, { "set-cookie" => "user=ann; path=/", "location" => "/" }, []]
    end)
  RUBY
  SCENARIO = <<~YAML
    login: [{post: /login, form: {password: opensesame}, expect: 302}]
    actions:
      - {name: read, weight: 3, get: /read, expect: page of ann}
      - {name: two, steps: [{get: /one}, {get: /two}]}
  YAML
  STUDY = <<~YAML
    scenario: forum.yml
    connections: 3
    variants:
      - "good::#{RUBY_VERSION}, puma:1x3, PASSWORD=opensesame"
      - "other::#{RUBY_VERSION}, puma:1x3, PASSWORD=another"
  YAML

  # Yields its trials when they have been measured, and stops them.
  def measure(scenario: SCENARIO, study: STUDY)
    files = { "config.ru" => APP, "forum.yml" => scenario, "study.yml" => study }
    with_files(files) do |folder|
      trials = trials(study(folder), folder)
      session(trials).call
      yield(*trials.map { |trial| [trial, Mohs::Trial::Facts.new(trial)] })
    end
  end

  def study(folder)
    declaration = Mohs::Study::File.load(File.join(folder, "study.yml"))
    app = Mohs::App::Folder.load(folder)
    Mohs::Study::Builder.new(app:)
                        .call(declaration.except(:app), requests: app.default_requests)
  end

  def trials(study, folder)
    setups = Mohs::Trial::Setups.new(env: Mohs::MockTrial::CACHED)
    place = Mohs::Cohort::Layout::Place.new(worker: 0)
    study.variants.each_with_index.map do |variant, id|
      FileUtils.mkdir(own = File.join(folder, variant.name))
      setup = setups.for(study, variant)
      setup.bundle.install
      Mohs::Trial.new(id:, setup:, folder: own, place:, spawner: Mohs::Process::Spawner.new)
    end
  end

  def session(trials)
    names = trials.map(&:name)
    spec = Mohs::Plan::CohortSpec.new(round: 1, position: 0, baseline: names.first,
                                      variants: names, blocks: [names], estimate_s: 1)
    Mohs::Cohort::Session.new(trials:, spec:, layout: Mohs::Cohort::Layout.for("apart", names),
                              seed: 1, blocks: 2)
  end

  test "clients log in before the warm-up, and who lets none in is refused" do
    measure do |(good, facts), (other, _)|
      assert_nil good.outcome
      assert_equal [3, 3, 3, {}],
                   facts.slices.first.values_at(:sent, :actions, :finished, :errors)
      assert(facts.slices.all? { |slice| slice[:good] == slice[:sent] })
      assert_equal good.sent, good.recording.size
      assert_equal %w[answers.followed counts.complete errors.none little_law.scenario],
                   facts.checks.map(&:code).grep(/\A(answers|counts|errors|little_law)\./)
      assert_equal ["measured", []], facts.row.values_at(:state, :answers)

      assert_equal ["refused", "logins_failed", { failed: 3, of: 3 }],
                   [other.outcome[:state], *other.outcome[:reason].to_h.values_at(:code, :values)]
      assert_match(/status 403: wrong password/, other.outcome[:reason].summary)
      assert_empty other.samples
    end
  end

  test "a step that is answered wrong makes the server invalid" do
    wrong = SCENARIO.sub("{get: /two}", "{get: /two, expect: page of bob}")
    measure(scenario: wrong, study: STUDY.lines.grep_v(/other/).join) do |(trial, facts)|
      assert_nil trial.outcome
      assert_equal "invalid", facts.row[:state]
      assert_equal %w[missing_text], facts.slices.last[:errors].keys
      assert_nil trial.diagnosis
    end
  end
end

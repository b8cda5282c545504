# frozen_string_literal: true

require "test_helper"

class CLIRunTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-run"

  APP = { "config.ru" => "run ->(_) { [200, {}, []] }" }.freeze

  def run_in(files, *argv, document: fixture_document, **options)
    with_files(files) do |folder|
      @folder = folder
      plan = fixture_study.procedure.plan(seed: 1)
      @experiment = FakeExperiment.new(document:, study: fixture_study, plan:,
                                       events: options.delete(:events) || [])
      return mohs(*argv, dir: folder, experiment: -> { @experiment }, **options)
    end
  end

  def declared(*argv, files: APP.merge("sub/config.ru" => ""))
    output = run_in(files, *argv)
    assert_includes [0, 1], output.status, output.err
    @experiment.declaration
  end

  test "mohs alone measures the folder's application and prints the table" do
    output = run_in(APP, document: fixture_document(rows: fixture_document[:rows].first(5)))

    assert_equal [0, ""], [output.status, output.err]
    assert_equal({ app: @folder }, @experiment.declaration)
    assert_operator output.out, :start_with?, "shop · GET /products · 4 connections\n3.4.5 --yjit "
  end

  { %w[] => nil, %w[--fleet] => ["fp_1", "fp_1"],
    %w[--hosts 2] => %w[a b].map { |name| Mohs::Fleet.queue_of(name) },
    %w[--same-host b] => [Mohs::Fleet.queue_of("b")] }.each do |argv, queues|
    test "#{argv.join(' ').inspect} decides who measures" do
      declared("run", *argv)
      hosts = %w[a b].map { |name| Mohs::Store::Host.new(name:, fingerprint: {}) }
      found = @experiment.fleet&.queues(hosts)&.map { |queue| queue.sub(/\Afp_\h+/, "fp_1") }

      assert_equal [queues], [found]
    end
  end

  { %w[--fleet slurm] => Mohs::Fleet::SlurmSelection,
    %w[--fleet study.yml] => Mohs::Fleet::HostSelection }.each do |argv, kind|
    test "#{argv.join(' ')} names the kind of fleet, or leaves the word to the command" do
      study = { "study.yml" => "requests: [{get: /b}]\n", **APP }
      declared("run", *argv, files: study)

      assert_instance_of kind, @experiment.fleet
      assert_equal argv, @experiment.invocation.argv
      assert_equal argv.grep(/yml/), @experiment.invocation.arguments
    end
  end

  test "what another option takes is not the fleet" do
    output = run_in(APP, "run", "--same-host", "--fleet", "slurm")

    assert_equal 2, output.status
    assert_includes output.err, "slurm"
    assert_nil @experiment.declaration
  end

  test "a fleet needs a whole number of hosts" do
    output = run_in(APP, "run", "--hosts", "many")

    assert_equal 2, output.status
    assert_includes output.err, "--hosts many"
  end

  test "stopped while gems are installed, the command that goes on is printed, without secrets" do
    events = [[:install_stopped, { installed: ["3.1.2"], left: ["3.4.5"] }]]
    stopped = -> { raise Interrupt }
    argv = ["run", "--variant", "3.4.5 --yjit", "--header", "Cookie: a=b"]
    output = run_in(APP, *argv, document: stopped, events:)

    assert_equal 130, output.status
    assert_said(output.err)
  end

  test "in a folder without an application, the bundled one is measured, and that is said" do
    output = run_in({})

    assert_equal File.join(Mohs.root, "apps", "hello"), @experiment.declaration[:app]
    assert_includes output.err, "the bundled app hello"
  end

  # Options that are about an application of one's own.
  [%w[--get /products], %w[--post /], %w[--expect Hi], %w[--own-config],
   %w[--variant @main], %w[--variant Gemfile.next]].each do |argv|
    test "with #{argv.join(' ')} the bundled application is never measured" do
      [argv, ["run", *argv]].each do |words|
        output = run_in({}, *words)

        assert_equal [2, ""], [output.status, output.out]
        assert_match(/\Amohs: no config\.ru in #{Regexp.escape(@folder)}.*: --app DIR\n\z/,
output.err)
        assert_nil @experiment.declaration
      end
    end
  end

  test "--all measures every Ruby and JIT, in place of what a study file names" do
    assert_equal [true, %i[all app]], declared("--all").then { |one| [one[:all], one.keys.sort] }
    files = APP.merge("study.yml" => "matrix: {rubies: [3.4.5]}\nrounds: 4\n")

    assert_equal [:all, :app, :file, :rounds], declared("run", "--all", files:).keys.sort
    assert_equal "study.yml", @experiment.declaration[:file]
    output = run_in(APP, "--all", "--variant", "3.4.5")
    assert_equal 2, output.status
    assert_said(output.err)
  end

  test "options are a declaration" do
    declaration = declared(*%w[--app sub --env A=b=c --own-config --baseline 3.4 --connections 8
                               --rounds 4 --budget 2m --seed 0 --variant falcon],
                           "--variant", "3.4.5 --yjit")

    assert_equal File.join(@folder, "sub"), declaration[:app]
    assert_equal [{ "A" => "b=c" }, true, "3.4", 8, 4, 120.0, 0],
                 declaration.values_at(:env, :own_config, :baseline, :connections, :rounds,
                                       :budget_s, :seed)
    variants = declaration[:variants].map { |at, variant| [at, variant.ruby, variant.server] }
    assert_equal [[nil, nil, "falcon"], [nil, "3.4.5", nil]], variants
  end

  test "where servers run, and what may come between, is a declaration too" do
    files = APP.merge("study.yml" => "cores: 0-1\nshield: false\n")

    assert_equal [[0, 1], false], declared("run", files:).values_at(:cores, :shield)
    assert_equal [1, true],
                 declared("run", *%w[--cores 1 --shield], files:).values_at(:cores, :shield)
    assert_empty declared(files: APP).slice(:cores, :shield)
  end

  test "where load comes from is a declaration, of a file or of the command line" do
    files = APP.merge("study.yml" => "load_from: lab@b\nlisten: 10.0.0.2\n")
    from = ->(declaration) { declaration[:load_from]&.to_h }

    assert_equal({ host: "lab@b", listen: "10.0.0.2" }, from.call(declared("run", files:)))
    assert_equal({ host: "c", listen: nil }, from.call(declared("run", "--load-from", "c", files:)))
    assert_nil from.call(declared(files: APP))
  end

  test "a scenario is a declaration, of a file or of the command line" do
    files = APP.merge("study.yml" => "scenario: own.yml", "own.yml" => "actions: [{get: /}]",
                      "other.yml" => "actions: [{get: /other}]")

    assert_equal "own.yml", declared("run", files:)[:scenario].name
    assert_equal "other.yml", declared("run", "--scenario", "other.yml", files:)[:scenario].name
    assert_equal 2, run_in(APP, "--scenario", "none.yml").status
  end

  test "what is held equal is a declaration, of a file or of the command line" do
    files = APP.merge("study.yml" => "hold: {concurrency: 16, memory: 1GB}\n")

    assert_equal [16, 1_000_000_000], declared("run", files:)[:hold].deconstruct
    words = %w[--hold concurrency=8 --hold memory=512MB]
    assert_equal [8, 512_000_000], declared("run", *words, files: APP)[:hold].deconstruct
  end

  test "variables of a file come below those of the command line, wherever they stand in it" do
    files = APP.merge("a.env" => "A=file\nB=file # b\n", "b.env" => "export B='second'\n",
                      "study.yml" => "env: {A: study, C: study}")
    declaration = declared("run", "--env", "A=line", *%w[--env-file a.env --env-file b.env], files:)

    assert_equal({ "A" => "line", "B" => "second", "C" => "study" }, declaration[:env])
  end

  test "no secret is shown by a dry run, nor by the name of a variant" do
    env = { "SHOP_KEY" => "hunter2", "URL" => "redis://:hunter2@h" }
    study = fixture_study(env:)
    with_files(APP) do |folder|
      experiment = FakeExperiment.new(document: nil, study:, plan: study.procedure.plan(seed: 1))
      output = mohs("--dry-run", "--json", dir: folder, experiment: -> { experiment })

      refute_includes output.out, "hunter2"
      assert_equal({ SHOP_KEY: "[secret]", URL: "redis://:[secret]@h" }, output.json[:study][:env])
    end
  end

  test "what describes a request belongs to the one before it, or to all" do
    files = APP.merge("b.json" => "{}")
    requests = declared("--header", "X-All: 1", *%w[--get /a --expect A --weight 3 --post /b],
                        "--body", "b.json", "-H", "X-B: 2", files:)[:requests]

    assert_equal ["GET /a", "POST /b"], requests.map(&:to_s)
    assert_equal [["A", 3, nil], [nil, 1, "{}"]],
                 requests.map { |one| [one.expect, one.weight, one.body] }
    assert_equal %w[1 1], requests.map { |one| one.header("X-All") }
    assert_equal [nil, "2"], requests.map { |one| one.header("X-B") }
  end

  test "headers of a file are as those of the command line, and are secret as they are" do
    files = APP.merge("all.headers" => "X-All: 1\nCookie: a=b\n", "b.headers" => "Cookie: hunter2")
    requests = declared(*%w[--header-file all.headers --get /a --get /b --header-file=b.headers],
                        "-H", "X-B: 2", files:)[:requests]

    assert_equal [{ "X-All" => "1", "Cookie" => "a=b" },
                  { "X-All" => "1", "Cookie" => "hunter2", "X-B" => "2" }], requests.map(&:headers)
    assert_equal [%w[1 a=b], %w[1 hunter2]], requests.map(&:secrets)
    assert_equal 2, run_in(APP, "--header-file", "none").status
  end

  test "a header takes the place of an earlier one, however it is written" do
    requests = declared("-H", "cookie: a", *%w[--header-file all.headers --get /a -H], "COOKIE: c",
                        *%w[--get /b], files: APP.merge("all.headers" => "Cookie: b"))[:requests]

    assert_equal [{ "COOKIE" => "c" }, { "Cookie" => "b" }], requests.map(&:headers)
  end

  test "whatever a header file gives is secret, but what every client sends" do
    files = APP.merge("all.headers" => "X-Vault: plain word\nX-Empty:\nhost: a.example\n" \
                                       "Accept-Language: de\nX-Forwarded-Proto: https",
                      "own.headers" => "X-Pin: 1234")
    requests = declared(*%w[--header-file all.headers --get /a --get /b --header-file own.headers],
                        "-H", "X-Open: yes", files:)[:requests]

    assert_equal [["plain word"], ["plain word", "1234"]], requests.map(&:secrets)
    again = requests.map { |one| Mohs::App::Request.new(**one.to_h) }
    assert_equal requests.map(&:secrets), again.map(&:secrets)
  end

  test "what describes a request without one is about the root" do
    request = declared("--expect", "Hello")[:requests]

    assert_equal [["GET /", "Hello"]], request.map { |one| [one.to_s, one.expect] }
  end

  test "run reads the study file of the folder, and the command line comes on top" do
    study = "env: {A: file, B: file}\nrounds: 5\nmatrix: {rubies: [3.4.5]}\n"
    files = APP.merge("study.yml" => study)
    declaration = declared("run", "--rounds", "7", "--env", "A=line", files:)

    assert_equal [7, { "A" => "line", "B" => "file" }], declaration.values_at(:rounds, :env)
    assert declaration.key?(:matrix)
  end

  test "variants of the command line replace those of the file" do
    files = { "config.ru" => "", "x.yml" => "matrix: {rubies: [3.4.5]}\nvariants: [2.7.4]\n" }
    declaration = declared("run", "x.yml", "--variant", "3.1.2", files:)

    refute declaration.key?(:matrix)
    assert_equal(["3.1.2"], declaration[:variants].map { |_, notation| notation.ruby })
  end

  test "mohs without run leaves a study file alone" do
    assert_equal [:app], declared(files: APP.merge("study.yml" => "rounds: 5")).keys
  end

  test "a wrong study file ends with 3 and the place" do
    output = run_in({ "study.yml" => "variants: [{server: pumaa}]" }, "run")

    assert_equal 3, output.status
    assert_equal "mohs: study.yml: variants/1/server: unknown server \"pumaa\". " \
                 "Did you mean puma? (mohs servers)\n", output.err
  end

  test "a dry run prints the plan and its time" do
    output = run_in(APP, "--dry-run")

    assert_equal 0, output.status
    assert_includes output.out,
                    "2 variants, 10 rounds, about 1 min 20 s · baseline: 3.1.2 (.ruby-version)"
    assert_equal 10, output.out.lines.grep(/\A\d+ +8 s/).size
    assert_nil @experiment.invocation
  end

  test "a dry run under --json is study and plan" do
    json = run_in(APP, "--dry-run", "--json").json

    assert_equal ["run", true, 10], [json[:command], json[:dry_run], json[:plan][:rounds]]
    assert_equal %w[3.1.2 3.4.5], json[:study][:variants].map { |variant| variant[:name] }
  end

  test "under --json the run's document is all there is on stdout" do
    output = run_in(APP, "--json", "--seed", "3")

    assert_equal JSON.parse(JSON.generate(fixture_document), symbolize_names: true), output.json
    typed = @experiment.invocation
    assert_equal ["run", [], %w[--json --seed 3]], [typed.command, typed.arguments, typed.argv]
    assert_equal [["--json", nil, "output"], %w[--seed 3 extent]],
                 typed.options.map { |one| [one.name, one.value, one.about] }
  end

  # What became of the rows => exit status.
  STATES = { %w[measured measured] => 0, %w[measured refused] => 0,
             %w[measured waiting] => 0, %w[measured failed] => 1,
             %w[measured invalid] => 1, %w[refused measured] => 1, %w[refused refused] => 1 }.freeze

  STATES.each do |states, status|
    test "rows #{states.join(' and ')} end with #{status}" do
      base, other = fixture_document[:rows].values_at(4, 0)
      rows = [base.merge(state: states[0]), other.merge(state: states[1])]

      assert_equal status, run_in(APP, document: fixture_document(rows:)).status
    end
  end

  test "after Ctrl-C there is the table so far, how to go on, and 130" do
    output = run_in(APP, document: fixture_document(state: "interrupted"))

    assert_equal 130, output.status
    assert_includes output.out, "continue: mohs resume 7c1a"
  end

  test "progress is lines where stderr is no terminal, and nothing under --quiet" do
    events = [[:cohort_started, { cohort: 0, of: 2, round: 1, variants: %w[a b] }]]

    assert_includes run_in(APP, events:).err, "round 1 · a · b"
    assert_empty run_in(APP, "--quiet", events:).err
  end

  test "what was drawn is wiped before a fault is told" do
    events = [[:cohort_started, { cohort: 0, of: 2, round: 1, variants: %w[a b] }]]
    full = -> { raise Mohs::StoreError, "disk full" }
    output = run_in(APP, document: full, events:, err: Terminal.new)

    assert_equal 1, output.status
    assert_match(/a · b\n\e\[1A\r\e\[J\e\[31mmohs:\e\[0m disk full\n\z/, output.err)
  end

  test "Rubies that have to be asked what they are are told as they answer" do
    ruby = Mohs::FakeRubies.ruby("3.4.5")
    rubies = Mohs::FakeRubies.new(ruby, asked: [ruby])

    assert_match(/\Adetecting .*:\n  3\.4\.5\n\z/, run_in(APP, rubies:).err)
    assert_empty run_in(APP, "--quiet", rubies:).err
  end

  test "a broken Ruby, which is asked in each run, is not announced in each" do
    known = Mohs::FakeRubies.ruby("3.4.5")
    broken = Mohs::FakeRubies.ruby("2.0.0", state: :broken, reason: Mohs::Reason.parse("x"))
    rubies = Mohs::FakeRubies.new(known, broken, asked: [broken])

    refute_includes run_in(APP, rubies:).err, "detecting"
  end

  # A experiment that has measured the rest of a run.
  def resumed
    sample = SampleResult.new({ "3.1.2" => 1200 })
    FakeExperiment.new(document: Mohs::Stored.analysis(sample.to_h))
  end

  test "resume goes on with the run that is named" do
    experiment = resumed
    output = mohs("resume", "7c", experiment: -> { experiment })

    assert_equal "7c", experiment.resumed
    assert_includes output.out, "run       7c1a"
  end

  test "resume writes reports as well, in formats that runs have" do
    experiment = resumed
    with_files do |dir|
      output = mohs("resume", "7c", "--report", "a.md", dir:, experiment: -> { experiment })

      assert_match(/\A\*\*.+\| 3\.1\.2 \|/m, File.read("#{dir}/a.md"))
      assert_includes output.err, "written: a.md"
    end
  end

  test "a TMPDIR in which others could put folders in the place of ours is left aside, and named" do
    experiment = resumed
    with_files("all/mine/a" => "") do |folder|
      File.chmod(0o777, "#{folder}/all")
      before, ENV["TMPDIR"] = ENV.fetch("TMPDIR"), "#{folder}/all/mine"
      noted, quiet = [[], ["--quiet"]].map do |options|
        mohs("resume", "7c", *options, experiment: -> { experiment }).err
      end

      assert_match(%r{\A#{folder}/all is writable for everybody: .* in /tmp instead of }, noted)
      assert_empty quiet
    ensure
      ENV["TMPDIR"] = before
    end
  end
end

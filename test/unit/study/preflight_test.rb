# frozen_string_literal: true

require "test_helper"

class StudyPreflightTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-study"

  def build(*variants, **declaration)
    variants = variants.map { |text| [nil, Mohs::Study::Notation.parse(text)] }
    app = Mohs::App.new(name: "shop", dir: "/srv/shop")
    Mohs::Study::Builder.new(app:, rubies: Mohs::FakeRubies.usual)
                        .call({ seed: 1, variants:, **declaration })
  end

  # As Rubies::FlagTrial, with known complaints.
  Flags = Struct.new(:refused, :tried) do
    def call(ruby, flags:, env:, dir:)
      tried << [ruby.name, flags, env, dir]
      refused[[ruby.name, flags.last]]
    end

    def code(ruby, code) = refused[[ruby.name, code.split(";").first]]
  end

  # refused: { [Ruby, flag] => complaint }; ignored: { Ruby => { variable => why } }.
  def preflight(study, refused: {}, ignored: {}, silent: [], missing: [])
    flags = Flags.new(refused, @tried = [])
    reach = ->(url) { raise Errno::ECONNREFUSED if silent.include?(url) }
    preload = lambda do |names, dir:|
      assert_includes [study.app, (nil if study.variants.any?(&:revision))], dir
      raise Mohs::EnvironmentError, "no #{names}. Install it." if missing.include?(names)
    end
    unread = ->(ruby, env) { ignored.fetch(ruby.name, {}).slice(*env.keys) }
    Mohs::Study::Preflight.new(rubies: Mohs::FakeRubies.usual, flags:, reach:, preload:,
                               ignored: unread, env: {}).call(study)
  end

  def mistake(...) = assert_raises(Mohs::UsageError) { preflight(...) }.message

  test "a worker that is a file has to be there, unless a commit may have it" do
    with_files("bin/jobs" => "") do |dir|
      found = lambda do |worker, *revisions|
        study = build("3.4.5", jobs: Mohs::Study::Jobs.parse(worker:))
        variants = study.variants.flat_map do |variant|
          revisions.map { |one| Mohs::Study::Variant.new(**variant.each_pair.to_h, revision: one) }
        end
        preflight(Mohs::Study.new(**study.each_pair.to_h, app: dir, variants:))
      end
      commit = { typed: "@main", commit: "a" * 40 }
      error = assert_raises(Mohs::UsageError) { found.call("bundle exec bin/job -v", nil, commit) }

      assert_said(error.message)
      %w[bin/jobs sidekiq].each { |worker| assert found.call(worker, nil) }
      assert found.call("bin/job", commit)
    end
  end

  test "a database.yml that nobody made from its template is missed before anything is tried" do
    files = %w[config/environment.rb config/database.yml.example].to_h { |path| [path, ""] }
    with_files(files) do |dir|
      study = Mohs::Study.new(**build("3.4.5").each_pair.to_h, app: dir)
      assert_includes mistake(study), "--service postgresql"
    end
  end

  test "a flag that its Ruby does not know is a mistake, with the spelling that works" do
    refused = { ["3.4.5", "--yjti"] => "invalid option --yjti" }

    assert_match(/\A3\.4\.5 .*--yjti: invalid option --yjti\. .*"3\.4\.5 --yjit, puma:2x5"\?/,
                 mistake(build("3.1.2", "3.4.5 --yjti, puma:2x5"), refused:))
  end

  test "under a name of one's own only the flag is corrected" do
    refused = { ["3.4.5", "--yjti"] => "no" }

    assert_said(mistake(build("fast::3.4.5 --yjti"), refused:))
  end

  test "a name of one's own is not corrected, even if it contains the flag" do
    refused = { ["3.4.5", "--yjti"] => "no" }
    said = mistake(build("with --yjti::3.4.5 --yjti"), refused:)

    assert_includes said, "--yjit?"
    refute_includes said, "with --yjit"
  end

  test "a flag like no other is told with the interpreter's words alone" do
    refused = { ["3.4.5", "-w2"] => "invalid option -2" }

    assert_match(/\A3\.4\.5 .*-w2: invalid option -2\. \(mohs rubies 3\.4\.5\)\z/,
                 mistake(build("3.4.5 -w2"), refused:))
  end

  test "variables that the interpreter reads are tried too" do
    refused = { ["3.4.5", nil] => "invalid option --yjti" }
    study = build("3.4.5, RUBYOPT=--yjti, A=1", env: { "B" => "2" })

    assert_includes mistake(study, refused:), "with RUBYOPT=--yjti: invalid"
    assert_equal [["3.4.5", [], { "B" => "2", "RUBYOPT" => "--yjti", "A" => "1" }, "/srv/shop"]],
                 @tried
  end

  test "variables of all servers are named too" do
    refused = { ["3.4.5", nil] => "invalid option --yjti" }

    assert_includes mistake(build("3.4.5", env: { "RUBYOPT" => "--yjti" }), refused:),
                    "with RUBYOPT=--yjti: invalid"
  end

  test "a flag that a published study names is no mistake of the person's: it is refused" do
    refused = { ["3.4.5", "--jvm"] => "invalid option --jvm" }
    published = { name: "shop-2023" }
    study = preflight(build("3.1.2", "3.4.5 --jvm", published:), refused:)

    assert_equal [published, [nil, "flags_refused"]],
                 [study.rules.published, study.variants.map { |one| one.refusal&.code }]
    assert_includes mistake(build("3.4.5 --jvm", "3.1.2", published:), refused:),
                    "with --jvm"
  end

  test "a flag that other Rubies of the study take refuses only those that don't" do
    refused = { ["2.7.4", "--yjit-call-threshold=1"] => "invalid option" }
    study = preflight(build("3.4.5 --yjit-call-threshold=1", "2.7.4 --yjit-call-threshold=1"),
                      refused:)

    assert_equal [nil, "flags_refused"], study.variants.map { |one| one.refusal&.code }
    assert_match(/\A2\.7\.4 .*--yjit-call-threshold=1: invalid option\z/,
                 study.variants.last.refusal.summary)
  end

  test "a baseline that does not start is a mistake in any case" do
    refused = { ["2.7.4", "--yjit-call-threshold=1"] => "invalid option" }
    study = build("2.7.4 --yjit-call-threshold=1", "3.4.5 --yjit-call-threshold=1")

    assert_match(/\A2\.7\.4 .*--yjit-call-threshold=1/, mistake(study, refused:))
  end

  test "what is refused already is not started, nor what has neither flags nor variables" do
    study = build("3.1.2", "3.4.5 -W0", "jruby-10.0.2.0 --nonsense")

    assert_equal study, preflight(study)
    assert_equal([["3.4.5", ["-W0"], {}, "/srv/shop"]], @tried)
  end

  test "a variable that its Ruby ignores is a mistake, in the interpreter's words if it has any" do
    study = build("3.1.2", "3.1.2, RUBY_MN_THREADS=1, A=1")

    assert_equal "3.1.2 ignores RUBY_MN_THREADS=1. (mohs rubies 3.1.2)",
                 mistake(study, ignored: { "3.1.2" => { "RUBY_MN_THREADS" => nil } })
    why = { "RUBY_MN_THREADS" => "it is too old", "A" => "it is too old" }
    assert_equal "3.1.2 ignores RUBY_MN_THREADS=1 A=1: it is too old. (mohs rubies 3.1.2)",
                 mistake(study, ignored: { "3.1.2" => why })
  end

  test "a variable that another Ruby of the study reads refuses only who ignores it" do
    study = preflight(build("3.4.5", "3.1.2", env: { "RUBY_MN_THREADS" => "1" }),
                      ignored: { "3.1.2" => { "RUBY_MN_THREADS" => nil } })

    assert_equal [nil, ["variables_ignored", { names: ["RUBY_MN_THREADS"] }]],
                 study.variants.map { |one| one.refusal&.then { [_1.code, _1.values] } }
  end

  test "a call that its Ruby does not have is a mistake, or refuses only who lacks it" do
    refused = { ["3.1.2", "Process.warmup"] => "undefined method `warmup'" }
    texts = ["3.1.2", "3.1.2, puma:2 warmup"]

    assert_equal "3.1.2 has no Process.warmup: undefined method `warmup'. (mohs rubies 3.1.2)",
                 mistake(build(*texts), refused:)
    study = preflight(build("3.4.5", "3.4.5, puma:2 warmup", "3.1.2, puma:2 warmup"), refused:)
    assert_equal [nil, nil, "call_unknown"], study.variants.map { |one| one.refusal&.code }
    assert_nil preflight(build("3.1.2, compact"), refused:).variants.first.refusal
  end

  test "an allocator that is not installed is an error of the environment" do
    study = build("3.1.2", "3.1.2, LD_PRELOAD=jemalloc")

    assert_equal study, preflight(study)
    assert_raises(Mohs::EnvironmentError) { preflight(study, missing: ["jemalloc"]) }
  end

  test "an address where nothing listens is an error of the environment, with its server" do
    study = build("http://127.0.0.1:3000", "b::http://127.0.0.1:3001")
    error = assert_raises(Mohs::EnvironmentError) { preflight(study, silent: ["http://127.0.0.1:3001"]) }

    assert_includes error.message, "http://127.0.0.1:3001. "
    assert_equal study, preflight(study)
  end
end

# frozen_string_literal: true

require "test_helper"

class StudyChoiceTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-study-choices"

  PRERELEASE = Mohs::FakeRubies.ruby("3.6.0dev", flags: %w[--yjit]).freeze
  TRUFFLE = Mohs::FakeRubies.ruby("truffleruby-25.0.0", engine: "truffleruby", version: "25.0.0",
                                                        language: "3.3.5").freeze

  # `wanted` the version that the application asks for, `gemfile` its directive.
  def choice(wanted: nil, source: ".ruby-version", gemfile: "", gemspecs: {}, own_jit: nil,
             rubies: Mohs::FakeRubies.usual.all)
    requirements = Mohs::App::RubyRequirement.all(gemfile:, gemspecs:, env: {})
    app = Mohs::App.new(name: "shop", dir: "/srv/shop", ruby: wanted,
                        ruby_source: (source if wanted), ruby_requirements: requirements,
                        own_jit:)
    Mohs::Study::Choice.new(app:, rubies:)
  end

  def chosen(...) = choice(...).notations.map(&:to_s)

  def own(...) = choice(...).own.to_a.then { |ruby, reason| [ruby.name, reason] }

  test "the application's own Ruby and its JIT, then the newest and its JIT" do
    assert_equal ["3.1.2", "3.1.2 --yjit", "3.4.5", "3.4.5 --yjit"], chosen(wanted: "3.1.2")
    assert_equal ["3.4.5", "3.4.5 --yjit"], chosen(wanted: "3.4.5")
    assert_equal ["2.7.4", "3.4.5", "3.4.5 --yjit"], chosen(wanted: "2.7.4")
  end

  test "an application that turns a JIT on: as it runs, and without" do
    yjit = Mohs::App::OwnJit.new(jit: "yjit", where: "config/application.rb:1")

    assert_equal ["yours", "3.4.5 without YJIT"], chosen(wanted: "3.4.5", own_jit: yjit)
    assert_equal ["3.1.2", "3.1.2 --yjit", "3.4.5 own-jit", "3.4.5 without YJIT"],
                 chosen(wanted: "3.1.2", own_jit: yjit)
    only = choice(wanted: "3.4.5", own_jit: yjit).notations(own_jit: true)
    assert_equal ["yours"], only.map(&:to_s)
    assert_equal ["3.4.5", "3.4.5 --yjit"],
                 chosen(wanted: "3.4.5", own_jit: Mohs::App::OwnJit.new(jit: "zjit", where: "a:1"))
  end

  test "the JIT of the application is not among what is left out" do
    yjit = Mohs::App::OwnJit.new(jit: "yjit", where: "config/application.rb:1")
    omitted = ->(**options) { choice(wanted: "3.4.5", **options).omitted.map { _1[:name] } }

    refute_includes omitted.call(own_jit: yjit), "3.4.5 --yjit"
    refute_includes omitted.call(own_jit: yjit), "3.4.5"
    assert_includes omitted.call(own_jit: yjit), "3.4.5 --rjit"
    assert_includes omitted.call, "3.4.5 --rjit"
  end

  test "a Ruby that mohs does not support is not among what is left out" do
    old = Mohs::FakeRubies.ruby("2.0.0", state: :broken,
                                         reason: Mohs::Reason.new(code: "ruby_too_old"))

    refute_includes choice(rubies: [old, *Mohs::FakeRubies.usual.all]).omitted.map { _1[:name] },
                    "2.0.0"
  end

  test "where it asks for none, the Ruby on PATH is its own" do
    assert_equal ["3.1.2", "3.1.2 --yjit", "3.4.5", "3.4.5 --yjit"], chosen
    assert_equal "3.1.2", own.first
    assert_match(/PATH\z/, own.last)
  end

  test "the newest is one that the Gemfile allows" do
    assert_equal ["3.1.2", "3.1.2 --yjit"], chosen(wanted: "3.1.2", gemfile: 'ruby "< 3.4"')
    assert_equal ["3.1.2", "3.1.2 --yjit"], chosen(gemfile: 'ruby "3.1.2"')
    assert_equal ["3.4.5", "3.4.5 --yjit"], chosen(gemfile: 'ruby ">= 3.2"')
  end

  test "the newest has been released, and is of the same engine" do
    rubies = [*Mohs::FakeRubies.usual.all, PRERELEASE, TRUFFLE]

    assert_equal "3.4.5 --yjit", chosen(wanted: "3.1.2", rubies:).last
    assert_equal ["3.6.0dev", "3.6.0dev --yjit"], chosen(wanted: "3.6.0dev", rubies:)
    assert_equal ["jruby-9.4.14.0"], chosen(wanted: "jruby-9.4.14.0", rubies:)
    assert_equal ["truffleruby-25.0.0"], chosen(wanted: "truffleruby-25.0.0", rubies:)
  end

  test "a development version is not what an application asks for by the release's number" do
    rubies = [*Mohs::FakeRubies.usual.all, PRERELEASE]

    ["3.6", "3.6.0"].each do |wanted|
      name, reason = own(wanted:, rubies:)
      assert_equal "3.1.2", name
      assert_match(/PATH; \.ruby-version says #{wanted}, .*not installed\z/, reason)
    end
    assert_equal "3.4.5", own(gemfile: 'ruby ">= 3.2"', rubies:).first
    assert_equal "3.6.0dev",
                 choice(gemfile: 'ruby "3.6.0"', rubies:).forbidden_rubies.last.fetch(:name)
    only = own(gemfile: 'ruby ">= 3.5"', rubies:)
    assert_equal "3.6.0dev", only.first
    assert_match(/newest .*ruby ">= 3\.5" in the Gemfile\z/, only.last)
  end

  test "in place of Rubies that can't be measured: the newest of the others that is allowed" do
    instead = ->(*lost, **app) { choice(**app).instead_of(lost).map(&:to_s) }

    assert_equal ["3.1.2", "3.1.2 --yjit"], instead.call("3.4.5")
    assert_equal ["2.7.4"], instead.call("3.4.5", "3.1.2")
    assert_empty instead.call("3.4.5", "3.1.2", "2.7.4")
    assert_empty instead.call("3.4.5", "3.1.2", gemfile: 'ruby ">= 3.0"')
    assert_empty instead.call("jruby-9.4.14.0", wanted: "jruby-9.4.14.0")
  end

  # What the application asks for => the Ruby that is taken for its own, and why.
  OWN = {
    "3.4.5" => ["3.4.5", ".ruby-version"],
    "3.4" => ["3.4.5", ".ruby-version"],
    "jruby-9.4" => ["jruby-9.4.14.0", ".ruby-version"],
    "3.4.2" => ["3.4.5", /\A\.ruby-version says 3\.4\.2, .*not installed\z/],
    "jruby-9.4.2.0" => ["jruby-9.4.14.0",
/\A\.ruby-version says jruby-9\.4\.2\.0, .*not installed\z/],
    "3.2.1" => ["3.1.2", /PATH; \.ruby-version says 3\.2\.1, .*not installed\z/],
    "jruby-10.0.2.0" => ["3.1.2", /PATH; \.ruby-version says jruby-10\.0\.2\.0, .*can't be used/],
  }.freeze

  OWN.each do |wanted, expected|
    test "an application that asks for #{wanted} gets #{expected.first}" do
      name, reason = own(wanted:)

      assert_equal expected.first, name
      assert_operator expected.last, :===, reason
    end
  end

  test "a Ruby on PATH that the Gemfile forbids is not its own" do
    name, reason = own(gemfile: 'ruby ">= 3.2"')
    assert_equal "3.4.5", name
    assert_match(/newest .*ruby ">= 3\.2" in the Gemfile\z/, reason)
    assert_said(*own(gemfile: 'ruby ">= 3.2"', wanted: "3.2.9", source: "../.ruby-version"))
  end

  test "the others are listed: those that --all adds, and those that are not allowed" do
    found = choice(wanted: "3.1.2", gemfile: 'ruby ">= 3.0"').omitted

    assert_equal [["3.1.2 --mjit", nil], ["3.4.5 --rjit", nil], ["jruby-9.4.14.0", nil],
                  ["jruby-10.0.2.0", "needs Java 21, found 17"]], found.drop(1).map(&:values)
    assert_equal "2.7.4", found.first[:name]
    assert_said(found.first[:why])
  end

  test "of what is not allowed, it says that it can be named only where Bundler would not refuse" do
    gemspecs = { "a.gemspec" => 's.required_ruby_version = ">= 3.2"' }
    enforced = choice(gemfile: 'ruby "< 3.4"', gemspecs:).forbidden_rubies

    assert_equal ["2.7.4", "3.1.2"], enforced.reject { _1[:why].include?("--variant") }
                                             .map { _1[:name] }.first(2)
    assert_said(enforced.first[:why])
  end

  test "a Ruby that is not measured is listed once, not with each of its JITs" do
    assert_equal %w[2.7.4 3.1.2], choice(wanted: "3.4.5").omitted.map { |one| one[:name] }.first(2)
  end

  test "where the Gemfile allows no Ruby here, it says what to type" do
    error = assert_raises(Mohs::EnvironmentError) { chosen(gemfile: 'ruby "3.2.9"') }

    found = Regexp.escape("found 2.7.4, 3.1.2, 3.4.5, jruby-9.4.14.0.")
    assert_match(/ruby "3\.2\.9" .*: #{found} /, error.message)
    assert error.message.end_with?(': --variant 3.1.2 --variant "3.1.2 --yjit"')
  end

  test "of the Rubies that the Gemfile doesn't allow, it suggests the nearest, with its JIT" do
    { 'ruby "4.0.1"' => "3.4.5", 'ruby ">= 4.0", "< 5"' => "3.4.5", 'ruby "< 2.5"' => "2.7.4",
      'ruby "3.3.1"' => "3.1.2", 'ruby "3.4.5", engine: "jruby", engine_version: "11.0"' =>
      "jruby-9.4.14.0" }.each do |gemfile, nearest|
      error = assert_raises(Mohs::EnvironmentError, gemfile) { chosen(gemfile:) }

      assert_includes error.message, ": --variant #{nearest}", gemfile
    end
  end

  test "where the Gemfile names one version, another of the same minor version stands in" do
    ['ruby "3.4.7"', 'ruby "= 3.4.2"'].each do |gemfile|
      version = gemfile[/[\d.]+/]
      asked = { gemfile:, wanted: version, source: "the Gemfile" }
      assert_equal ["3.4.5", "3.4.5 --yjit"], chosen(**asked)
      assert_equal ["3.4.5", "the Gemfile says #{version}, which is not installed"], own(**asked)
      assert_equal ["3.4.5", "3.4.5 --yjit"], chosen(gemfile:, wanted: "3.2.9")
      assert_said(own(gemfile:, wanted: "3.2.9").last)
      assert_equal %w[2.7.4 3.1.2 jruby-9.4.14.0], choice(gemfile:).forbidden_rubies.map(&:first)
                                                                     .map(&:last)
    end
  end

  test "no other stands in for a version that is installed" do
    rubies = [*Mohs::FakeRubies.usual.all, Mohs::FakeRubies.ruby("3.4.2", flags: %w[--yjit])]

    assert_equal ["3.4.2", "3.4.2 --yjit"],
                 chosen(gemfile: 'ruby "3.4.2"', wanted: "3.4.2", rubies:)
    assert_includes choice(gemfile: 'ruby "3.4.2"', rubies:).forbidden_rubies.map { _1[:name] },
                    "3.4.5"
  end

  test "a lock that was made with a Ruby that is not here restricts nothing" do
    asked = { wanted: "4.0.3", source: "Gemfile.lock" }

    assert_equal ["3.4.5", "3.4.5 --yjit"], chosen(**asked, gemfile: 'ruby ENV["X"] || ">=3.4.3"')
    assert_equal ["3.4.5", "3.4.5 --yjit"], chosen(**asked, gemfile: "ruby WANTED")
    assert_empty choice(**asked, gemfile: "ruby WANTED").forbidden_rubies
    assert_said(own(**asked).last)
    assert_equal "3.1.2", own(**asked, wanted: "2.9.1").first, "that on PATH is newer"
    assert_equal "3.1.2", own(**asked, wanted: "3.1.9").first, "the same minor version"
    { "3.1.2" => false, "3.1.9" => true }.each do |wanted, missing|
      name, reason = own(**asked, wanted:, gemfile: 'ruby "> 3.3"')
      assert_equal ["3.4.5", missing], [name, reason.include?("not installed")]
    end
  end

  test "what stands in for a lock's Ruby that is here but excluded has a reason" do
    rubies = %w[3.4.1 3.4.9].map { |version| Mohs::FakeRubies.ruby(version) }
    name, reason = own(wanted: "3.4.1", source: "Gemfile.lock", gemfile: 'ruby ">= 3.4.5"', rubies:)

    assert_equal ["3.4.9", true], [name, reason.to_s.include?("3.4.5")]
  end

  test "a machine without a working Ruby is told so" do
    broken = Mohs::FakeRubies.ruby("3.1.2", state: :broken, reason: Mohs::Reason.parse("no libc"))
    error = assert_raises(Mohs::EnvironmentError) { own(rubies: [broken]) }

    assert_match(/\Ano Ruby .*: mohs rubies\z/, error.message)
  end

  test "everything is each Ruby that is allowed with each of its JITs, the broken ones too" do
    names = choice(gemfile: 'ruby ">= 3.0"').everything.map(&:to_s)

    assert_equal ["3.1.2", "3.1.2 --yjit", "3.1.2 --mjit", "3.4.5", "3.4.5 --yjit", "3.4.5 --rjit",
                  "jruby-9.4.14.0", "jruby-10.0.2.0"], names
    assert_equal ["2.7.4"], choice(gemfile: 'ruby ">= 3.0"').forbidden_rubies.map { _1[:name] }
  end
end

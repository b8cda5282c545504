# frozen_string_literal: true

require "test_helper"

class StudyBuilderTest < Mohs::TestCase
  include Mohs::StudyBuild
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-study"

  test "without a declaration: the application's own Ruby, the newest, and their JITs, on Puma" do
    study = build

    assert_equal ["3.1.2", "3.1.2 --yjit", "3.4.5", "3.4.5 --yjit"], study.variants.map(&:name)
    assert_equal ["puma"], study.variants.map(&:server).uniq
    assert_equal "3.1.2", study.baseline
    assert_match(/PATH\z/, study.baseline_reason)
    assert_equal ["2.7.4", "3.1.2 --mjit"], study.omitted.first(2).map { |one| one[:name] }
    assert_empty build(variants: %w[3.1.2]).omitted
  end

  # Which variants leave their JIT to the application.
  def own_jits(*variants, jit: "yjit", **declaration)
    own_jit = Mohs::App::OwnJit.new(jit:, where: "config/application.rb:1") if jit
    build(app: app(ruby: "3.4.5", ruby_source: ".ruby-version", own_jit:), variants:,
          **declaration).variants.to_h { |variant| [variant.name, variant.own_jit] }
  end

  test "a Ruby without a flag has no JIT, whatever the application asks for" do
    assert_equal({ "3.4.5" => false, "3.4.5 --yjit" => false }, own_jits("3.4.5", "3.4.5 --yjit"))
    assert_equal({ "3.4.5" => false }, own_jits("ruby"))
    assert_equal({ "3.4.5 without YJIT" => false }, own_jits("without YJIT"))
  end

  test "a variant that names no Ruby keeps the JIT of the application" do
    assert_equal({ "3.4.5 own-jit, puma:1x5" => true, "3.4.5 own-jit, puma:2x5" => true },
                 own_jits("puma:1x5", "puma:2x5"))
    assert_equal({ "3.4.5, puma:1x5" => false, "3.4.5, puma:2x5" => false },
                 own_jits("puma:1x5", "puma:2x5", jit: nil))
    assert_equal({ "3.4.5, puma:1x5" => false }, own_jits("puma:1x5", jit: "zjit"))
  end

  test "a variant that names no Ruby has no JIT if another names a Ruby or a JIT" do
    ["--yjit", "--jit", "--yjit-call-threshold=5", "RUBY_YJIT_ENABLE=1", "3.4.5",
     "ruby"].each do |other|
      found = own_jits("puma:1x5", "#{other}, puma:2x5")
      assert_equal [other, [false]], [other, found.values.uniq]
    end
    assert_equal [false], own_jits("puma:2x5", baseline: "3.4.5").values.uniq
    assert_equal({ "one" => true, "two" => true },
                 own_jits("one::puma:1x5", "two::puma:2x5", baseline: "one"))
    assert_equal [true], own_jits("puma:2x5", "yours", "own-jit, webrick").values.uniq
  end

  test "what flags and variables say about the JIT is known of each variant" do
    asked = lambda do |*variants, **options|
      build(variants:, **options).variants.map(&:asked_jit)
    end

    assert_equal ["yjit", "yjit", "off", nil],
                 asked.call("3.4.5 --jit", "3.4.5, RUBY_YJIT_ENABLE=1", "3.4.5 --disable=yjit",
                            "3.4.5")
    assert_equal ["yjit"], asked.call("3.4.5", env: { "RUBY_YJIT_ENABLE" => "1" })
    { "3.4.5 --yjit without YJIT" => "--yjit", "3.4.5 no-jit, RUBYOPT=--yjit" => "RUBYOPT",
      "3.4.5 without YJIT, RUBY_YJIT_ENABLE=1" => "RUBY_YJIT_ENABLE" }.each do |text, what|
      error = assert_raises(Mohs::StudyError, Mohs::UsageError) { asked.call(text) }
      assert_match(/: #{what} .* without Y?JIT\.\z/, error.message)
    end
  end

  # A machine with Rubies of each engine.
  MANY = Mohs::FakeRubies.new(
    *Mohs::FakeRubies.usual.all,
    Mohs::FakeRubies.ruby("4.0.5", flags: %w[--yjit --zjit]),
    Mohs::FakeRubies.ruby("truffleruby-25.0.0", engine: "truffleruby", version: "25.0.0")
  )

  # Rubies of which only the path is known, beside those that are found by name.
  class NamedByPath < Mohs::FakeRubies
    AT = { "/mine/bin/ruby" => "4.1.0dev", "/other/bin/ruby" => "3.4.5" }.freeze

    def find(spec)
      name = AT[spec] or return super
      Mohs::FakeRubies.ruby(name, path: spec, flags: %w[--yjit])
    end
  end

  test "a Ruby that was given by its path is that one, whatever others are called" do
    study = build(rubies: NamedByPath.new(*MANY.all),
                  variants: ["/mine/bin/ruby", "/mine/bin/ruby --yjit", "/other/bin/ruby",
                             "3.4.5", "/rubies/3.4.5/bin/ruby --yjit"])

    assert_equal({ "/mine/bin/ruby" => "/mine/bin/ruby",
                   "/mine/bin/ruby --yjit" => "/mine/bin/ruby",
                   "/other/bin/ruby" => "/other/bin/ruby", "3.4.5" => "3.4.5",
                   "3.4.5 --yjit" => "3.4.5" },
                 study.variants.to_h { |variant| [variant.name, variant.ruby] })
  end

  test "an engine whose own JIT is on without a flag has no variant without YJIT" do
    { "jruby-9.4.14.0" => ["JRuby", "-X-C"],
      "truffleruby-25.0.0" => ["TruffleRuby", "--engine.Compilation=false"] }
      .each do |name, (title, flag)|
        own = app(ruby: name, ruby_source: ".ruby-version")
        refused = lambda do |*variants|
          assert_raises(Mohs::UsageError) { build(app: own, rubies: MANY, variants:) }.message
        end

        assert_match(/\A#{name} without YJIT: #{title} .*: "#{name} #{flag}"\z/,
                     refused.call(name, "#{name} without YJIT"))
        assert_includes refused.call("yours", "#{name} no-zjit"), "#{title} has no ZJIT. To"
        assert_includes refused.call("yours", "without JIT"), "without JIT: #{title}'s JIT"
        assert_equal [nil],
                     build(rubies: MANY, variants: ["#{name} #{flag}"]).variants.map(&:refusal)
      end
  end

  def compared(*variants, **declaration)
    own = app(ruby: "3.4.5", ruby_source: ".ruby-version")
    build(app: own, rubies: MANY, variants:, comparison: {}, **declaration)
  end

  # How they are the same is in mistakes-same.txt.
  SAME = [
    ["yours", "own-jit"], ["3.4.5 own-jit", "yours"], ["3.4.5 --yjit-disable", "yours"],
    ["3.4.5 --jit", "3.4.5 --yjit"], ["a::3.4.5 --yjit", "3.4.5 --enable=yjit"],
    ["3.1.2 --jit", "3.1.2 --yjit"], ["4.0.5 --jit", "4.0.5 --yjit"],
    ["4.0.5 --zjit", "4.0.5, RUBY_ZJIT_ENABLE=1"],
    ["3.4.5 --yjit-call-threshold=5", "3.4.5 --jit --yjit-call-threshold=5"],
    ["3.4.5", "3.4.5 --disable-yjit"], ["3.4.5", "3.4.5 --disable=jit"],
    ["3.4.5", "3.4.5 --disable=yjit"], ["2.7.4", "2.7.4 --disable-jit"],
    ["3.4.5 without YJIT", "3.4.5 no-rjit"], ["3.4.5", "3.4.5, RUBY_YJIT_ENABLE=0"],
    ["3.1.2", "3.1.2 own-jit"], ["jruby-9.4.14.0", "jruby-9.4 own-jit"],
    ["jruby-9.4", "jruby-9.4, RUBY_YJIT_ENABLE=1"], ["truffleruby", "truffleruby own-jit"],
    ["2.7.4 --jit", "2.7.4 --enable=jit"], ["3.4", "3.4.5"], ["3.4.5, puma", "3.4.5, puma:1x5"],
  ].freeze

  test "two variants that are the same in different words are not compared" do
    told = SAME.to_h do |variants|
      error = assert_raises(Mohs::UsageError, variants) { compared(*variants) }
      [variants.join(" | "), error.message]
    end
    assert_told "mistakes-same", told
    both = assert_raises(Mohs::UsageError) do
      compared("3.4.5", "3.4.5 --yjit", env: { "RUBYOPT" => "--yjit" })
    end
    assert_said(both.message)
  end

  test "what differs is compared, and so is the same notation under two names" do
    [["a::3.4.5", "b::3.4.5"], ["3.4.5", "yours"], ["3.4.5", "3.4.5 --yjit-disable"],
     ["2.7.4", "2.7.4 --jit"], ["3.1.2 --jit", "3.1.2 --mjit"], ["4.0.5 --zjit", "4.0.5 --jit"],
     ["4.0.5", "4.0.5 --zjit --disable-yjit"], ["jruby-9.4", "jruby-9.4 -X-C"],
     ["3.4.5 --yjit", "3.4.5 --yjit --yjit-call-threshold=5"],
     ["3.4.5 --yjit", "3.4.5 --yjit-disable, RUBY_YJIT_ENABLE=1"],
     ["3.4.5 own-jit", "3.4.5 own-jit, RUBY_YJIT_ENABLE=0"], # the application may read it
     ["4.0.5 --disable-yjit, RUBY_ZJIT_ENABLE=1", "4.0.5"],
     ["2.7.4 --jit --disable-mjit", "2.7.4"],
     ["3.1.2 --yjit-disable", "3.1.2"]].each do |variants|
      assert_equal 2, compared(*variants).variants.size, variants
    end
    question = Mohs::Track::Question.new(Mohs::Track::History.new(name: "a"))
    study = compared("reference::3.4.5", "now::puma:1x5", comparison: { question: })

    assert_equal 2, study.variants.size
  end

  test "a variant that asks for the JIT of the application has it" do
    assert_equal({ "yours" => true, "3.1.2 own-jit" => true, "3.4.5 --yjit" => false },
                 own_jits("yours", "3.1.2 own-jit", "3.4.5 --yjit"))
    assert_equal({ "3.4.5 --yjit-disable" => true }, own_jits("3.4.5 --yjit-disable"))
    assert_equal({ "3.4.5, RUBYOPT=--yjit-disable" => true },
                 own_jits("3.4.5, RUBYOPT=--yjit-disable"))
    assert_equal({ "3.4.5" => true, "3.4.5, puma:2x5" => true, "3.4.5 without YJIT" => false },
                 own_jits("3.4.5", "puma:2x5", "3.4.5 without YJIT", own_jit: true))
    assert_equal({ "3.4.5 --disable-yjit" => false },
                 own_jits("3.4.5 --disable-yjit", own_jit: true))
    assert_equal({ "3.4.5 --disable-rjit" => true },
                 own_jits("3.4.5 --disable-rjit", own_jit: true))
    error = assert_raises(Mohs::UsageError, Mohs::StudyError) do
      own_jits("3.4.5 own-jit", env: { "RUBYOPT" => "-W0 --disable-yjit" })
    end
    assert_match(/RUBYOPT .*JIT off/, error.message)
  end

  test "a named baseline is measured, so it is not among what is left out" do
    names = lambda do |baseline, **options|
      study = build(baseline:, **options)
      assert_equal baseline, study.baseline
      assert_includes study.variants.map(&:name), baseline
      study.omitted.map { |one| one[:name] }
    end

    assert_equal ["2.7.4", "3.1.2 --mjit"], names.call("3.4.5").first(2)
    refute_includes names.call("2.7.4"), "2.7.4"
    assert_includes names.call("2.7.4"), "2.7.4 --jit"
    assert_includes names.call("2.7.4 --jit"), "2.7.4"
    refute_includes names.call("2.7.4 --jit"), "2.7.4 --jit"
    refute_includes names.call("3.1.2 --mjit"), "3.1.2 --mjit"
  end

  test "a named baseline that the Gemfile forbids is not among what --all leaves out" do
    forbidding = app(ruby_requirements: Mohs::App::RubyRequirement.all(gemfile: 'ruby "< 3.4"'))

    assert_empty build(app: forbidding, all: true, baseline: "3.4.5").omitted
  end

  test "what the Gemfile forbids is not chosen, but measured where it is named" do
    forbidding = app(ruby_requirements: Mohs::App::RubyRequirement.all(gemfile: 'ruby "< 3.4"'))

    assert_equal ["3.1.2", "3.1.2 --yjit"], build(app: forbidding).variants.map(&:name)
    assert_equal %w[3.4.5], build(app: forbidding, variants: %w[3.4.5]).variants.map(&:name)
    all = build(app: forbidding, all: true)
    refute_includes all.variants.map(&:ruby), "3.4.5"
    assert_equal ["3.4.5"], all.omitted.map { |one| one[:name] }
    assert_includes all.omitted.first[:why], 'ruby "< 3.4" in the Gemfile'
  end

  test "what the Gemfile forbids and the person named is known as such" do
    forbidding = app(ruby_requirements: Mohs::App::RubyRequirement.all(gemfile: 'ruby "< 3.4"'))
    named = ->(*variants) { build(app: forbidding, variants:).forbidden }

    assert_equal [{ name: "3.4.5", why: 'ruby "< 3.4" in the Gemfile' }],
                 named.call("3.1.2", "3.4.5", "3.4.5 --yjit")
    assert_empty named.call("3.1.2")
    assert_empty build(app: forbidding).forbidden
    gemspec = app(ruby_requirements: Mohs::App::RubyRequirement.all(
      gemspecs: { "a.gemspec" => 's.required_ruby_version = "< 3.4"' }
    ))
    assert_empty build(app: gemspec, variants: %w[3.1.2 3.4.5]).forbidden, "refused"
  end

  test "what the application's own gemspec forbids is refused in the plan, not when it installs" do
    text = 's.required_ruby_version = ">= 3.2"'
    files = [{ gemspecs: { "a.gemspec" => text } }, { gemfile: 'ruby ">= 3.2"' }]
    gemspec, line = files.map do |some|
      app(ruby_requirements: Mohs::App::RubyRequirement.all(**some))
    end
    refusals = lambda do |app, *variants|
      build(app:, variants:).variants.map { |variant| variant.refusal&.summary }
    end

    assert_equal ['required_ruby_version ">= 3.2" in a.gemspec does not allow 3.1.2', nil],
                 refusals.call(gemspec, "3.1.2", "3.4.5")
    # mohs ignores the Gemfile's line, so that any Ruby can be measured.
    assert_equal [nil, nil], refusals.call(line, "3.1.2", "3.4.5")
  end

  test "the name ruby is the application's own Ruby, not the newest or the first on PATH" do
    names = lambda do |**facts|
      build(app: app(**facts), variants: ["ruby", "ruby --yjit"]).variants.map(&:name)
    end
    newer = Mohs::App::RubyRequirement.all(gemfile: 'ruby "> 3.3"')
    older = Mohs::App::RubyRequirement.all(gemfile: 'ruby "< 3.3"')

    assert_equal ["3.1.2", "3.1.2 --yjit"], names.call(ruby_requirements: older)
    assert_equal ["3.4.5", "3.4.5 --yjit"], names.call(ruby_requirements: newer)
    assert_equal ["3.4.5", "3.4.5 --yjit"], names.call(ruby: "3.4.5", ruby_source: ".ruby-version")
  end

  test "all: every Ruby with each of its JIT flags, on Puma" do
    study = build(all: true)

    assert_equal ["2.7.4", "2.7.4 --jit", "3.1.2", "3.1.2 --yjit", "3.1.2 --mjit", "3.4.5",
                  "3.4.5 --yjit",
                  "3.4.5 --rjit", "jruby-9.4.14.0", "jruby-10.0.2.0"], study.variants.map(&:name)
    served = study.variants.map { |one| [one.server, one.processes, one.threads] }
    assert_equal [["puma", 1, 5]], served.uniq
    assert_equal ["GET /"], study.requests.map(&:to_s)
  end

  test "variants are the person's where they were written down, not where all were asked for" do
    matrix = Mohs::Study::Matrix.new(rubies: %w[3.1.2 3.4.5])
    named = [build, build(all: true), build(variants: %w[3.1.2]), build(matrix:)].map(&:named)

    assert_equal [false, false, true, true], named
  end

  test "a Ruby that does not start stays, with the reason" do
    refused = build(all: true).variants.select(&:refusal)

    assert_equal [["jruby-10.0.2.0", "needs Java 21, found 17"]],
                 refused.map { |variant| [variant.name, variant.refusal.summary] }
  end

  test "the baseline is the app's own Ruby, else the first on PATH" do
    own = build(app: app(ruby: "3.4.5", ruby_source: ".ruby-version"))
    path = build(app: app(ruby: "3.2.0", ruby_source: ".ruby-version"))

    assert_equal ["3.4.5", ".ruby-version"], [own.baseline, own.baseline_reason]
    assert_equal "3.1.2", path.baseline
    assert_match(/PATH; \.ruby-version says 3\.2\.0, .*not installed\z/, path.baseline_reason)
  end

  test "variants that were written are all there is, the first of them the baseline" do
    study = build(variants: ["3.4.5 --yjit", "2.7, puma:2x3, A=1", "falcon:2"])

    assert_equal ["3.4.5 --yjit", "2.7.4, puma:2x3, A=1", "3.1.2, falcon:2"],
                 study.variants.map(&:name)
    assert_equal "3.4.5 --yjit", study.baseline
    assert_equal [2, 3, { "A" => "1" }],
                 study.variants[1].to_h.values_at(:processes, :threads, :env)
    assert_equal ["falcon", 2, nil], study.variants[2].to_h.values_at(:server, :processes, :threads)
  end

  test "the baseline says which variant it replaces, if the first is refused" do
    study = build(variants: %w[jruby-10.0.2.0 3.4.5])

    assert_equal ["3.4.5", "jruby-10.0.2.0 is refused"], [study.baseline, study.baseline_reason]
    assert_said(build(variants: %w[3.4.5 jruby-10.0.2.0]).baseline_reason)
  end

  test "no secret stands in a variant's name" do
    study = build(variants: ["SHOP_KEY=hunter2, URL=redis://:hunter2@h"])

    assert_equal ["3.1.2, SHOP_KEY=[secret], URL=redis://:[secret]@h"], study.variants.map(&:name)
    assert_equal "hunter2", study.variants.first.env["SHOP_KEY"]
  end

  test "a variant that names no Ruby gets the app's own" do
    study = build(app: app(ruby: "3.4.5", ruby_source: "Gemfile"), variants: ["puma:2x5"])

    assert_equal "3.4.5", study.variants.first.ruby
  end

  test "a configuration file says the numbers itself: none may be written beside it" do
    with_files("big.rb" => "") do |dir|
      variant = build(app: app(dir:), variants: ["big.rb"]).variants.first
      assert_equal ["puma", nil, nil], variant.to_h.values_at(:server, :processes, :threads)
      refused = build(app: app(dir:), variants: ["3.1.2", "falcon, big.rb"]).variants.last.refusal
      assert_equal ["server_config", "falcon"], [refused.code, refused.values[:server]]

      error = assert_raises(Mohs::UsageError) { build(app: app(dir:), variants: ["puma:2x5, big.rb"]) }
      assert_match(/\Abig\.rb .*: write puma instead of puma:2x5\.\z/, error.message)
    end
  end

  test "a server that already runs is its address, and nothing beside it" do
    study = build(variants: ["3.1.2", "http://localhost:3000/", "mine::http://127.0.0.1:3000"])
    first, second = study.variants.last(2)

    assert_equal [%w[http://127.0.0.1:3000 http://127.0.0.1:3000], %w[mine http://127.0.0.1:3000]],
                 ([first, second].map { |one| [one.name, one.url] })
    assert first.same_as?(second)
    assert_includes first.difference(study.variants.first), "url"
    assert_equal [4, nil], [study.load_connections, first.ruby]
    ["3.4.5", "--yjit", "puma", "A=1", "Gemfile"].each do |more|
      error = assert_raises(Mohs::UsageError) { build(variants: ["http://127.0.0.1:3000, #{more}"]) }
      assert_match(/\Ahttp:.* running, .*combined/, error.message)
    end
  end

  test "a baseline is found by name or by what it is, and else is added" do
    assert_equal "fast", build(variants: ["2.7.4", "fast::3.4.5"], baseline: "fast").baseline
    assert_equal "fast", build(variants: ["2.7.4", "fast::3.4.5"], baseline: "3.4").baseline
    added = build(variants: ["2.7.4"], baseline: "3.4.5 --yjit")

    assert_equal "3.4.5 --yjit", added.baseline
    assert_equal ["2.7.4", "3.4.5 --yjit"], added.variants.map(&:name)
    first = build(variants: ["2.7.4"])
    assert_equal [true, false], [added, first].map(&:baseline_named)
  end

  test "whoever named the baseline is its reason" do
    reasons = [{}, { baseline_from: "study.yml" }].map do |from|
      build(variants: ["2.7.4", "3.4.5"], baseline: "3.4.5", **from).baseline_reason
    end

    assert_equal ["as asked", "from study.yml"], reasons
  end

  test "a baseline that can't run is a mistake" do
    error = assert_raises(Mohs::UsageError) { build(baseline: "jruby-10") }

    assert_match(/\Athe baseline .*: jruby-10\.0\.2\.0: needs Java 21, found 17\z/, error.message)
  end

  test "where nothing can run, each reason is told" do
    error = assert_raises(Mohs::EnvironmentError) { build(variants: ["jruby-10", "2.7.4 --yjit"]) }

    assert_said(error.message)
  end

  test "a flag or a server that the Ruby can't take refuses the variant, not the study" do
    study = build(variants: ["3.1.2", "3.1.2 --rjit", "jruby-9.4, unicorn:2", "3.4.5 -W0"])

    assert_equal [nil, "flags_unknown", "server_engine", nil],
                 study.variants.map { |one| one.refusal&.code }
  end

  test "a variant's own load is a part of its name and of what differs" do
    own, plain = build(variants: ["get=/own?key=abc, close, connections=6", "3.1.2"]).variants

    assert_equal ["3.1.2, connections=6, get=/own?key=[secret], close", 6, "/own?key=abc", true],
                 [own.name, own.connections, own.get, own.close]
    assert_equal %w[connections get close], own.difference(plain)
  end

  test "a rate of its own too, but not where load has an order" do
    rated, plain = build(variants: ["rate=200", "3.1.2"]).variants
    stored = JSON.parse(rated.to_h.to_json, symbolize_names: true)

    assert_equal ["3.1.2, rate=200", 200], [rated.name, rated.rate]
    assert_equal %w[rate], rated.difference(plain)
    assert_equal [200], build(variants: ["rate=200", "rate=300, 3.4.5 --mjit", "3.1.2"]).rates
    assert_equal rated, Mohs::Study::Variant.from_h(stored)
    { jobs: Mohs::Study::Jobs.parse,
      scenario: Mohs::Study::ScenarioFile.new(path: "/a.yml", digest: "a"),
      cold_start: Mohs::Study::ColdStart.parse("64x9") }.each do |key, value|
      error = assert_raises(Mohs::UsageError) do
        build(variants: ["rate=200", "3.1.2"], key => value)
      end
      assert_match(/\A3\.1\.2, rate=200: leave out rate=200: /, error.message, key)
    end
  end

  test "two are compared at one rate, but not by what is served" do
    compare = lambda do |*rates, **comparison|
      build(variants: ["3.1.2", "3.4.5"].zip(rates).map { |pair| pair.compact.join(", ") },
            comparison:)
    end
    cpu = Mohs::Compare::Condition.parse("cpu < +2%")
    served = Mohs::Compare::Condition.parse("throughput > -2%")

    assert_equal [200, 200], compare.call("rate=200", "rate=200", metric: "p99").rates
    assert_equal [200, 200], compare.call("rate=200", "rate=200", metric: "p99", gates: [cpu]).rates
    gated = { metric: "cpu", gates: [cpu],
              question: Mohs::Gate::Question.new(fails: 0.01, holds: 0.05) }
    assert_equal [200, 200], compare.call("rate=200", "rate=200", **gated).rates
    [[{}, 200], [{ metric: "p99", gates: [served] }, 200], [{ metric: "p99" }, 300],
     [{ metric: "p99" }, nil]].each do |comparison, other|
      error = assert_raises(Mohs::UsageError, comparison) do
        compare.call("rate=200", other && "rate=#{other}", **comparison)
      end
      assert_match(other == 200 ? /requests.s can't decide/ : /the load/, error.message)
    end
  end

  test "a comparison that takes no rate names the commands whose comparisons do" do
    point = Mohs::Track::History.new(name: "shop", reference: "@v1", reference_id: "@v1",
                                     commit: "c0ffee", check: false)
    error = assert_raises(Mohs::UsageError) do
      build(variants: ["3.1.2, rate=200", "3.4.5, rate=200"],
            comparison: { metric: "p99", question: Mohs::Track::Question.new(point) })
    end

    assert_equal %w[compare gate], error.message.scan(/mohs (\w+)/).flatten
  end

  test "a server's options stand behind it in the name, and refuse a server that lacks them" do
    texts = ["puma:2x2 preload unix", "webrick unix", "webrick preload", "puma preload", "unix"]
    variants = build(variants: texts).variants.to_h { |variant| [variant.name, variant] }

    both = variants.fetch("3.1.2, puma:2x2 preload unix")
    assert_equal [true, true, nil], [both.preload, both.unix, both.refusal]
    assert_equal [false, true, nil],
                 variants.fetch("3.1.2, unix").then { |one| [one.preload, one.unix, one.refusal] }
    codes = ["webrick unix", "webrick preload", "puma preload"].map do |name|
      variants.fetch("3.1.2, #{name}").refusal.code
    end
    assert_equal %w[server_unix server_preload server_preload], codes
    plain = build(variants: ["puma:2x2"]).variants.first
    assert_equal %w[preload unix], both.difference(plain)
    again, never = build(variants: ["pitchfork:2 refork", "unicorn:2 refork"]).variants
    assert_equal [true, nil], [again.refork, again.refusal]
    assert_equal "server_refork", never.refusal.code
  end

  test "what stands in front is part of the name, and refused where it can't stand there" do
    texts = ["puma:1x5, thruster", "puma:1x5 unix, thruster", "jruby-9.4, puma, thruster",
             "puma:1x5", "webrick unix, thruster"]
    able, *refused, plain, webrick = build(variants: texts).variants

    assert_equal ["3.1.2, puma:1x5, thruster", "thruster", nil],
                 [able.name, able.front, able.refusal]
    assert_equal %w[front_unix front_engine], refused.map { |one| one.refusal.code }
    assert_equal ["server_unix", nil, ["front"]],
                 [webrick.refusal.code, plain.front, able.difference(plain)]
    again = Mohs::Study::Variant.from_h(JSON.parse(JSON.generate(able.to_h), symbolize_names: true))
    assert_equal able, again
  end

  test "a configuration file may listen on a unix socket, and says itself what is preloaded" do
    with_files("big.rb" => "") do |dir|
      texts = ["big.rb, unix", "big.rb, preload"]
      socket, preload = build(app: app(dir:), variants: texts).variants

      assert_equal [true, nil], [socket.unix, socket.refusal]
      assert_equal ["server_preload", "big.rb"],
                   [preload.refusal.code, preload.refusal.values[:config]]
    end
  end

  test "two variants of one name are a mistake that says what to type" do
    error = assert_raises(Mohs::UsageError) { build(variants: ["3.4.5", "3.4"]) }

    assert_includes error.message, '"first::3.4.5"'
  end

  test "a level of a matrix has a server's options too" do
    matrix = Mohs::Study::Matrix.new(rubies: %w[3.1.2], servers: ["puma:2x5 preload", "puma:2x5"])

    assert_equal [["3.1.2, puma:2x5 preload", true], ["3.1.2, puma:2x5", false]],
                 build(matrix:).variants.map { |variant| [variant.name, variant.preload] }
    error = assert_raises(Mohs::UsageError) { Mohs::Study::Notation.of_server("puma preloaded") }
    assert_match(/\Apuma preloaded: .*Did you mean preload\?\z/, error.message)
  end

  test "a matrix is every combination" do
    matrix = Mohs::Study::Matrix.new(rubies: ["3.4", "2.7"], flags: ["", "--yjit"],
                                     servers: ["puma:1x5", "falcon:1"])
    names = build(matrix:).variants.map(&:name)

    assert_equal 8, names.size
    assert_includes names, "3.4.5 --yjit, falcon:1"
  end

  test "with nothing and with something in front is a factor of a matrix" do
    matrix = Mohs::Study::Matrix.new(rubies: %w[3.1.2], servers: %w[puma:1x5 falcon:1],
                                     front: ["", "thruster"])

    assert_equal ["3.1.2, puma:1x5", "3.1.2, puma:1x5, thruster", "3.1.2, falcon:1",
                  "3.1.2, falcon:1, thruster"], build(matrix:).variants.map(&:name)
  end

  test "all servers with all Rubies and flags are a cell each, also where mohs refuses them" do
    variants = build(matrix: Mohs::Study::Matrix.new(servers: "all", flags: "all")).variants
    offered = Mohs::Servers.all.reject { |server| server::FOR_TESTS }.map(&:label)
    rjit, mizuno = ["3.4.5 --rjit, puma", "3.4.5, mizuno"].map do |name|
      variants.find { |variant| variant.name == name }
    end

    assert_equal offered, variants.map(&:server).uniq
    assert_equal variants.map(&:ruby).tally, variants.map(&:ruby).tally.to_h { |ruby, _|
      [ruby, offered.size * variants.select { |one| one.ruby == ruby }.map(&:flags).uniq.size]
    }
    assert_nil rjit.refusal
    assert_equal ["server_engine", { server: "mizuno", engine: "ruby" }], mizuno.refusal.cause
  end

  test "factors of a matrix that nobody named are those of an empty one" do
    assert_equal Mohs::Study::Matrix.new, Mohs::Study::Matrix.new(rubies: nil, servers: nil)
  end

  test "what is wrong with a level is told with the matrix as its place" do
    error = assert_raises(Mohs::StudyError) do
      build(matrix: Mohs::Study::Matrix.new(rubies: %w[3.1.2], servers: ["pumma:2"]))
    end

    assert_match(/\Amatrix: unknown server "pumma"/, error.message)
  end

  test "what is wrong with a variant of a file is told with its place" do
    declaration = { variants: [["variants/2", notation("3.9")]], seed: 1 }
    error = assert_raises(Mohs::StudyError) do
      Mohs::Study::Builder.new(app:, rubies: Mohs::FakeRubies.usual).call(declaration)
    end

    assert_match(%r{\Avariants/2: .*"3\.9"}, error.message)
  end

  test "the declared rest is taken over, and a seed drawn where there is none" do
    request = Mohs::App::Request.build(path: "/a")
    study = build(requests: [request], connections: 2, rounds: 5, budget_s: 60.0,
                  env: { "A" => "1" }, own_config: true)

    assert_equal [request], study.requests
    assert_equal [2, 5, 60.0, { "A" => "1" }, true],
                 study.to_h.values_at(:connections, :rounds, :budget_s, :env, :own_config)
    assert_kind_of Integer, build(seed: nil).seed
  end

  test "of two variants to compare the other one is the candidate, and its rules survive JSON" do
    study = build(variants: %w[3.1.2 3.4.5], comparison: { margin: 0.02 })
    turned = build(variants: %w[3.1.2 3.4.5], baseline: "3.4.5", comparison: {})

    assert_equal ["3.4.5", 0.02, "throughput", false, []],
                 study.rules.to_h.values_at(:candidate, :margin, :metric, :quick, :gates)
    assert_equal "3.1.2", turned.rules.candidate
    assert_equal study, Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h),
                                                      symbolize_names: true))
  end

  test "the seed is the one declared, and the application's configuration is left out" do
    assert_equal [7, false], build(seed: 7).to_h.values_at(:seed, :own_config)
  end

  test "a machine without a working Ruby is told so" do
    reason = Mohs::Reason.parse("no libc")
    broken = Mohs::FakeRubies.new(Mohs::FakeRubies.ruby("3.1.2", state: :broken, reason:))

    assert_raises(Mohs::EnvironmentError) { build(rubies: broken) }
  end

  test "the shield is over servers that mohs starts, and cores are those of this machine" do
    study = build(shield: true, cores: 1)

    assert_equal [true, 1], study.to_h.values_at(:shield, :cores)
    assert_equal [false, nil], build.to_h.values_at(:shield, :cores)
    assert_equal study, Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h),
                                                      symbolize_names: true))
    guests = %w[3.1.2 http://127.0.0.1:3000]
    assert_match(%r{http://127.0.0.1:3000 runs already.*--shield},
                 assert_raises(Mohs::UsageError) { build(shield: true, variants: guests) }.message)
    assert_raises(Mohs::UsageError) { build(cores: 100_000) }
  end

  test "load from another machine is for servers that listen where it finds them" do
    from = Mohs::Study::LoadFrom.parse("lab@b", listen: "10.0.0.2")
    study = build(load_from: from)

    assert_equal({ host: "lab@b", listen: "10.0.0.2" }, study.to_h[:load_from])
    assert_equal study, Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h),
                                                      symbolize_names: true))
    { "http://127.0.0.1:3000" => /lab@b .*runs already/,
      "puma unix" => /unix socket/ }.each do |variant, message|
      variants = ["3.1.2", variant]
      error = assert_raises(Mohs::UsageError) { build(load_from: from, variants:) }
      assert_match message, error.message
    end
    ["", "-oProxyCommand=x", "a b"].each do |host|
      assert_raises(Mohs::UsageError) { Mohs::Study::LoadFrom.parse(host) }
    end
    assert_raises(Mohs::UsageError) { Mohs::Study::LoadFrom.parse("b", listen: "eth0") }
  end

  test "profiles are of servers that mohs starts" do
    assert_equal [true, nil, nil],
                 [build(profile: true), build(profile: false), build].map(&:profile)
    assert_match(%r{http://127.0.0.1:3000 runs already.*Leave out profile},
                 assert_raises(Mohs::UsageError) {
                   build(profile: true, variants: %w[3.1.2 http://127.0.0.1:3000])
                 }.message)
  end

  test "what a warm-up may take is part of the study, and of its kind" do
    study = build(warm_up_s: 30.0)
    again = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

    assert_equal [30.0, 30.0], [again.warm_up_s, again.kind[:warm_up_s]]
    assert_nil build.warm_up_s
  end

  test "a cold start is of servers that mohs starts" do
    cold_start = Mohs::Study::ColdStart.parse("64x1024")
    study = build(cold_start:)

    assert_equal [cold_start, 65_536], [study.cold_start, study.cold_start.total]
    assert_equal study, Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h),
                                                      symbolize_names: true))
    guests = %w[3.1.2 http://127.0.0.1:3000]
    assert_match(%r{http://127.0.0.1:3000 runs already.*cold_start},
                 assert_raises(Mohs::UsageError) { build(cold_start:, variants: guests) }.message)
  end

  test "a scenario is stored by its file and excludes what cuts or replaces requests" do
    scenario = Mohs::Study::ScenarioFile.new(path: "/srv/forum.yml", digest: "ab12")
    study = build(scenario:)
    fault = lambda do |**declaration|
      assert_raises(Mohs::UsageError) { build(scenario:, **declaration) }.message
    end

    assert_equal [scenario, "forum.yml"], [study.scenario, study.scenario.name]
    assert_equal study, Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h),
                                                      symbolize_names: true))
    assert_equal scenario, study.map_secrets(&:itself).scenario
    assert_match(/excludes cold_start/, fault.call(cold_start: Mohs::Study::ColdStart.parse("64x9")))
    assert_match(%r{excludes get=/own}, fault.call(variants: ["3.1.2, get=/own"]))
    assert_match(/excludes jobs/, fault.call(jobs: Mohs::Study::Jobs.parse))
    assert_match(/excludes login/, fault.call(login: Mohs::Study::Credentials.parse("ann:secret")))
  end
end

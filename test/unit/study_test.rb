# frozen_string_literal: true

require "test_helper"
require "json"

class StudyTest < Mohs::TestCase
  def study(**changes)
    variant = Mohs::Study::Variant.new(name: "3.4.5", ruby: "3.4.5", server: "puma",
                                       processes: 1, threads: 5,
                                       env: { "MALLOC_ARENA_MAX" => "2" })
    request = Mohs::App::Request.build(path: "/products", headers: { "X-Shop" => "one" })
    Mohs::Study.new(app: "/srv/shop", requests: [request], variants: [variant], baseline: "3.4.5",
                    baseline_reason: ".ruby-version", seed: 7, env: { "A" => "b" },
                    own_config: false, **changes)
  end

  test "it survives JSON, names of variables and headers included" do
    again = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

    assert_equal study, again
    assert_equal({ "A" => "b" }, again.env)
    assert_equal({ "X-Shop" => "one" }, again.requests.first.headers)
    assert_equal({ "MALLOC_ARENA_MAX" => "2" }, again.variant("3.4.5").env)
  end

  test "measured for its profile it is no reproduction, and has no cold start" do
    cold_start = Mohs::Study::ColdStart.parse("64x8")
    names = %w[3.4.5 3.3.8]
    variants = names.map do |name|
      Mohs::Study::Variant.new(name:, ruby: name, server: "puma", processes: 1, threads: 5)
    end
    declared = study(published: { name: "shop-2023" }, cold_start:, variants:)
    sampled = declared.profiled(names, rounds: 3)

    assert_equal [nil, nil, true, 3],
                 [sampled.published, sampled.cold_start, sampled.profile, sampled.rounds]
    assert_equal [names, names.first], [sampled.variants.map(&:name), sampled.baseline]
  end

  test "settings of a tuning are profiled with the connections that kept their threads busy" do
    variants = [[1, 5], [2, 3]].map do |processes, threads|
      name = "#{processes}x#{threads}"
      Mohs::Study::Variant.new(name:, server: "puma", processes:, threads:)
    end
    limit = Mohs::Load::Limit.parse("p99 < 200ms")
    tuning = study(variants:, rules: Mohs::Tune::Rules.new(limit:))
    sampled = tuning.profiled(%w[1x5 2x3], rounds: 3)

    assert_equal [5, 22], sampled.variants.map { |one| sampled.connections_of(one) }
    assert_kind_of Mohs::Rounds::Procedure, sampled.procedure
    given = study(variants:, rules: tuning.rules, connections: 16).profiled(%w[1x5 2x3], rounds: 3)
    assert_equal [16, 16], given.variants.map { |one| given.connections_of(one) }
  end

  test "it is frozen" do
    assert_predicate study, :frozen?
    assert_predicate study.variants.first, :frozen?
  end

  test "connections are as declared, else no more than the smallest variant has threads" do
    assert_equal 4, study.load_connections
    assert_equal 32, study(connections: 32).load_connections
    small = Mohs::Study::Variant.new(name: "small", processes: 2, threads: 1)
    assert_equal 2, study(variants: study.variants + [small]).load_connections
    fibers = Mohs::Study::Variant.new(name: "fibers", processes: 1, threads: nil)
    assert_equal 4, study(variants: [fibers]).load_connections
  end

  test "a variant with connections of its own shares no number with the others" do
    own = Mohs::Study::Variant.new(name: "own", processes: 1, threads: 1, connections: 6)
    both = study(variants: study.variants + [own])

    assert_equal [4, 6], both.variants.map { |one| both.connections_of(one) }
    assert_equal [4, nil], [study.shared_connections, both.shared_connections]
  end

  test "a path of its own is asked for with the headers that all requests have" do
    own = Mohs::Study::Variant.new(name: "own", get: "/own?key=abc")
    post = Mohs::App::Request.build(method: "POST", path: "/b", body: "a=b",
                                    headers: { "X-Shop" => "one" }, confidential: ["X-Shop"])
    both = study(variants: study.variants + [own], requests: [*study.requests, post])

    assert_equal both.requests, both.requests_of(both.variants.first)
    assert_equal [Mohs::App::Request.build(path: "/own?key=abc", headers: { "X-Shop" => "one" },
                                           confidential: ["X-Shop"])], both.requests_of(own)
    assert_equal both.secrets, Mohs::Study.from_h(JSON.parse(JSON.generate(both.to_h),
                                                             symbolize_names: true)).secrets
    assert_includes both.secrets, "one"
    assert_includes both.secrets, "abc"
    assert_equal "/own?key=-", both.map_secrets { "-" }.variant("own").get
  end

  test "a variant's own path is asked with the text that all requests expect" do
    variants = [variant(name: "own", get: "/own")]
    requests = lambda do |*expected|
      expected.map { |expect| Mohs::App::Request.build(path: "/", expect:) }
    end
    found = [%w[shop shop], ["shop", nil]].map do |expected|
      study = study(requests: requests.call(*expected), variants:)
      study.requests_of(variants.first).first.expect
    end

    assert_equal ["shop", nil], found
  end

  test "a variant has none of a server's options unless it says so" do
    plain = Mohs::Study::Variant.new(name: "a")
    assert_equal [false, false, false, "ruby", [], {}],
                 plain.to_h.values_at(:preload, :unix, :refork, :engine, :flags, :env)
  end

  test "one process is as good as none said" do
    assert_equal 3, Mohs::Study::Variant.new(name: "a", threads: 3).slots
    refute study.variants.first.same_as?(variant(refusal: Mohs::Reason.parse("does not start")))
  end

  test "two variants are the same thing when only their names differ" do
    one = study.variants.first
    other = Mohs::Study::Variant.new(**one.each_pair.to_h, name: "other")

    assert one.same_as?(other)
    refute one.same_as?(Mohs::Study::Variant.new(**one.each_pair.to_h, threads: 6))
  end

  def variant(**changes)
    Mohs::Study::Variant.new(**study.variants.first.each_pair.to_h, **changes)
  end

  test "what was declared to differ is told by name" do
    other = variant(ruby: "3.3.8", engine: "ruby", flags: ["--yjit"], gemfile: "Gemfile.next",
                    revision: { typed: "@main", commit: "a" * 40 }, env: {}, name: "other")

    assert_equal %w[ruby flags env revision gemfile], variant.difference(other)
    assert_equal %w[ruby flags env revision gemfile], other.difference(variant)
    assert_empty variant.difference(variant(name: "other",
                        refusal: Mohs::Reason.parse("no reason to differ")))
    assert_equal %w[server processes threads config],
                 variant.difference(variant(server: "falcon", processes: 2, threads: nil,
                                            config: "config/big.rb"))
  end

  test "the same commit under two names is no difference, another one is" do
    main, head, older = [["@main", "a"], ["@HEAD", "a"], ["@main", "b"]].map do |typed, digit|
      variant(revision: { typed:, commit: digit * 40 })
    end

    assert_empty main.difference(head)
    assert main.same_as?(head)
    refute main.same_as?(older)
    refute main.same_as?(variant)
    assert_equal ["a" * 40, nil], [head.commit, variant.commit]
  end

  test "a study that was stored before there were commits and Gemfiles is read" do
    old = JSON.parse(JSON.generate(study.to_h), symbolize_names: true)
    old[:variants].each { |hash| %i[revision gemfile config].each { |key| hash.delete(key) } }

    assert_equal study, Mohs::Study.from_h(old)
  end

  test "a refusal keeps its parts, and one that was stored as text is read" do
    reason = Mohs::Reason.new(summary: "a\nb", remedy: "c", code: "odd", values: { by: "x" })
    stored = JSON.parse(JSON.generate(variant(refusal: reason).to_h), symbolize_names: true)

    assert_equal "a\nb\nc", stored[:refusal]
    assert_equal reason, Mohs::Study::Variant.from_h(stored).refusal
    assert_equal Mohs::Reason.parse("a\nb\nc"),
                 Mohs::Study::Variant.from_h(stored.except(:refusal_parts)).refusal
  end

  test "engines that compile in the background are slow" do
    engines = %w[ruby jruby truffleruby].map { |engine| Mohs::Study::Variant.new(name: engine, engine:).slow? }

    assert_equal [false, true, true], engines
  end
end

# frozen_string_literal: true

require "test_helper"

class ReproSelectionTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

  CLAIM = "- {text: A, place: p, table: x, order: {more: jit, than: new}}\n"
  STUDY = <<~YAML
    variants:
      - "3.2.2"
      - "3.2.2 --yjit, puma:1x16"
      - "grid::3.2.2 --mjit, puma:2x2"
      - 2.7.4
    baseline: "3.2.2"
  YAML
  INSTEAD = <<~YAML
    instead:
      "3.2.2": ["3.3", "3.4"]
      "3.2.2 --yjit": ["2.7 --yjit", "3.4 --yjit"]
      "3.2.2 --mjit": ["3.4 --mjit"]
  YAML

  def of(*levels, more: INSTEAD, only: nil, study: STUDY, keys: "", **options)
    claims = "- {text: A, place: p, #{keys}order: {more: #{levels.first.inspect}, " \
             "than: #{levels.last.inspect}}}\n"
    choose(publication(claims, study:, more:), only:, **options)
  end

  test "what is installed stands for itself, under its own name" do
    choice = choose(publication(CLAIM))

    assert_equal %w[jit new old], choice.variants.map { |_, one| one.label }.sort
    assert_equal ["old", [nil, nil]], [choice.baseline, choice.tests.first.levels.map(&:used)]
    assert_equal 1, choice.testable.size
  end

  test "a Ruby is looked up once, however many levels name it" do
    rubies, asked = Mohs::FakeRubies.usual, []
    rubies.define_singleton_method(:find) { |spec| super(spec).tap { asked << spec } }
    choose(publication(CLAIM), rubies:)

    assert_equal %w[2.7.4 3.4.5], asked.sort
  end

  test "the nearest version that is installed and has the JIT stands in, in all else the same" do
    choice = of("3.2.2 --yjit, puma:1x16", "3.2.2")
    standings = choice.tests.first.levels

    assert_equal ["3.4.5 --yjit, puma:1x16", "3.4.5"], standings.map(&:variant)
    assert_equal [["3.2.2 --yjit", "3.4.5 --yjit"], ["3.2.2", "3.4.5"]],
                 standings.map { |one| [one.asked, one.used] }
    variants = choice.variants.to_h { |_, one| [one.label, one] }
    assert_equal ["3.4.5", ["--yjit"], "puma:1x16"],
                 variants.fetch("3.4.5 --yjit, puma:1x16").then { |one|
                   [one.ruby, one.flags, one.server]
                 }
    assert_equal "3.4.5", choice.baseline
  end

  test "where none is, the claim can't be tested, and its variants are not measured" do
    choice = of("grid", "3.2.2")
    obstacle = choice.tests.first.obstacle

    assert_equal ["repro_absent", [{ asked: "3.2.2 --mjit", asked_ruby: "3.2.2",
                                    tried: ["3.4 --mjit"], broken: nil }]],
                 [obstacle.code, obstacle.values[:interpreters]]
    refute_includes choice.variants.map { |_, one| one.label }, "grid"
  end

  test "a claim may allow no other Ruby in a Ruby's place" do
    found = of("grid", "3.2.2", keys: 'instead: {"3.2.2 --mjit": "3.2.2 --mjit"}, ')

    assert_equal [[]], found.tests.first.obstacle.values[:interpreters].map { |one| one[:tried] }
  end

  test "a claim may have nearest versions of its own, and a level on another Ruby says so" do
    choice = of("grid", "2.7.4", keys: 'instead: {"3.2.2 --mjit": "3.1 --mjit"}, ')

    assert_equal ["grid on 3.1.2 --mjit", "2.7.4"], choice.tests.first.levels.map(&:variant)
  end

  test "a person's own Ruby stands in first, with the flags of each level" do
    path = "/rubies/3.4.5/bin/ruby"
    choice = of("3.2.2 --yjit, puma:1x16", "3.2.2", instead: { "3.2.2" => path })
    own = of("2.7.4", "3.2.2", instead: { "2.7.4" => "3.1" })

    assert_equal ["#{path} --yjit, puma:1x16", path], choice.tests.first.levels.map(&:variant)
    assert_equal [["3.2.2 --yjit", "#{path} --yjit"], ["3.2.2", path]],
                 choice.tests.first.levels.map { |one| [one.asked, one.used] }
    assert_equal [[path, []], [path, ["--yjit"]]],
                 choice.variants.first(2).map { |_, one| [one.ruby, one.flags] }
    assert_equal [["2.7.4", "3.1.2"], ["3.2.2", "3.4.5"]],
                 own.tests.first.levels.map { |one| [one.asked, one.used] }
  end

  test "a Ruby of one's own that lacks a flag is no reason for another one" do
    found = of("grid", "3.2.2", instead: { "3.2.2" => "2.7.4" }).tests.first.obstacle

    assert_equal [{ asked: "3.2.2 --mjit", asked_ruby: "3.2.2", tried: ["2.7.4 --mjit"],
                    broken: nil }],
                 found.values[:interpreters]
  end

  test "only a Ruby of the study can be replaced, by one that is there" do
    bare = assert_raises(Mohs::UsageError) do
      choose(publication("- {text: A, place: p, order: {more: b, than: a}}\n",
                         study: 'variants: ["a::A=1", "b::A=2"]'), instead: { "foo" => "3.4.5" })
    end
    assert_match(/\Ashop-2023 .*no Ruby .*--instead\.\z/, bare.message)
    unknown = assert_raises(Mohs::UsageError) { of("2.7.4", "3.2.2", instead: { "3.2.3" => "3.4" }) }
    absent = assert_raises(Mohs::UsageError) { of("2.7.4", "3.2.2", instead: { "3.2.2" => "1.8" }) }

    assert_said(unknown.message)
    assert_includes absent.message, '"1.8"'
  end

  # 2.6 is older than 2.7.4; what stands in for it must not be newer.
  REVERSED = "variants: [\"2.6\", \"2.7.4\", \"jruby-9.1\"]\n"

  test "a stand-in on the wrong side is none, whatever it is called" do
    path = "/rubies/3.1.2/bin/ruby"
    ["3.1", path].each do |newer|
      found = of("2.7.4", "2.6", study: REVERSED, more: "instead: {\"2.6\": #{newer.inspect}}")

      assert_equal ["repro_absent", [{ asked: "2.6", asked_ruby: "2.6", tried: [], broken: nil }]],
                   found.tests.first.obstacle&.then { |one|
                     [one.code, one.values[:interpreters]]
                   }, newer
    end
    other = of("2.7.4", "jruby-9.1", study: REVERSED,
                                     more: "instead: {\"jruby-9.1\": \"jruby-9.4\"}")
    assert_equal 1, other.testable.size
  end

  test "Rubies and their flags are values" do
    levels = of("3.2.2 --yjit, puma:1x16", "2.7.4").tests.first.levels

    assert_equal [["3.2.2", %w[--yjit], "3.4.5", %w[--yjit]], ["2.7.4", [], nil, nil]],
                 levels.map { |one|
                   [one.asked_ruby, one.asked_flags, one.used_ruby, one.used_flags]
                 }
    renamed = { **levels.first.to_h, asked: "CRuby 3.2.2 with YJIT", used: "CRuby 3.4.5 with YJIT" }
    assert_equal %w[3.4.5 3.2.2], Mohs::Repro::LevelMapping.new(**renamed).versions
    other = Mohs::Repro::LevelMapping.new(**renamed, used_flags: %w[--jit])
    assert_equal ["CRuby 3.4.5 with YJIT", "CRuby 3.2.2 with YJIT"], other.versions
  end

  test "a variant of the application's own Ruby is always there" do
    study = "variants: ['one::puma:1x1', 'four::puma:1x4']\n"
    choice = of("one", "four", study:)

    assert_equal [nil, nil], choice.tests.first.levels.map(&:asked)
    assert_equal %w[one four], choice.variants.map { |_, one| one.label }
  end

  # The Ruby 3.4.5 is here, and its gems can't be installed.
  LOST = { "3.4.5" => Mohs::Reason.new(code: "bundle_failed", summary: "no OpenSSL") }.freeze
  OLDER = "instead: {'3.4.5': ['3.1.2'], '3.4.5 --yjit': ['3.4 --yjit', '3.1.2 --yjit']}\n"

  test "a Ruby that is here and can't be measured does not displace a stand-in that can" do
    choice = choose(publication(CLAIM, more: OLDER), lost: LOST)

    assert_equal [["jit on 3.1.2 --yjit", "3.1.2 --yjit"], ["new on 3.1.2", "3.1.2"]],
                 choice.tests.first.levels.map { |one| [one.variant, one.used] }
    assert_equal ["3.1.2", "3.1.2", "2.7.4"], choice.variants.map { |_, one| one.ruby }.sort.reverse
  end

  test "without a stand-in, a Ruby that can't be measured is absent for that reason" do
    choice = choose(publication(CLAIM), lost: LOST)
    obstacle = choice.tests.first.obstacle

    assert_equal ["no OpenSSL"], obstacle.values[:interpreters].map { |one| one[:lost] }.uniq
    assert_equal "3.4.5 --yjit can't be measured: no OpenSSL; 3.4.5 can't be measured: no OpenSSL",
                 Mohs::Report::Render.call(obstacle)
    own = { "3.4.5" => "3.4.5" }
    assert_empty choose(publication(CLAIM, more: OLDER), lost: LOST, instead: own).testable
  end

  test "what is refused in the study can't be tested" do
    choice = choose(publication(CLAIM))
    study = lambda do |refusals|
      variants = choice.variants.map do |_, one|
        Mohs::Study::Variant.new(name: one.label, ruby: one.ruby, refusal: refusals[one.label])
      end
      Mohs::Study.new(variants:)
    end

    assert_equal 1, choice.testable_in(study.call({})).size
    assert_equal 1, choice.testable_in(study.call({ "old" => LOST["3.4.5"] })).size
    assert_empty choice.testable_in(study.call({ "jit" => LOST["3.4.5"] }))
  end

  test "a Ruby that does not start is absent for that reason" do
    study = "variants: [jruby-10.0.2.0, 3.4.5]\n"
    absent = of("jruby-10.0.2.0", "3.4.5", study:, more: "").tests.first.obstacle

    assert_said(absent.values[:interpreters].first[:broken])
  end

  test "too few cores, and what is stated to be untestable, are obstacles" do
    needing = of("2.7.4", "2.7.4", keys: "needs: {cores: 4}, ")
    stated = choose(publication("- {text: A, place: p, not_testable: no proxy}\n"))

    assert_equal ["repro_cores", { needed: 4, here: 2 }],
                 needing.tests.first.obstacle.then { |one| [one.code, one.values] }
    assert_empty of("2.7.4", "2.7.4", keys: "needs: {cores: 4}, ", cores: 4).tests
                                                                            .filter_map(&:obstacle)
    assert_equal ["repro_stated", { why: "no proxy" }],
                 stated.tests.first.obstacle.then { |one| [one.code, one.values] }
  end

  test "claims about variants that a size leaves out are not tested in it" do
    choice = choose(publication(CLAIM), without: %w[new])
    obstacle = choice.tests.first.obstacle

    assert_equal ["repro_out_of_size", { variants: ["new"] }], [obstacle.code, obstacle.values]
    assert_match(/ leaves out new to save time/, Mohs::Report::Render.call(obstacle))
    refute_includes choice.variants.map { |_, one| one.label }, "new"
  end

  test "variants of no claim are measured, but not those of claims that can't be tested" do
    study = "variants: ['a::2.7.4', 'b::3.1.2', 'c::3.4.5', 'd::1.8.7', 'e::3.4.5']\nbaseline: d\n"
    claims = <<~YAML
      - {text: A, place: p, order: {more: a, than: b}}
      - {text: B, place: p, needs: {cores: 9}, order: {more: c, than: b}}
    YAML
    choice = choose(publication(claims, study:))

    assert_equal %w[a b e], choice.variants.map { |_, one| one.label }
    assert_nil choice.baseline
  end

  test "variants have the order of study.yml, whichever claim names them first" do
    study = "variants: ['a::2.7.4', 'b::3.1.2', 'c::3.4.5']\n"
    claims = "- {text: A, place: p, order: {more: c, than: b}}\n" \
             "- {text: B, place: p, order: {more: b, than: a}}\n"
    choice = choose(publication(claims, study:))

    assert_equal [%w[a b c], nil], [choice.variants.map { |_, one| one.label }, choice.baseline]
  end

  test "--only keeps claims, tables or variants with that word, and measures nothing else" do
    claims = "#{CLAIM}- {text: B, place: p, table: y, order: {more: old, than: new}}\n"
    found = %w[JIT y b].map { |only| choose(publication(claims), only:) }

    assert_equal [%w[A], %w[B], %w[B]], found.map { |one| one.tests.map(&:claim) }
    assert_equal [%w[new jit], %w[old new], %w[old new]].map(&:sort),
                 found.map { |one| one.variants.map { |_, variant| variant.label }.sort }
    assert_nil found.first.baseline
    error = assert_raises(Mohs::UsageError) { choose(publication(claims), only: "memory") }
    assert_said(error.message)
  end

  test "a test survives JSON" do
    choice = of("3.2.2 --yjit, puma:1x16", "3.2.2")
    blocked = of("grid", "3.2.2")
    [*choice.tests, *blocked.tests].each do |test|
      plain = JSON.parse(JSON.generate(test.to_h), symbolize_names: true)

      assert_equal test, Mohs::Repro::Test.from_h(plain)
    end
  end
end

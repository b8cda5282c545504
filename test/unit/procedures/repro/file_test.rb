# frozen_string_literal: true

require "test_helper"

class ReproFileTest < Mohs::TestCase
  include Mohs::Published

  RATIO = "- {text: A, place: p. 1, ratio: {of: jit, to: new, published: 1.25, tolerance: 10 %}}\n"
  FIGURES = <<~YAML
    figures:
      - {id: a, place: table 1, value: 490.64, unit: requests/s, level: x, metric: rate}
      - {id: b, place: table 1, value: 393.97, unit: requests/s, level: y, metric: rate}
      - {id: none, place: table 1, value: 0, unit: crashes, level: y, metric: crashes}
  YAML

  def statement(yaml, **options)
    publication("- {text: A, place: p. 1, #{yaml}}\n", **options).claims.first.statement
  end

  def fault(claims = RATIO, **options)
    assert_raises(Mohs::StudyError) { publication(claims, **options) }.message
  end

  def fault_of(yaml, **options) = fault("- {text: A, place: p. 1, #{yaml}}\n", **options)

  test "the annotated example is such a file itself" do
    study = <<~YAML
      profile: true
      variants: [3.2.2, 3.2.2 --yjit, 3.2.2 --mjit --mjit-save-temps, jruby-9.4.2.0, truffleruby-23.0.0, "rails::A=1", "rack::A=2", "rails yjit::A=3", "rack yjit::A=4"]
    YAML
    text = Mohs::Study::Sections.text("published")
    found = with_files("study.yml" => study, "published.yml" => text) do |folder|
      Mohs::Repro::File.load(folder)
    end

    assert_equal %w[ratio order equal bound share survives crashes warm excluded compiled
                    not_testable],
                 found.claims.map { |claim| claim.statement.kind }.uniq
    assert_equal ["A. Author and others 2023", "CRuby", true],
                 [found.source.to_s, found.claims.first.table, found.claims.first.headline]
    assert_in_delta 490.64 / 393.97, found.claims.first.statement.published, 1e-12
    short, long = %w[12x64 64x1024].map { |size| Mohs::Study::ColdStart.parse(size) }
    assert_equal({ "quick" => { rounds: 3, budget_s: 300.0, warm_up_s: 30.0,
                              cold_start: short, without: ["truffleruby-23.0.0"] },
                   "full" => { rounds: 20, budget_s: 28_800.0, cold_start: long,
                               served: { server: "puma:8x5" } } }, found.sizes)
    assert_equal [["3.2 --yjit", "3.3 --yjit"], ["3.1"], 4],
                 [found.instead["3.2.2 --yjit"], found.claims[5].instead["3.2.2"],
                  found.claims[5].cores]
  end

  test "a ratio has a range around what was published, and a direction if that leaves out 1" do
    more, less, none = [1.25, 0.7, 1.05].map do |published|
      statement("ratio: {of: jit, to: new, published: #{published}, tolerance: 10 %}")
    end

    assert_equal %i[more less], [more.direction, less.direction]
    assert_nil none.direction
    assert_in_delta 1.25 * 1.1, more.high, 1e-12
    assert_in_delta 1.25 / 1.1, more.low, 1e-12
    assert_equal ["jit", ["new"], "throughput"], [more.of, more.to, more.metric]
  end

  test "a published ratio is that of two figures" do
    found = statement("bound: {of: jit, to: new, below: 1.5, figures: [a, b]}", more: FIGURES)

    assert_in_delta 490.64 / 393.97, found.published, 1e-12
    assert_equal [nil, 1.5], [found.low, found.high]
  end

  test "claims about batches have levels, and no metric" do
    warm = statement("warm: {levels: [jit, new], within: 16}")
    out = statement("excluded: {level: jit}")

    assert_equal [[nil, %w[jit new], 16], ["jit", [], nil]],
                 [warm, out].map { |one| [one.of, one.to, one.high] }
    assert_equal [[nil, true], [nil, true]], [warm, out].map { |one| [one.metric, one.cold?] }
    assert_equal [%w[jit new], %w[jit]], [warm.levels, out.levels]
  end

  test "a method is compiled in so many versions, or in some at least" do
    three = statement("compiled: {level: jit, method: multiply, times: 3}")
    again = statement("compiled: {level: jit, at_least: 2}")

    assert_equal [["multiply", 3, 3], [nil, 2, nil]],
                 [three, again].map { |one| [one.routine, one.low, one.high] }
    assert_equal [["jit", nil, true, %w[jit]]] * 2,
                 [three, again].map { |one| [one.of, one.metric, one.cold?, one.levels] }
  end

  test "orders, bounds and equality are ranges" do
    most = statement("order: {more: jit, than: [new, old], metric: p99}")

    assert_equal [1.0, nil, %w[new old], "p99"], [most.low, most.high, most.to, most.metric]
    assert_equal [nil, 1.0],
                 statement("order: {less: jit, than: new}").then { |one| [one.low, one.high] }
    assert_equal [2.0, nil],
                 statement("bound: {of: jit, to: new, above: 2}").then { |one| [one.low, one.high] }
    assert_equal [1 / 1.05, 1.05],
                 statement("equal: {of: jit, to: new, margin: 5 %}").then { |one|
                   [one.low, one.high]
                 }
  end

  test "an overhead has a variant that it is over for each" do
    found = statement("order: {less: jit, than: [new, old], over: [old, old, new]}")

    assert_equal ["overhead", [%w[jit old], %w[new old], %w[old new]], %w[jit new old]],
                 [found.metric, found.pairs, found.levels]
    without = statement("order: {less: jit, than: new}")

    assert_equal [nil, []], [without.over, without.pairs]
  end

  test "a gain has a variant that it is since for each" do
    found = statement("order: {less: jit, than: [new, old], since: [old, old, new], metric: cpu}")

    assert_equal ["cpu", [%w[jit old], %w[new old], %w[old new]], %w[jit new old]],
                 [found.metric, found.pairs, found.levels]
  end

  PROFILED = "profile: true\n#{Mohs::Published::STUDY}".freeze
  COLLECTED = "figures: [{id: gc, place: p, value: 6.25, unit: '%', level: x, metric: share}, " \
              "{id: us, place: p, value: 3, unit: us, level: x, metric: time}]".freeze

  def shares(yaml) = statement(yaml, study: PROFILED, more: COLLECTED)

  test "a share is about as published, or between two numbers" do
    near = shares("share: {of: jit, category: GC, published: 6 %, tolerance: 20 %}")
    figure = shares("share: {of: jit, category: GC, figures: gc, tolerance: 0.25}")
    between = shares("share: {of: jit, category: JSON, above: 4 %, below: 0.06}")
    open = shares("share: {of: jit, category: JSON, below: 6 %, published: 5 %}")

    assert_equal ["share", "share", "jit", [], ["GC"], [%w[jit GC]], nil],
                 [near.kind, near.metric, near.of, near.to, near.categories, near.parts,
                  near.direction]
    [[near, 0.05, 0.06, 0.072], [figure, 0.05, 0.0625, 0.078125]]
      .each do |one, low, published, high|
        assert_in_delta published, one.published, 1e-12
        assert_in_delta low, one.low, 1e-12
        assert_in_delta high, one.high, 1e-12
      end
    assert_equal [[0.04, 0.06, nil], [nil, 0.06, 0.05]],
                 [between, open].map { |one| [one.low, one.high, one.published] }
  end

  test "shares are compared of one category in several variants, or of several in one" do
    levels = shares("order: {more: jit, than: [new, old], category: GC}")
    parts = shares("ratio: {of: ActiveRecord, to: JSON, in: jit, published: 3, tolerance: 10 %}")

    assert_equal [%w[jit new old], [%w[jit GC], %w[new GC], %w[old GC]], 1.0, "share"],
                 [levels.levels, levels.parts, levels.low, levels.metric]
    assert_equal [%w[jit], [%w[jit ActiveRecord], %w[jit JSON]], :more, 3.0],
                 [parts.levels, parts.parts, parts.direction, parts.published]
    other = statement(RATIO[/ratio.*?\}/])
    assert_equal [nil, []], [other.categories, other.parts]
  end

  { "share: {of: jit, published: 6 %, tolerance: 20 %}" => "share/category: is missing",
    "share: {of: jit, category: gc, below: 6 %}" => 'share/category: "gc" is not a category.',
    "share: {of: jit, category: GC, tolerance: 20 %}" => "share/published: is missing",
    "share: {of: jit, category: GC, published: 6 %}" =>
      "share: should have a tolerance, or above, below or both",
    "share: {of: jit, category: GC, published: 600 %, tolerance: 1 %}" =>
      'share/published: should be a share, 6 % or 0.06, of at most 100 %, not "600 %"',
    "share: {of: jit, category: GC, published: 6.5 %, figures: gc, tolerance: 1 %}" =>
      "share/published: is 6.5 %, but the figure gc gives 6.25 %",
    "share: {of: jit, category: GC, above: some}" => "share/above: should be a share",
    "share: {of: jit, category: GC, figures: us, tolerance: 1 %}" =>
      "share/figures: should be the id of a share in %",
    "order: {more: GC, than: JSOM, in: jit}" =>
      'order/than: "JSOM" is not a category. Did you mean JSON?',
    "order: {more: GC, than: JSON, in: jitt}" => 'order/in: "jitt" is not a variant of study.yml.',
    "order: {more: jit, than: new, category: GC, in: jit}" =>
      'order/more: "jit" is not a category',
    "order: {more: GC, than: JSON, category: GC, in: jit}" =>
      "order: should have either category or in",
    "order: {more: jit, than: new, category: GC, metric: cpu}" =>
      "order/metric: has no meaning with shares of a profile",
    "order: {more: jit, than: new, category: GC, since: [old, old]}" =>
      "order/since: has no meaning with shares of a profile" }.each do |yaml, message|
    test "fault of shares: #{yaml}" do
      assert_includes fault_of(yaml, study: PROFILED, more: COLLECTED), "claims/1/#{message}"
    end
  end

  test "a share may be stated beside its figure, rounded" do
    found = ["6.25 %", "6 %", 0.0625, 0.06].map do |published|
      statement("share: {of: jit, category: GC, published: #{published}, figures: gc, " \
                "tolerance: 1 %}", study: PROFILED, more: COLLECTED).published
    end

    assert_equal [0.0625, 0.06, 0.0625, 0.06], found
  end

  test "shares need samples, so study.yml has to take them" do
    found = fault("#{RATIO}- {text: B, place: p, share: {of: jit, category: GC, below: 6 %}}\n")

    assert_includes found, "published.yml: claims/2: needs profile: true in study.yml"
  end

  test "what a file leaves out has its default" do
    found = publication(RATIO, more: "environment: {cores: 8}")

    assert_equal [["all", false, nil], { "cores" => "8" }, {}, []],
                 [found.claims.first.to_h.values_at(:table, :headline, :cores), found.environment,
                  found.sizes, found.figures]
    without = publication(RATIO, more: "source: {authors: A, year: 2023, title: B}").source
    assert_equal [["A"], nil, "A 2023"], [without.authors, without.address, without.to_s]
  end

  test "what survives says how often a boot may crash, at most" do
    found = ["[jit]", "{levels: jit}", "{levels: [jit, new], at_most: 10 %}",
             "{levels: jit, at_most: 0.2}"].map { |yaml| statement("survives: #{yaml}") }

    assert_equal [0.05, 0.05, 0.1, 0.2], found.map(&:high)
    assert_equal %w[jit new], found[2].levels
    assert_nil statement("crashes: jit").high
  end

  test "several levels survive, one crashes" do
    found = statement("survives: [jit, new]")

    assert_equal ["survives", %w[jit new], nil, true],
                 [found.kind, found.levels, found.metric, found.testable?]
    assert_equal [["crashes", %w[jit]], ["survives", %w[old]]],
                 ["crashes: jit", "survives: old"]
                   .map { |yaml| statement(yaml).then { |one| [one.kind, one.levels] } }
  end

  # Figures are rounded as well: 490.64 / 393.97 is between 1.24530 and 1.24542.
  test "a ratio may be stated beside its figures, rounded" do
    found = [1, 1.2, 1.25, 1.2454, 1.24536].map do |published|
      statement("ratio: {of: jit, to: new, published: #{published}, figures: [a, b], " \
                "tolerance: 1 %}", more: FIGURES).published
    end

    assert_equal [1.0, 1.2, 1.25, 1.2454, 1.24536], found
    assert_match(/but the figures a and b give/,
                 fault_of("ratio: {of: jit, to: new, published: 1.2456, figures: [a, b], " \
                          "tolerance: 1 %}", more: FIGURES))
  end

  test "what is not testable has its reason" do
    found = statement("not_testable: needs a proxy")

    assert_equal [false, "needs a proxy", []], [found.testable?, found.reason, found.levels]
  end

  { "ratio: {of: jitt, to: new, published: 1, tolerance: 1 %}" =>
      'claims/1/ratio/of: "jitt" is not a variant of study.yml. Did you mean jit?',
    "ratio: {of: jit, to: new, tolerance: 1 %}" =>
      "claims/1/ratio/published: is missing: give it, or two figures",
    "ratio: {of: jit, to: new, published: 1.2}" => "claims/1/ratio/tolerance: is missing",
    "ratio: {of: jit, to: new, published: 1.2, tolerance: much}" =>
      'claims/1/ratio/tolerance: should be a share, 10 % or 0.1, not "much"',
    "ratio: {of: jit, to: new, published: 1.2, tolerance: 101 %}" =>
      'claims/1/ratio/tolerance: should be a share, 10 % or 0.1, of at most 100 %, not "101 %"',
    "equal: {of: jit, to: new, margin: 5}" =>
      "claims/1/equal/margin: should be a share, 10 % or 0.1, of at most 100 %, not 5",
    "ratio: {of: jit, to: new, published: 3, figures: [a, b], tolerance: 1 %}" =>
      "claims/1/ratio/published: is 3, but the figures a and b give 1.245: correct one of them, " \
      "or leave out published",
    "order: {more: jit, than: new, published: 1.26, figures: [a, b]}" =>
      "claims/1/order/published: is 1.26, but the figures a and b give 1.245",
    "ratio: {of: jit, to: new, published: -1, tolerance: 1 %}" =>
      "claims/1/ratio/published: should be a ratio above 0, not -1",
    "equal: {of: jit, to: new, margin: 1 %, figures: [a, c]}" =>
      'claims/1/equal/figures: "c" is not a figure. Known: a, b, none.',
    "equal: {of: jit, to: new, margin: 1 %, figures: ab}" =>
      "claims/1/equal/figures: should be two ids",
    "equal: {of: jit, to: new, margin: 1 %, figures: [a]}" =>
      "claims/1/equal/figures: should be two ids",
    "equal: {of: none, to: new, margin: 1 %}" => 'claims/1/equal/of: "none" is not a variant',
    "bound: {of: jit, to: new, below: 1, figures: [a, none]}" =>
      "claims/1/bound/figures: none is not above 0",
    "bound: {of: jit, to: new}" => "claims/1/bound: should have below, above or both",
    "order: {more: jit, less: new, than: old}" => "claims/1/order: should have either more or less",
    "order: {more: jit, than: new, over: old}" =>
      "claims/1/order/over: should be a variant for each of the others",
    "order: {more: jit, than: new, over: [old, old, old]}" => "claims/1/order/over: should be a",
    "order: {more: jit, than: new, over: [old, odl]}" => 'claims/1/order/over: "odl" is not a',
    "order: {more: jit, than: new, over: [old, old], metric: cpu}" =>
      "claims/1/order/metric: has no meaning with over",
    "order: {more: jit, than: new, since: old}" =>
      "claims/1/order/since: should be a variant for each of the others",
    "order: {more: jit, than: new, since: [old, old], over: [old, old]}" =>
      "claims/1/order: should have either over or since",
    "order: {more: jit}" => "claims/1/order/than: is missing",
    "equal: {of: jit, to: new, margin: 1 %, metric: spee}" =>
      'claims/1/equal/metric: unknown metric "spee". Known: throughput, cpu, p50, memory, boot, ' \
      "p99, first, stretch.",
    "equal: {of: jit, to: new, margn: 1 %}" =>
      "claims/1/equal/margn: no such key. Did you mean margin?",
    "warm: {levels: [jit]}" => "claims/1/warm/within: is missing",
    "warm: {levels: [jit], within: 2.5}" => "claims/1/warm/within: should be a whole number",
    "warm: {levels: [jit], within: -1}" => "claims/1/warm/within: should be at least 0",
    "warm: {levels: [none], within: 2}" => 'claims/1/warm/levels: "none" is not a variant',
    "excluded: {levels: [jit]}" => "claims/1/excluded/levels: no such key. Did you mean level?",
    "survives: {at_most: 10 %}" => "claims/1/survives/levels: is missing",
    "survives: {levels: jit, at_most: 100 %}" => "claims/1/survives/at_most: should be a share",
    "survives: jitt" => 'claims/1/survives: "jitt" is not a variant of study.yml.',
    "compiled: {level: jit, times: 2, at_least: 2}" =>
      "claims/1/compiled: should have either times or at_least",
    "compiled: {level: jit}" => "claims/1/compiled: should have either times or at_least",
    "compiled: {level: jit, times: 0}" => "claims/1/compiled/times: should be at least 1",
    "compiled: {level: jit, at_least: 1.5}" => "claims/1/compiled/at_least: should be a whole",
    "compiled: {level: none, times: 1}" => 'claims/1/compiled/level: "none" is not a variant',
    "table: x" => "claims/1: should have one of ratio, order, equal, bound, share, warm, " \
                  "excluded, compiled, survives, crashes, not_testable",
    "order: {more: jit, than: new}, not_testable: x" =>
      "claims/1: has both order and not_testable: a claim can have only one",
    "equal: {of: jit, to: new, margin: 1 %}, crashes: jit, survives: new" =>
      "claims/1: has equal, crashes and survives: a claim can have only one" }
    .each do |yaml, message|
    test "fault: #{yaml}" do
      found = fault_of(yaml, more: FIGURES)

      assert_includes found, "published.yml: #{message}"
      assert_match(/\(mohs docs published\)\z/, found)
    end
  end

  test "what a file lacks is named, and what it has twice" do
    claim = "- {text: A, place: p, not_testable: x}\n"
    { "title" => "title: is missing", "source" => "source: is missing",
      "claims" => "claims: is missing: what does the source claim?" }.each do |key, message|
      text = published_files(claim).fetch("shop-2023/published.yml")
      without = YAML.dump(YAML.safe_load(text).except(key))
      files = { "study.yml" => Mohs::Published::STUDY, "published.yml" => without }
      error = with_files(files) do |folder|
        assert_raises(Mohs::StudyError) { Mohs::Repro::File.load(folder) }
      end
      assert_includes error.message, message
    end
    assert_includes fault(more: "source: {authors: A, year: 2023}"), "source/title: is missing"
    assert_includes fault("- {place: p, not_testable: x}\n"), "claims/1/text: is missing"
    assert_includes fault("- {text: A, place: p, not_testable: x}\n" * 2), 'has "A" twice'
    assert_includes fault(more: "figures: [{id: a}]"), "figures/1/place: is missing"
    assert_includes fault(more: FIGURES.sub("id: b", "id: a")), 'figures: has "a" twice'
    assert_includes fault(more: "sizes: {quick: {budget: soon}}"), "sizes/quick/budget: invalid"
    assert_includes fault(more: "sizes: {huge: {rounds: 3}}"), "sizes/huge: no such key"
    assert_includes fault(more: "sizes: {quick: {without: [olds]}}"),
                    'sizes/quick/without: no variant is called "olds". Did you mean old?'
    assert_includes fault(more: 'instead: {"3": ["puma:1x"]}'), "instead/3: "
    ["3.4, puma:2x5", "--yjit"].each do |text|
      assert_includes fault(more: "instead: {'3': ['#{text}']}"),
                      "instead/3: should be Rubies with their flags, not #{text.inspect}"
    end
    assert_equal 3, assert_raises(Mohs::StudyError) { publication("- {}\n") }.exit_status
  end

  test "variants have to be listed" do
    assert_includes fault(study: "matrix: {rubies: [3.4.5]}\n"),
                    "claims: need the variants of study.yml to be listed"
    assert_includes fault(study: "matrix: {rubies: [3.4.5]}\nvariants: [3.4.5]\n"), "claims: need"
  end

  test "a fault of study.yml is one of that file" do
    assert_includes fault(study: "rounds: 0\n"), "study.yml: rounds: should be at least 1"
  end

  test "a folder without published.yml is no published study" do
    with_files do |folder|
      error = assert_raises(Mohs::UsageError) { Mohs::Repro::File.load(folder) }

      assert_includes error.message, "has no published.yml. For the format: mohs docs published"
    end
  end

  test "YAML that can't be read is a fault with its line" do
    with_files("published.yml" => "title: [") do |folder|
      error = assert_raises(Mohs::StudyError) { Mohs::Repro::File.load(folder) }

      assert_match(/\Apublished.yml: line \d+: /, error.message)
    end
  end

  { "rounds: 0" => "sizes/full/rounds: should be at least 1",
    "rounds: -3" => "sizes/full/rounds: should be at least 1",
    "server: 3" => 'sizes/full/server: unknown server "3"',
    "cold_start: 64" => 'sizes/full/cold_start: cold start "64": write the number of batches',
    "cold_start: 99999999x999999999" => "at most 50000000 requests" }.each do |size, message|
    test "a size with #{size} is a fault" do
      error = assert_raises(Mohs::StudyError) do
        publication(PLAIN, more: "sizes: {full: {#{size}}}")
      end
      assert_includes error.message, message
    end
  end
  PLAIN = "- {text: A, place: p, order: {more: jit, than: old}}\n"

  test "a number without end, a pipe and a nest without end are faults" do
    endless = "- {text: A, place: p, ratio: {of: jit, to: old, published: .inf, tolerance: 10 %}}\n"
    assert_match(/published: should be a finite number/,
                 assert_raises(Mohs::StudyError) { publication(endless) }.message)
    nest = "#{"[" * 20_000}#{"]" * 20_000}"
    assert_match(/nested too deeply/,
                 assert_raises(Mohs::StudyError) { Mohs::Study::Schema.parse(nest) }.message)
    with_files("study.yml" => "") do |folder|
      File.mkfifo("#{folder}/published.yml")
      assert_match(/no regular file/,
                   assert_raises(Mohs::UsageError) { Mohs::Repro::File.load(folder) }.message)
    end
  end

  test "a variant with a secret needs a name, since names are shown" do
    ["3.4.5, get=/a?token=SEKRET", "3.4.5, API_KEY=SEKRET"].each do |text|
      study = "app: .\nvariants: [3.1.2, '%s']\n"
      claim = "- {text: A, place: p, order: {more: 3.1.2, than: '%s'}}\n"
      error = assert_raises(Mohs::StudyError) { publication(format(claim, text), study: format(study, text)) }

      assert_match(/without a name has a secret in it: write NAME:: before it/, error.message)
      refute_includes error.message, "SEKRET"
      assert publication(format(claim, "own"), study: format(study, "own::#{text}"))
    end
  end

  test "texts are of one line" do
    found = publication("- {text: \"A\\n::error::b\", place: p, order: {more: jit, than: old}}\n")
    assert_equal ["A ::error::b"], found.claims.map(&:text)
  end
end

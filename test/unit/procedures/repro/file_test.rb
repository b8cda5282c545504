# frozen_string_literal: true

require "test_helper"

class ReproFileTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

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
    assert_raises(Mohs::StudyError) { publication(claims, **options) }
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

  # A claim => where it is at fault. What is said about it: mistakes-published.txt.
  SHARE_FAULTS = {
    "share: {of: jit, published: 6 %, tolerance: 20 %}" => "share/category",
    "share: {of: jit, category: gc, below: 6 %}" => "share/category",
    "share: {of: jit, category: GC, tolerance: 20 %}" => "share/published",
    "share: {of: jit, category: GC, published: 6 %}" => "share",
    "share: {of: jit, category: GC, published: 600 %, tolerance: 1 %}" => "share/published",
    "share: {of: jit, category: GC, published: 6.5 %, figures: gc, tolerance: 1 %}" =>
      "share/published",
    "share: {of: jit, category: GC, above: some}" => "share/above",
    "share: {of: jit, category: GC, figures: us, tolerance: 1 %}" => "share/figures",
    "order: {more: GC, than: JSOM, in: jit}" => "order/than",
    "order: {more: GC, than: JSON, in: jitt}" => "order/in",
    "order: {more: jit, than: new, category: GC, in: jit}" => "order/more",
    "order: {more: GC, than: JSON, category: GC, in: jit}" => "order",
    "order: {more: jit, than: new, category: GC, metric: cpu}" => "order/metric",
    "order: {more: jit, than: new, category: GC, since: [old, old]}" => "order/since",
  }.freeze

  def fault_of_share(yaml) = fault_of(yaml, study: PROFILED, more: COLLECTED)

  SHARE_FAULTS.each do |yaml, place|
    test "fault of shares: #{yaml}" do
      assert_equal "published.yml: claims/1/#{place}", fault_of_share(yaml).key_path
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

    assert_equal "published.yml: claims/2", found.key_path
    assert_includes found.detail, "profile: true"
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
    other = fault_of("ratio: {of: jit, to: new, published: 1.2456, figures: [a, b], " \
                     "tolerance: 1 %}", more: FIGURES)
    assert_equal "published.yml: claims/1/ratio/published", other.key_path
  end

  test "what is not testable has its reason" do
    found = statement("not_testable: needs a proxy")

    assert_equal [false, "needs a proxy", []], [found.testable?, found.reason, found.levels]
  end

  FAULTS = {
    "ratio: {of: jitt, to: new, published: 1, tolerance: 1 %}" => "claims/1/ratio/of",
    "ratio: {of: jit, to: new, tolerance: 1 %}" => "claims/1/ratio/published",
    "ratio: {of: jit, to: new, published: 1.2}" => "claims/1/ratio/tolerance",
    "ratio: {of: jit, to: new, published: 1.2, tolerance: much}" => "claims/1/ratio/tolerance",
    "ratio: {of: jit, to: new, published: 1.2, tolerance: 101 %}" => "claims/1/ratio/tolerance",
    "equal: {of: jit, to: new, margin: 5}" => "claims/1/equal/margin",
    "ratio: {of: jit, to: new, published: 3, figures: [a, b], tolerance: 1 %}" =>
      "claims/1/ratio/published",
    "order: {more: jit, than: new, published: 1.26, figures: [a, b]}" => "claims/1/order/published",
    "ratio: {of: jit, to: new, published: -1, tolerance: 1 %}" => "claims/1/ratio/published",
    "equal: {of: jit, to: new, margin: 1 %, figures: [a, c]}" => "claims/1/equal/figures",
    "equal: {of: jit, to: new, margin: 1 %, figures: ab}" => "claims/1/equal/figures",
    "equal: {of: jit, to: new, margin: 1 %, figures: [a]}" => "claims/1/equal/figures",
    "equal: {of: none, to: new, margin: 1 %}" => "claims/1/equal/of",
    "bound: {of: jit, to: new, below: 1, figures: [a, none]}" => "claims/1/bound/figures",
    "bound: {of: jit, to: new}" => "claims/1/bound",
    "order: {more: jit, less: new, than: old}" => "claims/1/order",
    "order: {more: jit, than: new, over: old}" => "claims/1/order/over",
    "order: {more: jit, than: new, over: [old, old, old]}" => "claims/1/order/over",
    "order: {more: jit, than: new, over: [old, odl]}" => "claims/1/order/over",
    "order: {more: jit, than: new, over: [old, old], metric: cpu}" => "claims/1/order/metric",
    "order: {more: jit, than: new, since: old}" => "claims/1/order/since",
    "order: {more: jit, than: new, since: [old, old], over: [old, old]}" => "claims/1/order",
    "order: {more: jit}" => "claims/1/order/than",
    "equal: {of: jit, to: new, margin: 1 %, metric: spee}" => "claims/1/equal/metric",
    "equal: {of: jit, to: new, margn: 1 %}" => "claims/1/equal/margn",
    "warm: {levels: [jit]}" => "claims/1/warm/within",
    "warm: {levels: [jit], within: 2.5}" => "claims/1/warm/within",
    "warm: {levels: [jit], within: -1}" => "claims/1/warm/within",
    "warm: {levels: [none], within: 2}" => "claims/1/warm/levels",
    "excluded: {levels: [jit]}" => "claims/1/excluded/levels",
    "survives: {at_most: 10 %}" => "claims/1/survives/levels",
    "survives: {levels: jit, at_most: 100 %}" => "claims/1/survives/at_most",
    "survives: jitt" => "claims/1/survives",
    "compiled: {level: jit, times: 2, at_least: 2}" => "claims/1/compiled",
    "compiled: {level: jit}" => "claims/1/compiled",
    "compiled: {level: jit, times: 0}" => "claims/1/compiled/times",
    "compiled: {level: jit, at_least: 1.5}" => "claims/1/compiled/at_least",
    "compiled: {level: none, times: 1}" => "claims/1/compiled/level",
    "table: x" => "claims/1",
    "order: {more: jit, than: new}, not_testable: x" => "claims/1",
    "equal: {of: jit, to: new, margin: 1 %}, crashes: jit, survives: new" => "claims/1",
  }.freeze

  FAULTS.each do |yaml, place|
    test "fault: #{yaml}" do
      found = fault_of(yaml, more: FIGURES)

      assert_equal "published.yml: #{place}", found.key_path
      assert_said(found.message)
    end
  end

  # What a file has besides its claims => where it is at fault.
  REST_FAULTS = {
    "source: {authors: A, year: 2023}" => "source/title",
    "figures: [{id: a}]" => "figures/1/place",
    FIGURES.sub("id: b", "id: a") => "figures",
    "sizes: {quick: {budget: soon}}" => "sizes/quick/budget",
    "sizes: {huge: {rounds: 3}}" => "sizes/huge",
    "sizes: {quick: {without: [olds]}}" => "sizes/quick/without",
    'instead: {"3": ["puma:1x"]}' => "instead/3",
    "instead: {'3': ['3.4, puma:2x5']}" => "instead/3",
    "instead: {'3': ['--yjit']}" => "instead/3",
    "sizes: {full: {rounds: 0}}" => "sizes/full/rounds",
    "sizes: {full: {rounds: -3}}" => "sizes/full/rounds",
    "sizes: {full: {server: 3}}" => "sizes/full/server",
    "sizes: {full: {cold_start: 64}}" => "sizes/full/cold_start",
    "sizes: {full: {cold_start: 99999999x999999999}}" => "sizes/full/cold_start",
  }.freeze

  REST_FAULTS.each do |yaml, place|
    test "fault beside the claims: #{yaml}" do
      assert_equal "published.yml: #{place}", fault(more: yaml).key_path
    end
  end

  test "every fault is told with what to write" do
    told = { **SHARE_FAULTS.to_h { |yaml, _| [yaml, fault_of_share(yaml)] },
             **FAULTS.to_h { |yaml, _| [yaml, fault_of(yaml, more: FIGURES)] },
             **REST_FAULTS.to_h { |yaml, _| [yaml, fault(more: yaml)] } }

    assert_told "mistakes-published", told.transform_values(&:message)
  end

  test "what a file lacks is named, and what it has twice" do
    claim = "- {text: A, place: p, not_testable: x}\n"
    %w[title source claims].each do |key|
      text = published_files(claim).fetch("shop-2023/published.yml")
      without = YAML.dump(YAML.safe_load(text).except(key))
      files = { "study.yml" => Mohs::Published::STUDY, "published.yml" => without }
      error = with_files(files) do |folder|
        assert_raises(Mohs::StudyError) { Mohs::Repro::File.load(folder) }
      end
      assert_match(/\A#{key}: is missing/, error.message.delete_prefix("published.yml: "))
    end
    { "place: p, text: A" => "id", "id: a, place: p" => "text",
      "id: a, text: A" => "place" }.each do |keys, missing|
      key_path = fault("- {#{keys}, not_testable: x}\n").key_path
      assert_equal "published.yml: claims/1/#{missing}", key_path
    end
    assert_said(fault("- {id: a, text: A, place: p, not_testable: x}\n" * 2).detail)
    assert_equal 3, assert_raises(Mohs::StudyError) { publication("- {}\n") }.exit_status
  end

  test "variants have to be listed" do
    ["", "variants: [3.4.5]\n"].each do |more|
      found = fault(study: "matrix: {rubies: [3.4.5]}\n#{more}")
      assert_match(/\Apublished.yml: claims: need/, found.message)
    end
  end

  test "a fault of study.yml is one of that file" do
    assert_equal "study.yml: rounds", fault(study: "rounds: 0\n").key_path
  end

  test "a folder without published.yml is no published study" do
    with_files do |folder|
      error = assert_raises(Mohs::UsageError) { Mohs::Repro::File.load(folder) }

      assert_match(/published\.yml.*mohs docs published/, error.message)
    end
  end

  test "YAML that can't be read is a fault with its line" do
    with_files("published.yml" => "title: [") do |folder|
      error = assert_raises(Mohs::StudyError) { Mohs::Repro::File.load(folder) }

      assert_match(/\Apublished.yml: line \d+: /, error.message)
    end
  end

  test "a number without end, a pipe and a nest without end are faults" do
    endless = "- {text: A, place: p, ratio: {of: jit, to: old, published: .inf, tolerance: 10 %}}\n"
    assert_match(%r{/published\z}, fault(endless).key_path)
    nest = "#{"[" * 20_000}#{"]" * 20_000}"
    assert_equal "the whole",
                 assert_raises(Mohs::StudyError) { Mohs::Study::Schema.parse(nest) }.key_path
    with_files("study.yml" => "") do |folder|
      File.mkfifo("#{folder}/published.yml")
      assert_said(assert_raises(Mohs::UsageError) { Mohs::Repro::File.load(folder) }.message)
    end
  end

  test "a variant with a secret needs a name, since names are shown" do
    ["3.4.5, get=/a?token=SEKRET", "3.4.5, API_KEY=SEKRET"].each do |text|
      study = "app: .\nvariants: [3.1.2, '%s']\n"
      claim = "- {text: A, place: p, order: {more: 3.1.2, than: '%s'}}\n"
      error = assert_raises(Mohs::StudyError) { publication(format(claim, text), study: format(study, text)) }

      assert_includes error.message, "NAME::"
      refute_includes error.message, "SEKRET"
      assert publication(format(claim, "own"), study: format(study, "own::#{text}"))
    end
  end

  test "texts are of one line" do
    found = publication("- {text: \"A\\n::error::b\", place: p, order: {more: jit, than: old}}\n")
    assert_equal ["A ::error::b"], found.claims.map(&:text)
  end
end

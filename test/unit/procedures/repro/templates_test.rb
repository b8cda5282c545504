# frozen_string_literal: true

require "test_helper"

# What a stranger reads of a claim: its figures with their units, and one sentence without a
# glossary.
class ClaimWordsTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

  FIGURES = <<~YAML
    environment: {application: a shop, load: ab, machine: 8 vCPUs, rubies: CRuby 3.2}
    here: {application: our shop, load: 4 connections}
    figures:
      - {id: kept, place: table 1, value: 13577, unit: requests/s, level: kept, metric: throughput}
      - {id: closed, place: table 1, value: 10185, unit: requests/s, level: closed, metric: throughput}
      - {id: large, place: table 2, value: 226, unit: MB about, level: kept, metric: memory}
      - {id: small, place: table 2, value: 183, unit: MB about, level: closed, metric: memory}
      - {id: mixed, place: table 2, value: 1.5, unit: GB, level: closed, metric: memory}
  YAML
  RATES = { "old" => 1000, "new" => 1050, "jit" => 1300 }.freeze

  def document(yaml, rates = RATES, more: FIGURES)
    publication = publication("- {text: A, place: p, #{yaml}}\n", more:)
    run = reproduced(publication, rates)
    judgements = Mohs::Repro::Judge.new(publication, Mohs::Repro::Order.tests(run.stored), run).call
    Mohs::Repro::Document.new(run, publication, judgements).document
  end

  def view(...) = Mohs::Report::Views.of(document(...))

  def row(...) = view(...).table(:claims).rows.first

  test "absolute figures stand beside ours, with their unit" do
    row = row("ratio: {of: jit, to: old, figures: [kept, closed], tolerance: 10 %}")

    assert_equal "+33 % (13 577 against 10 185 requests/s); accepted: +21 % to +47 % " \
                 "(within a factor of 1.1)", row[:published].whole
    assert_match(/\A\+29.7 % \[.*\] requests/, row[:here].whole)
    assert row[:here].whole.end_with?(" requests/s, \"jit\" against \"old\" " \
                                      "(1 297 against 1 000 requests/s)")
    memory = row("order: {more: jit, than: old, metric: memory, figures: [large, small]}")
    assert_equal "+23 % (about 226 against about 183 MB); tested: higher memory",
                 memory[:published].whole
  end

  # A maximum is no percentile, and a mean no median.
  test "published figures of something else than what is tested say of what they are" do
    of = ["mean latency", "maximum latency"]
    texts = [of, [of.first] * 2].map do |metrics|
      more = FIGURES.sub("metric: throughput", "metric: #{metrics.first}")
                    .sub("metric: throughput", "metric: #{metrics.last}")
      row = row("order: {less: jit, than: old, metric: p50, figures: [kept, closed]}", more:)
      row[:published].whole
    end

    assert_equal ["+33 % (13 577 against 10 185 requests/s: mean latency against maximum " \
                  "latency); tested: lower median response time",
                  "+33 % (13 577 against 10 185 requests/s, mean latency); tested: lower median " \
                  "response time"], texts
  end

  test "rates are printed in what the source counts" do
    more = "#{FIGURES}\ncounted: {unit: jobs/s, each: 200}"
    row = row("order: {more: jit, than: old, figures: [kept, closed]}", more:)

    assert_match(%r{\(259 496 against 199 989 jobs/s\)\z}, row[:here].whole)
    [0, -1].each do |each|
      error = assert_raises(Mohs::StudyError) do
        publication("- {text: A, place: p, not_testable: x}\n",
                    more: "counted: {unit: a, each: #{each}}")
      end
      assert_includes error.message, "counted: needs a unit"
    end
  end

  test "the decimals of a figure are not grouped" do
    more = FIGURES.sub("value: 13577", "value: 13577.123456")
    row = row("order: {more: jit, than: old, figures: [kept, closed]}", more:)

    assert_includes row[:published].whole, "(13 577.123456 against 10 185 requests/s)"
  end

  test "figures of two units are not put side by side" do
    row = row("order: {more: jit, than: old, figures: [large, mixed]}")

    refute_includes row[:published].whole, "against"
  end

  test "a published ratio of less than one per cent keeps its digits" do
    row = row("bound: {of: jit, to: old, below: 1.005, published: 1.0047}")

    assert_equal "+0.47 %; tested: under +0.5 %, requests/s", row[:published].whole
    texts = [1.0047, 1.049, 0.7, 1.334, 2.734, 12.0].map { Mohs::Repro::PublishedText.change(_1) }
    assert_equal ["+0.47 %", "+4.9 %", "-30 %", "+33 %", "+173 %", "12 times"], texts
    assert_equal ["0 %", "3 times"], [1.0, 3.0].map { Mohs::Repro::PublishedText.change(_1) }
  end

  test "a range that the source gives is printed as one" do
    row = row("ratio: {of: jit, to: old, published: [1.25, 1.4]}")

    assert_equal "+25 % to +40 %", row[:published].whole
  end

  test "an order that goes the other way says what is so" do
    row = row("order: {less: jit, than: old}")

    assert_equal 'contradicted: "jit" serves more than "old"', row[:judgement].whole
  end

  test "a gain is named with what it is over" do
    row = row("order: {more: jit, than: new, since: [old, old]}")
    assert_equal "agrees: \"jit\" gains more over \"old\" than \"new\" over \"old\"",
                 row[:judgement].whole

    values = { of: "a", rival: "b", more: false, metric: "p50", since: %w[c d] }
    assert_said(Mohs::Report::Render.text("repro_ordered", **values))
  end

  test "an equality says how near" do
    row = row("equal: {of: jit, to: old, margin: 5 %}", RATES.merge("jit" => 1001))

    assert_said(*[row[:published].whole, row[:judgement].whole])
  end

  test "stand-ins are named once, in one clause" do
    findings = [%w[2.7.4 2.6], %w[3.3.8 3.2.2]].map do |used, asked|
      Mohs::Analysis::Finding.note("repro_stand_in_only", used:, asked:)
    end

    assert_said(Mohs::Repro::Document.reason(findings))
  end

  test "what else stood in is named where it may be why" do
    only, same = %w[repro_stand_in_only repro_stand_in].map do |code|
      [Mohs::Analysis::Finding.note(code, used: "2.7.4", asked: "2.6")]
    end
    cores = [*only, Mohs::Analysis::Finding.note("repro_cores_only", here: 2, there: 8)]

    assert_said(*[only, same, cores].map { |one|
      Mohs::Repro::Document.reason(one, app: "our shop")
    })
  end

  test "the application here has the name that the study gives it, whatever describes it" do
    more = "source_had: {cores: 8}, ratio: {of: old, to: jit, published: 1.25, tolerance: 1 %}"
    named = FIGURES.sub("{application: our shop", '{app: "shop: 2, ours", application: a shop')
    found = document(more, more: named)

    assert_said(found[:claims].first[:reason])
    assert_equal "shop: 2, ours, a shop",
                 Mohs::Report::Views.of(found).table(:setting).rows.first[:here].text
    refute_includes document(more)[:claims].first[:reason], "the source's application"
  end

  test "both sides have the names of what ran" do
    more = "instead: {\"2.6\": [\"2.7\"]}"
    claim = "- {text: A, place: 3.1 and 3.2.1, order: {less: jit, than: \"2.6\"}}\n"
    study = "variants: [\"2.6\", \"jit::3.4.5 --yjit, puma:1x2\"]\n"
    publication = publication(claim, more:, study:)
    tests = choose(publication).tests
    run = reproduced(publication, { "2.7.4" => 1000, "jit" => 1300 }, tests:)
    judgements = Mohs::Repro::Judge.new(publication, tests, run).call
    found = Mohs::Repro::Document.new(run, publication, judgements).document
    view = Mohs::Report::Views.of(found)
    row = view.table(:claims).rows.first

    assert_equal "A (source: sections 3.1 and 3.2.1)", row[:claim].whole
    assert_includes row[:here].whole, "\"jit\" against 2.7.4"
    assert_match(/\Acontradicted: "jit" serves more than 2\.7\.4; /, row[:judgement].whole)
    assert_equal "2.6", found[:claims].first[:findings].first[:values][:rival]
    assert_equal [["jit", "3.4.5 --yjit, puma:1x2"]],
                 view.table(:variants).texts.drop(1)
  end

  test "a claim without a figure of ours names what it would compare" do
    levels = "variants: [#{%w[a b c d e].map { |it| "\"#{it}::3.4.5, N=#{it}\"" }.join(', ')}]"
    few, many = ["[b, c]", "[b, c, d, e]"].map do |others|
      publication = publication("- {text: A, place: p, order: {more: a, than: #{others}}}\n",
                                study: "#{levels}\n")
      judgements = Mohs::Repro::Judge.new(publication, choose(publication).tests, nil).call
      invocation = Mohs::Typed.invocation("a", "--quick", command: "repro")
      found = Mohs::Repro::Document.unmeasured(publication, judgements, size: "quick", invocation:)
      Mohs::Report::Views.of(found)
    end

    assert_said(*few.table(:claims).rows.first.texts(few.table(:claims).columns).values_at(1, 3))
    assert_said(many.table(:claims).rows.first[:published].whole)
    measure = few.remarks.find { |one| one.name == "measure" }
    assert_match(%r{\Amohs repro /.*/shop-2023 --full\z}, measure.command.to_s)
  end

  test "secrets are not in what a variant runs" do
    publication = publication("- {text: A, place: p, order: {more: a, than: b}}\n",
                              study: "variants: [\"a::3.4.5, API_KEY=hush\", \"b::3.4.5, puma\"]\n")
    levels = choose(publication).tests.first.levels.map(&:to_h)

    assert_equal ["3.4.5", "3.4.5, puma"],
                 Mohs::Repro::VariantList.new(publication, levels).to_a.map { |one| one[:runs] }
  end

  test "the rival is named once" do
    findings = [Mohs::Analysis::Finding.note("repro_ordered", of: "a", rival: "b", more: true,
                                                              metric: "p50"),
                Mohs::Analysis::Finding.note("repro_rival", rival: "b", farthest: false)]

    assert_said(Mohs::Repro::Document.reason(findings))
  end

  test "what was run there and here is five lines" do
    table = view("order: {more: jit, than: old}").table(:setting)

    assert_equal %w[application load machine software repeats],
                 table.rows.map { |row| row[:what].text }
    assert_equal ["a shop", "our shop"], table.rows.first.texts(table.columns).drop(1)
    assert_equal ["CRuby 3.2", "ruby 3.1.2p20"], table.rows[3].texts(table.columns).drop(1)
    assert_match(/\A3 rounds/, table.rows[4][:here].text)
  end

  test "terminal, page and Markdown have these lines, the figures and the sentence" do
    found = document("order: {less: jit, than: old, figures: [kept, closed]}")
    text = Mohs::Report::Terminal.new.call(found)
    html = Mohs::Report::Html.new(found).to_s
    markdown = Mohs::Exporters::Documents.fetch("markdown").new.call(found)

    assert_match(/^application  source  a shop$/, text)
    assert_match(/^             here    our shop$/, text)
    [text, html, markdown].each do |shown|
      assert_includes shown, "our shop"
      assert_match(/13.577 against 10.185 requests/, shown)
      assert_match(/contradicted: .*jit.* serves more than .*old/, shown)
    end
  end

  test "a study that says nothing about its source has no such lines" do
    assert_nil view("order: {more: jit, than: old}", more: "").table(:setting)
  end

  test "the source's address is a line, if it has one" do
    remark = view("order: {more: jit, than: old}").remarks.find { |one| one.name == "source" }

    assert_equal "https://example.org", remark.text
  end

  test "the first line is about the subject and its claims" do
    assert_equal "Rubies under a shop (A. Author and others 2023), measured again. Of 1 claim: 1 " \
                 "agrees.", view("order: {more: jit, than: old}").headline
  end
end

# frozen_string_literal: true

require "test_helper"
require_relative "../../rakelib/support/studies_page"

class RejudgedStudyTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-others"

  STUDY = "variants: [\"old::2.6\", \"new::3.4.5\", \"jvm::jruby-9.4\"]\n"
  ORDER = "order: {more: new, than: old}"
  STAND_IN = { code: "repro_stand_in", values: { used: "CRuby 2.7.4", asked: "CRuby 2.6",
                                                 used_ruby: "2.7.4", asked_ruby: "2.6" } }.freeze

  UNNAMED = "unnamed: [\"2.6\"]\ninstead: {\"2.6\": [\"2.7\"]}"

  # A recorded claim as the documents have it.
  def recorded(ratio = 1.3, interval = [1.2, 1.4], judgement: "agrees", **changes)
    { id: "A", text: "A", kind: "order", metric: "throughput", of: "new", to: ["old"], over: nil,
      since: nil, categories: nil, range: { low: 1.0, high: nil }, value: ratio, interval:,
      judgement:, findings: [{ code: "repro_ordered", values: { rival: "old" } }], **changes }
  end

  # The only claim, judged again. yaml: as published.yml states it now.
  def rejudged(yaml, claim, more: "", cautions: [], study: STUDY, **document)
    document = { name: "shop-2023", claims: [claim].flatten, cautions:,
                 host: { fingerprint: { cores: 2 } }, **document }
    publication = publication("- {text: A, place: p, #{yaml}}\n", more:, study:)
    rubies = Mohs::RecordedRubies.new(["ruby 2.6.10", "ruby 2.7.4", "ruby 3.4.5", "jruby 9.4.14.0"])
    @document = Mohs::RejudgedStudy.new(document, publication, rubies:).document
    @document[:claims].first
  end

  def codes(claim) = claim[:findings].map { |one| one[:code] }

  test "a claim that is stated as before keeps its judgement and figures" do
    found = rejudged(ORDER, recorded)

    assert_equal ["agrees", 1.3, %w[repro_ordered]],
                 [*found.values_at(:judgement, :value), codes(found)]
    assert_equal [1, "Rubies under a shop (A. Author and others 2023), measured again. Of 1 " \
                     "claim: 1 agrees."], [@document[:counts][:agrees], @document[:sentence]]
  end

  test "another range is judged by the interval alone, and says so" do
    { "above: 1.1" => "agrees", "above: 1.5" => "contradicted", "above: 1.3" => "undecided",
      "above: 1.1, below: 1.5" => "agrees" }.each do |limits, outcome|
      found = rejudged("bound: {of: new, to: old, #{limits}}", recorded)

      assert_equal outcome, found[:judgement], limits
      assert_includes codes(found), "repro_by_wider_interval"
    end
  end

  test "a published size is judged by the interval alone, and its direction" do
    { 1.3 => "agrees", 2 => "direction_only", 1.36 => "direction_only", 0.5 => "contradicted" }
      .each do |published, outcome|
      yaml = "ratio: {of: new, to: old, published: #{published}, tolerance: 9 %}"
      assert_equal outcome, rejudged(yaml, recorded)[:judgement], published
    end
    none = rejudged("ratio: {of: new, to: old, published: 1.3, tolerance: 9 %}",
                    recorded(1.0, [0.9, 1.05]))
    open = rejudged("ratio: {of: new, to: old, published: 1.3, tolerance: 9 %}",
                    recorded(1.1, [0.9, 1.3]))
    assert_equal %w[contradicted undecided], [none, open].map { |one| one[:judgement] }
  end

  # 95 % leave out 1.12, but not once eight claims are tested together.
  test "an interval alone is as wide as all claims of the study together make it" do
    yaml = "bound: {of: new, to: old, above: 1.12}}\n" + (1..7).map { |at|
      "- {text: B#{at}, place: p, order: {more: new, than: old}"
    }.join("}\n")
    alone, together = ["bound: {of: new, to: old, above: 1.12}", yaml].map do |claims|
      rejudged(claims, recorded, rounds: { done: 3 })
    end

    assert_equal %w[agrees undecided], [alone, together].map { |one| one[:judgement] }
    assert_equal %w[repro_by_wider_interval], codes(together)
  end

  test "no range of a rate that contains 1 agrees without totals" do
    found = %w[throughput memory].map do |metric|
      rejudged("bound: {of: new, to: old, above: 0.9, below: 1.5, metric: #{metric}}",
               recorded(metric:))
    end

    assert_equal %w[undecided agrees], (found.map { |one| one[:judgement] })
  end

  test "a stand-in contradicts for itself only, and agrees in part" do
    against, same = ["above: 1.5", "above: 1.1"].map do |limits|
      rejudged("bound: {of: new, to: old, #{limits}}", recorded(findings: [STAND_IN]),
               more: "instead: {\"2.6\": [\"2.7\"]}")
    end

    assert_equal ["contradicted", "repro_stand_in_only"], [against[:judgement], codes(against).last]
    assert_equal ["direction_only", "repro_stand_in"], [same[:judgement], codes(same).last]
  end

  test "what may no longer stand in was measured for nothing" do
    found = rejudged(ORDER, recorded(findings: [STAND_IN]), more: "instead: {\"2.6\": [\"3.4\"]}")
    own = rejudged("instead: {\"2.6\": [\"2.7\"]}, #{ORDER}", recorded(findings: [STAND_IN]))

    assert_equal [["not_measured", nil], ["direction_only", 1.3]],
                 [found, own].map { |one| one.values_at(:judgement, :value) }
  end

  test "a version that the source does not name stands in for none" do
    findings = [{ code: "repro_ordered", values: {} }, STAND_IN]
    found = rejudged(ORDER, recorded(judgement: "direction_only", findings:),
                     more: UNNAMED)
    only = [{ code: "repro_outside", values: { low: 1.0, high: nil } },
            { **STAND_IN, code: "repro_stand_in_only" }]
    against = rejudged(ORDER, recorded(judgement: "contradicted", findings: only),
                       more: UNNAMED)

    assert_equal ["agrees", %w[repro_ordered]], [found[:judgement], codes(found)]
    assert_equal %w[repro_outside repro_unnamed_only], codes(against)
    assert_equal ["CRuby 2.7.4"], against[:findings].last[:values][:used]
  end

  # As nothing stood in, the document has no finding on versions.
  test "a version that the source does not name, and that is installed, contradicts for itself" do
    claim = recorded(0.8, [0.7, 0.9], judgement: "contradicted")
    more, software = "unnamed: [\"2.6\"]", ["ruby 2.6.10", "ruby 3.4.5"]
    found = rejudged(ORDER, claim, more:, software:)
    again = rejudged(ORDER, { **claim, findings: found[:findings] }, more:, software:)

    assert_equal %w[repro_ordered repro_unnamed_only], codes(found)
    assert_equal ["2.6.10"], found[:findings].last[:values][:used]
    assert_equal found[:findings], again[:findings]
    assert_equal %w[repro_ordered], codes(rejudged(ORDER, claim, software:))
  end

  test "a size that differs stays one, whoever names the version" do
    findings = [{ code: "repro_other_size", values: {} }, STAND_IN]
    found = rejudged(ORDER, recorded(judgement: "direction_only", findings:),
                     more: UNNAMED)

    assert_equal "direction_only", found[:judgement]
  end

  test "what was not measured says so, and has no figure" do
    one = rejudged(ORDER, [])
    other = rejudged("order: {more: jvm, than: old}", recorded)
    stated = rejudged(ORDER, recorded(nil, nil, judgement: "not_testable",
                                                findings: [{ code: "repro_stated",
                                                             values: { why: "x" } }]))

    assert_equal [["not_measured", %w[repro_added], nil]] * 3,
                 [one, other, stated].map { |it| [it[:judgement], codes(it), it[:value]] }
  end

  test "what was not measured names the comparison that is missing" do
    found = rejudged(ORDER, [])
    missing = Mohs::Analysis::Finding.note("repro_added", **found[:findings].first[:values])
    text = Mohs::Repro::Document.reason([missing], levels: found[:levels])

    assert_equal({ of: "new", rivals: ["old"], quantity: "requests/s" },
                 found[:findings].first[:values])
    assert_said(text)
    again = rejudged(ORDER, found)
    assert_equal found[:findings], again[:findings]
  end

  # With the interval that is printed, a reader would decide.
  test "an interval that would decide alone is said to be one" do
    ratio = "ratio: {of: new, to: old, published: 1.3, tolerance: 10 %}"
    alone = { [1.2, 1.4] => "within", [1.5, 1.7] => "beyond", [1.1, 1.4] => nil }
    found = alone.keys.map do |interval|
      rejudged(ratio, recorded(1.3, interval, kind: "ratio", judgement: "direction_only",
                                              range: { low: 1.3 / 1.1, high: 1.3 * 1.1 },
                                              findings: [{ code: "repro_size_open",
                                                           values: { rounds: 9 } }]))
    end

    assert_equal alone.values, found.map { |one| one[:findings].first[:values][:alone] }
    assert_equal ["direction_only"], found.map { |one| one[:judgement] }.uniq
  end

  test "a wide interval is not too close to a limit" do
    found = [[1.3, [0.5, 3.0]], [1.01, [0.99, 1.03]]].map do |ratio, interval|
      rejudged(ORDER, recorded(ratio, interval, judgement: "undecided",
                                                findings: [{ code: "repro_noisy", values: {} }]))
    end

    assert_equal [{ wide: true }, {}], found.map { |one| one[:findings].first[:values] }
  end

  test "what was not measured and could not be is not testable, and says so" do
    found = rejudged("order: {more: jvm, than: old}", [],
                     study: STUDY.sub("jruby-9.4", "truffleruby-33"))

    assert_equal ["not_testable", %w[repro_absent]], [found[:judgement], codes(found)]
    assert_equal ["truffleruby-33"],
                 found.dig(:findings, 0, :values, :interpreters).map { |one| one[:asked] }
  end

  test "the number of rounds stands beside those that would decide, and levels have their names" do
    open = { code: "repro_rounds", values: { rounds: 9 } }
    found = rejudged(ORDER, recorded(judgement: "undecided", findings: [open]),
                     software: ["ruby 2.6.10", "ruby 3.4.5"], rounds: { done: 3 })

    assert_equal({ rounds: 9, alone: true, against: false, here: 3 },
                 found[:findings].first[:values])
    assert_equal %w[new old], found[:levels].map { |one| one[:level] }
    assert_equal [{ name: "old", runs: "2.6" }, { name: "new", runs: "3.4.5" }],
                 @document[:variants]
  end

  test "an order of several that holds says that it does for all" do
    found = [%w[old], %w[old jvm]].map do |to|
      rejudged("order: {more: new, than: [#{to.join(', ')}]}",
               recorded(to:, findings: [{ code: "repro_ordered", values: { rival: "old" } }]))
    end

    assert_equal [nil, ["jvm"]], found.map { |one| one[:findings].first[:values][:others] }
  end

  test "a claim that can't be tested has today's reason" do
    found = rejudged("not_testable: needs a proxy", recorded)

    assert_equal ["not_testable", { why: "needs a proxy" }],
                 [found[:judgement], found[:findings].first[:values]]
  end

  test "a claim that has other words keeps its figures, and gets none of a claim with its words" do
    found = rejudged(ORDER, [recorded(1.5, id: "B"), recorded(text: "B")])

    assert_equal ["A", 1.3], found.values_at(:text, :value)
  end

  # The note is read by its code and its variants: its words may be any.
  UNSTEADY = { code: "checks", name: "checks", text: "worded anew", finding: "steady.capped",
               variants: ["jvm on jruby-9.4.14.0", "new"] }.freeze
  JVM = { level: "jvm", variant: "jvm on jruby-9.4.14.0", asked: "jruby-9.1",
          used: "jruby-9.4.14.0", unnamed: nil }.freeze

  test "a JVM that still got faster has no rate, but memory; another server has one" do
    jvm = { of: "jvm", findings: [{ code: "repro_ordered", values: {} }], levels: [JVM] }
    cautions = [UNSTEADY]
    rate = rejudged("order: {more: jvm, than: old}", recorded(**jvm), cautions:)
    memory = rejudged("order: {more: jvm, than: old, metric: memory}",
                      recorded(**jvm, metric: "memory"), cautions:)
    other = rejudged(ORDER, recorded, cautions:)

    assert_equal [["undecided", nil], ["agrees", 1.3], ["agrees", 1.3]],
                 [rate, memory, other].map { |one| one.values_at(:judgement, :value) }
    assert_equal %w[repro_warming], codes(rate)
  end

  test "a rival that contradicts an order does so whatever the JVM would serve" do
    seen = { code: "repro_outside", values: { rival: "old", low: 1.0, high: nil } }
    claim = recorded(0.8, [0.7, 0.9], judgement: "contradicted", to: %w[old jvm],
                     findings: [seen], levels: [JVM])
    found = rejudged("order: {more: new, than: [old, jvm]}", claim, cautions: [UNSTEADY])

    assert_equal "contradicted", found[:judgement]
  end

  test "words of a note decide nothing" do
    text = "jvm: not steady: the cost of a response still changed after 200 requests in 3 s"
    notes = [{ **UNSTEADY, finding: "idle.busy", text: }, { **UNSTEADY, variants: %w[new], text: }]
    claim = recorded(of: "jvm", levels: [JVM])

    notes.each do |note|
      found = rejudged("order: {more: jvm, than: old}", claim, cautions: [note])
      assert_equal ["agrees", 1.3], found.values_at(:judgement, :value)
    end
  end

  test "fewer cores than the source had are named where they may be why" do
    yaml = "source_had: {cores: 8}, #{ORDER}"
    against = rejudged(yaml, recorded(judgement: "contradicted"))

    again = rejudged(yaml, recorded(judgement: "contradicted", findings: against[:findings]))

    assert_equal "repro_cores_only", codes(against).last
    assert_equal against[:findings], again[:findings]
    assert_equal({ there: 8, here: 2 }, against[:findings].last[:values])
    assert_equal %w[repro_ordered], codes(rejudged(yaml, recorded))
    assert_equal 1, @document[:counts][:agrees]
  end

  test "the recorded documents state claims as the studies do: judging them changes nothing" do
    library, rubies = Mohs::Repro::Library.new, Mohs::StudiesPage.rubies
    Mohs::StudiesPage.documents.each do |one|
      again = Mohs::RejudgedStudy.new(one, library.own(one[:name]), rubies:).document
      assert_equal JSON.generate(one), JSON.generate(again), one[:name]
    end
  end
end

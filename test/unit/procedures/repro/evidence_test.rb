# frozen_string_literal: true

require "test_helper"

# One claim and its contrasts, without the run and the table around them.
class ReproEvidenceTest < Mohs::TestCase
  include Mohs::Published
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-repro"

  # Has the variants, and the log differences of each from its rival. absent: variants without
  # figures. fatal: { variant => why it can't be compared }.
  Run = Struct.new(:differences, :totals, :absent, :fatal) do
    def cold_start = nil

    def rows
      row = Struct.new(:name, :measured?, :state)
      %w[old new jit].map { |name| row.new(name, !absent.to_a.include?(name), "waiting") }
    end

    def contrast(metric, one, _other)
      effect = Mohs::Stats::Effect.of(differences.is_a?(Hash) ? differences[one] : differences)
      total = totals && Mohs::Stats::Effect.of(totals)
      Mohs::Analysis::Contrast.new(metric:, effect:, total:, alpha: 0.05, fatal: fatal.to_h[one])
    end
  end

  MORE = "ratio: {of: jit, to: old, published: 1.25, tolerance: 10 %}"
  LESS = "ratio: {of: jit, to: old, published: 0.8, tolerance: 10 %}"

  def evidence(yaml, differences, totals: nil, absent: [], fatal: {})
    publication = publication("- {text: A, place: p, #{yaml}}\n")
    Mohs::Repro::Evidence.new(publication.claims.first, choose(publication).tests.first,
                              Run.new(differences, totals, absent, fatal))
  end

  # sure: which of the questions the table decided.
  def judge(yaml, differences, sure: Mohs::Repro::Judge::QUESTIONS, **options)
    one = evidence(yaml, differences, **options)
    Mohs::Repro::Judge::QUESTIONS.each do |kind|
      one.adjusted(kind, sure.include?(kind) ? 0.1 : 0.2, alpha: 0.1)
    end
    one.judgement
  end

  # Around a ratio, so far apart.
  def around(ratio, spread = 0.005, count: 4)
    Array.new(count) { |index| Math.log(ratio) + (index.even? ? spread : -spread) }
  end

  { [MORE, 1.25] => "agrees", [MORE, 1.5] => "direction_only", [MORE, 1.02] => "direction_only",
    [MORE, 0.9] => "contradicted", [LESS, 0.8] => "agrees", [LESS, 0.6] => "direction_only",
    [LESS, 1.1] => "contradicted" }.each do |(yaml, ratio), outcome|
    test "#{yaml[/published: [\d.]+/]}, here #{ratio}: #{outcome}" do
      assert_equal outcome, judge(yaml, around(ratio)).outcome
    end
  end

  test "one of several that serves more contradicts the claim, whatever the others would show" do
    order = "order: {more: jit, than: [old, new]}"
    found = [[0.9, ["new"]], [1.1, ["new"]], [0.9, ["jit"]], [0.9, %w[old new]]]
            .map { |ratio, absent| judge(order, around(ratio), absent:) }

    assert_equal [["contradicted", %w[repro_outside repro_rival]],
                  *[["not_measured", ["repro_unmeasured"]]] * 3],
                 found.map { |one| [one.outcome, one.findings.map(&:code)] }
    assert_equal "old", found.first.findings.last.values[:rival]
    assert_equal "new", found[1].findings.first.values[:variant]
    assert_nil found[1].interval

    fatal = { "new" => Mohs::Analysis::Finding.note("slowed_others", variant: "new", share: 1.2) }
    assert_equal %w[contradicted undecided],
                 [0.9, 1.1].map { |ratio| judge(order, around(ratio), fatal:).outcome }
    apart = { "old" => around(0.9), "new" => [] }
    assert_equal ["contradicted", "undecided"],
                 [apart, apart.merge("old" => around(1.1))].map { |one| judge(order, one).outcome }
  end

  # What can't be reported may not loosen the tests of other claims (Benjamini-Hochberg), and a
  # rival that is missing by chance may not loosen its own.
  test "of an order that can't be confirmed only the contradiction is tested, as one of all" do
    order = "order: {more: jit, than: [old, new]}"
    ahead, behind = [1.2, 0.9].map { |ratio| evidence(order, around(ratio), absent: ["new"]) }
    alone = Mohs::Stats::Effect.of(around(0.9))

    assert_in_delta 1.0, ahead.claim_p
    assert_in_delta 2 * 2 * alone.below(0.0), behind.claim_p, 1e-12
  end

  test "the rival that contradicts an order is shown, not one that may be further ahead" do
    differences = { "old" => around(0.95, 0.2), "new" => around(0.97) }
    found = judge("order: {more: jit, than: [old, new]}", differences)

    assert_equal ["contradicted", "new"], [found.outcome, found.findings.last.values[:rival]]
    assert_operator found.interval.high, :<, 1
  end

  test "a claim that agrees says how near it is, or that it only claims a direction" do
    order = "order: {more: jit, than: old, published: 1.6}"
    texts = [MORE, order].map { |yaml| reason(yaml, around(1.25)) }
    assert_match(/\+14 % and \+38 %/, texts[0])
    assert_match(/\A"jit" .* "old"\z/, texts[1])

    bounds = { "below: 1.3" => "below +30 %", "above: 0.9" => "above -10 %" }
    assert_equal bounds, (bounds.to_h do |side, _|
      [side, reason("bound: {of: jit, to: old, published: 1.2, #{side}}", around(1.2))]
    end)
    assert_said(reason("equal: {of: jit, to: old, margin: 5 %}", around(1.0)))

    differences = { "old" => around(1.2), "new" => around(1.1) }
    several = judge("order: {more: jit, than: [old, new]}", differences)
    assert_equal %w[new new], (several.findings.map { |one| one.values[:rival] })
    assert_equal ["old"], several.findings.first.values[:others]
  end

  test "what the table is sure of has to be in the interval as well" do
    assert_equal "undecided", judge(MORE, around(1.25, 0.3), sure: %i[claim_p]).outcome
    assert_equal "undecided", judge(LESS, around(1.25, 0.3), sure: %i[claim_p]).outcome
    assert_equal "undecided", judge(MORE, around(1.0, 0.3)).outcome
    assert_equal "undecided",
                 judge("bound: {of: jit, to: old, below: 1.1}", around(1.1, 0.1)).outcome
  end

  test "what is in the interval has to be sure for the table as well" do
    [MORE, LESS, "bound: {of: jit, to: old, below: 1.1}", "equal: {of: jit, to: old, margin: 9 %}",
     "order: {more: jit, than: [old, new]}"].each do |yaml|
      [0.5, 1.0, 1.25, 2.0].each do |ratio|
        assert_equal "undecided", judge(yaml, around(ratio), sure: []).outcome
      end
    end
  end

  test "that it is of the published size has to be sure, and that it is of another one" do
    found = [[1.25, %i[claim_p size_p]], [1.5, %i[claim_p agree_p]], [1.5, %i[claim_p size_p]]]
            .map { |ratio, sure| judge(MORE, around(ratio), sure:) }

    assert_equal [["direction_only", ["repro_size_open"]], ["direction_only", ["repro_size_open"]],
                  ["direction_only", ["repro_other_size"]]],
                 found.map { |one| [one.outcome, one.findings.map(&:code)] }
  end

  def reason(...) = Mohs::Report::Render.call(judge(...).findings.first)

  test "a surely other size is smaller or larger, whichever the direction" do
    { [MORE, 1.5] => "larger than published: between +14 % and +38 %",
      [MORE, 1.05] => "smaller than published: between +14 % and +38 %",
      [LESS, 0.6] => "larger than published: between -27 % and -12 %",
      [LESS, 0.95] => "smaller than published: between -27 % and -12 %" }.each do |given, words|
      assert_match(/\Ain the same direction, but #{Regexp.escape(words)} /,
reason(given[0], around(given[1])))
    end
  end

  # Inside the range the nearest end has to be left out, and outside of it as well.
  test "a size that is not known yet needs so many rounds, as strictly as its own question" do
    { 1.3 => [:agree_p, 1.375], 1.45 => [:size_p, 1.375] }.each do |ratio, (question, bound)|
      differences = around(ratio, 0.08, count: 6)
      one = evidence(MORE, differences)
      one.thresholds = { claim_p: 1e-9, agree_p: 1e-9, size_p: 1e-9, question => 0.01 }
      one.adjusted(:claim_p, 0.0, alpha: 0.1)
      found = one.judgement
      contrast = Run.new(differences).contrast(nil, "old", "jit")

      assert_equal ["direction_only", "repro_size_open",
                    contrast.needed(bound, most: 1000, level: 0.01)],
                   [found.outcome, found.findings.first.code, found.findings.first.values[:rounds]]
    end
  end

  test "in words a size that is not known yet is no other size" do
    assert_said(reason(MORE, around(1.3, 0.08, count: 6), sure: %i[claim_p]))
    assert_said(reason(MORE, around(1.375, 0.08, count: 6), sure: %i[claim_p]))
  end

  test "an agreement's p asks whether it is inside, and differs from 1, both two-sided" do
    near = Mohs::Stats::Effect.of(around(1.3, 0.02))
    inside = 2 * near.below(Math.log(1.25 * 1.1))
    wide = evidence("ratio: {of: jit, to: old, published: 2, tolerance: 90 %}", around(1.3, 0.2))
    equal = evidence("equal: {of: jit, to: old, margin: 5 %}", around(1.01, 0.02))

    assert_in_delta inside, evidence(MORE, around(1.3, 0.02)).agree_p, 1e-12
    assert_in_delta 1.0, evidence(MORE, around(1.5, 0.02)).agree_p, 1e-12
    assert_operator wide.agree_p, :>=, wide.claim_p
    assert_equal equal.claim_p, equal.agree_p
  end

  test "that there is no such difference is a question of its own" do
    none = around(1.001)

    assert_equal ["contradicted", "undecided"],
                 [%i[size_p], %i[claim_p]].map { |sure| judge(MORE, none, sure:).outcome }
    assert_equal ["repro_smaller"], judge(MORE, none).findings.map(&:code)
  end

  # Beside claims whose sizes are surely others, a size may be sure before its direction is.
  test "a difference in the claimed direction contradicts nothing, however large it is" do
    found = [[MORE, 2.5], [MORE, 1.06], [LESS, 0.4], [LESS, 0.96]].map do |yaml, ratio|
      judge(yaml, around(ratio, 0.02), sure: %i[size_p])
    end

    assert_equal [["undecided", ["repro_rounds"]]] * 4,
                 found.map { |one| [one.outcome, one.findings.map(&:code)] }
  end

  # It contains no difference, and one of half the published size.
  test "a size is contradicted by an interval that is nearer to no difference, not by a wide one" do
    yaml = "ratio: {of: jit, to: old, published: 2, tolerance: 20 %}"
    wide, near = [around(1.23, 0.12), around(1.0, 0.08)].map { |one| judge(yaml, one) }

    assert wide.interval.low < 1 && wide.interval.high < 2 / 1.2
    assert_equal %w[undecided contradicted], [wide, near].map(&:outcome)
  end

  test "more rounds may show that any difference is much smaller than published" do
    thresholds = { claim_p: 0.01, size_p: 0.02 }
    found = [[MORE, 1.001], [LESS, 0.999]].map do |yaml, ratio|
      one = evidence(yaml, around(ratio, 0.1))
      one.thresholds = thresholds
      one.judgement.findings.first
    end
    contrast = Run.new(around(1.001, 0.1)).contrast(nil, "old", "jit")
    rounds = contrast.needed(Math.sqrt(1.25 / 1.1), most: 1000, level: 0.02)

    assert_equal [["repro_rounds", rounds, true]] * 2,
                 found.map { |one| [one.code, *one.values.values_at(:rounds, :against)] }
  end

  test "the rounds that would confirm a claim do so for each of its rivals, and for totals" do
    wide, close = around(1.3, 0.6), around(1.1, 0.1)
    several = judge("order: {more: jit, than: [old, new]}", { "old" => close, "new" => wide },
                    sure: [])
    whole = judge("equal: {of: jit, to: old, margin: 5 %}", around(1.0, 0.05),
                  totals: around(1.0, 0.1), sure: [])
    run = Run.new({ "old" => wide, "new" => around(1.0, 0.1) })
    needed = [["old", 1.0], ["new", 1.05]].map do |rival, bound|
      run.contrast(nil, rival, "jit").needed(bound, most: 1000)
    end

    assert_equal needed, ([several, whole].map { |one| one.findings.first.values[:rounds] })
  end

  test "no number of rounds confirms an equality whose totals differ" do
    found = judge("equal: {of: jit, to: old, margin: 5 %}", around(1.0, 0.05),
                  totals: around(1.07, 0.1), sure: [])

    assert_equal ["undecided", ["repro_total"]], [found.outcome, found.findings.map(&:code)]
  end

  test "two are equal only if their totals are, pauses included" do
    equal = "equal: {of: jit, to: old, margin: 5 %}"
    bound = "bound: {of: jit, to: old, below: 1.1}"
    ratio = "ratio: {of: jit, to: old, published: 1.01, tolerance: 5 %}"
    found = [1.01, 0.9].product([equal, ratio, bound]).map do |total, yaml|
      judge(yaml, around(1.0), totals: around(total))
    end

    assert_equal %w[agrees agrees agrees undecided undecided agrees], found.map(&:outcome)
    found[3, 2].each do |one|
      assert_equal ["repro_total"], one.findings.map(&:code)
      assert_in_delta 0.9, one.findings.first.values[:ratio], 1e-6
    end
    unknown = judge(equal, around(1.0), totals: around(1.0, count: 2))
    assert_equal ["undecided", ["repro_no_total"]],
                 [unknown.outcome, unknown.findings.map(&:code)]
  end

  test "another range asks only that the totals are not surely outside" do
    { MORE => [1.25, 1.5], "order: {more: jit, than: old}" => [1.02, 0.9],
      "bound: {of: jit, to: old, above: 1.1}" => [1.25, 1.0] }.each do |yaml, (trimmed, out)|
      against, open, unknown = [around(out), around(out, 0.5), around(out, count: 2)]
                               .map { |totals| judge(yaml, around(trimmed), totals:) }

      assert_equal %w[undecided agrees agrees], [against, open, unknown].map(&:outcome), yaml
      assert_equal ["repro_total_outside"], against.findings.map(&:code)
    end
  end

  test "a difference goes no way whose totals surely go the other" do
    found = [0.9, 1.1].map { |total| judge(MORE, around(1.02), totals: around(total)) }

    assert_equal %w[undecided direction_only], found.map(&:outcome)
    assert_match(/\(-10 % \[-11 %, -9\.2 %\]\)\z/, Mohs::Report::Render.call(found.first.findings.first))
  end

  test "a metric without totals needs none" do
    found = judge("equal: {of: jit, to: old, metric: memory, margin: 5 %}", around(1.0))

    assert_equal "agrees", found.outcome
  end

  test "p is of no difference for a direction, two-sided" do
    [1.01, 0.99].each do |ratio|
      effect = Mohs::Stats::Effect.of(around(ratio, 0.02))

      assert_in_delta effect.p, evidence(MORE, around(ratio, 0.02)).claim_p, 1e-12
    end
    assert_in_delta 1.0, evidence(MORE, around(1.0, 0.02)).claim_p, 1e-12
  end

  test "of several rivals the least sure one supports an order, and the surest contradicts it" do
    near, far = around(1.01, 0.02), around(1.3, 0.02)
    supported = evidence("order: {more: jit, than: [old, new]}", { "old" => near, "new" => far })
    less = evidence("order: {less: jit, than: [old, new]}",
                    { "old" => near.map(&:-@), "new" => far.map(&:-@) })
    opposed = evidence("order: {more: jit, than: [old, new]}",
                       { "old" => near, "new" => far.map(&:-@) })

    p = Mohs::Stats::Effect.of(near).above
    assert_in_delta 2 * p, supported.claim_p, 1e-12
    assert_in_delta 2 * p, less.claim_p, 1e-12
    assert_in_delta 2 * 2 * Mohs::Stats::Effect.of(far).above, opposed.claim_p, 1e-12
    assert_in_delta 1.01, less.judgement.interval.value**-1, 1e-6
  end

  test "the rounds that would decide are those for the nearest end" do
    equal = "equal: {of: jit, to: old, margin: 5 %}"
    [[0.97, 1 / 1.05], [1.03, 1.05]].each do |ratio, bound|
      differences = around(ratio, 0.05)
      found = judge(equal, differences, sure: []).findings.first
      contrast = Run.new(differences).contrast(nil, "old", "jit")

      assert_equal ["repro_rounds", contrast.needed(bound, most: 1000)],
                   [found.code, found.values[:rounds]]
    end
  end

  # 45 rounds "decide" an equality of which the ratio is far: against it.
  test "what more rounds would say of the claim if the figure stayed is said" do
    equal = "equal: {of: jit, to: old, margin: 2 %}"
    found = [[equal, 1.003], [equal, 1.1], [MORE, 1.1], [MORE, 0.9]].map do |yaml, ratio|
      judge(yaml, around(ratio, 0.1), sure: []).findings.first
    end
    texts = found.map { |one| Mohs::Report::Render.call(one)[/.* would (.*) if/, 1] }

    assert_equal ["confirm it", "contradict it", "confirm its direction", "contradict it"], texts
    assert_said(Mohs::Report::Render.call(found.first))
  end

  test "an order of several holds for all of them, and says so" do
    order = "order: {more: jit, than: [old, new]}"
    found = judge(order, { "old" => around(1.2), "new" => around(1.4) })

    assert_said(Mohs::Repro::Document.reason(found.findings))
  end

  test "three rounds are enough for an interval, two are not" do
    found = [around(1.1, 0.1, count: 3), around(1.1, 0.1, count: 2), around(1.03, 0.9)]
            .map { |differences| judge(MORE, differences, sure: []).findings.first.code }

    assert_equal %w[repro_rounds repro_few repro_noisy], found
  end

  test "what the interval alone would decide is said, and what is wide is not called close" do
    alone = judge(MORE, around(1.25, 0.02), sure: %i[claim_p]).findings.first
    beyond = judge(MORE, around(1.6, 0.02), sure: %i[claim_p]).findings.first
    apart = judge(MORE, around(1.25, 0.02), sure: []).findings.first
    wide = judge(MORE, around(1.05, 1.5), sure: []).findings.first

    assert_equal ["within", "beyond", true],
                 [alone, beyond, apart].map { |one| one.values[:alone] }
    assert_said(Mohs::Report::Render.call(alone))
    assert_said(Mohs::Report::Render.call(apart))
    assert_match(/\Atoo uncertain: /, Mohs::Report::Render.call(wide))
  end

  test "a rival that it never ran beside leaves it undecided" do
    found = judge("order: {more: jit, than: [old, new]}", { "old" => around(1.2), "new" => [] })

    assert_equal [["repro_never_beside"], nil], [found.findings.map(&:code), found.interval]
  end
end

# frozen_string_literal: true

require "test_helper"

# Every ending of a run, in the words of its first line.
class RunHeadlineTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-runs"

  def built(rows, groups: [], rounds: 3, planned: 3, **document)
    Mohs::Rounds::Headline.new(
      { baseline: "base", margin: 0.01, rounds: { planned:, done: rounds }, rows:, groups:,
        **document }
    )
  end

  def sentence(...) = built(...).to_s

  def base(**changes) = row("base", :baseline, nil, **changes).merge(baseline: true)

  # ratio: the effect, and its interval where there is one.
  def row(name, outcome, *ratio, memory: 31e6, more: nil, **changes)
    effect, low, high = ratio
    findings = [Mohs::Analysis::Finding.new(code: "one_round", severity: :info)]
    verdict = Mohs::Analysis::Verdict.new(outcome:, against: "base", effect:, low:, high:,
                                          findings:)
    { variant: name, baseline: false, state: "measured", summary: nil,
      verdict: Mohs::Report::Render.verdict(verdict),
      trials: { started: 3, measured: 3 },
      errors: { total: 0, by_class: {}, share: 0.0, p: nil, differs: false },
      throughput_per_s: { value: 1204.0, low: 1190.0, high: 1218.0 },
      memory_bytes: { value: memory, low: nil, high: nil },
      memory_difference_bytes: more }.merge(changes)
  end

  def unmeasured(name, state, summary, **changes)
    row(name, :invalid, nil, state:, summary:, **changes)
  end

  test "one winner, and what it costs" do
    rows = [row("fast", :faster, 1.37, 1.358, 1.392, more: 27e6), base]
    assert_said(sentence(rows))
    cheap = [row("fast", :faster, 1.37, 1.358, 1.392, more: -11e6), base]
    assert_match(/, for 11 MB less memory\.\z/, sentence(cheap))
    same = [row("fast", :faster, 1.37, 1.358, 1.392), base]
    assert_match(/\[36, 39\]\.\z/, sentence(same))
  end

  test "a request that is a batch of jobs counts as its jobs" do
    jobs = Mohs::Study::Jobs.parse(count: 50).to_h
    assert_said(sentence([base], jobs:))
    rows = [row("fast", :faster, 1.37, 1.358, 1.392), base]
    assert_equal '"fast" runs 37 % more jobs a second than "base" [36, 39].', sentence(rows, jobs:)
    equal = [row("other", :equivalent, 1.001, 0.998, 1.004), base]
    assert_match(%r{\(jobs/s \+0\.1}, sentence(equal, jobs:))
  end

  test "a winner by far" do
    rows = [row("fast", :faster, 5.2, 5.0, 5.4), base]
    assert_said(sentence(rows))
  end

  test "winners that can't be told apart are all named" do
    rows = [row("x", :faster, 1.37, 1.35, 1.39), row("y", :faster, 1.36, 1.34, 1.38),
            row("z", :faster, 1.35, 1.3, 1.4), base]
    groups = [{ mark: "a", variants: %w[x y z] }]
    assert_said(sentence(rows, groups:))
    assert_said(sentence(rows, groups: [{ mark: "a", variants: %w[x y] }]))
    refute_match(/just as fast/, sentence(rows, groups: [{ mark: "a", variants: %w[y z] }]))
  end

  test "equal ones" do
    equal = row("x", :equivalent, 1.002, 0.995, 1.009)
    assert_equal '"x" and "base" are equal within 1 % (requests/s +0.2 % [-0.5, 0.9]).',
                 sentence([equal, base])
    assert_equal "All 3 are equal within 1 %.",
                 sentence([equal, row("y", :equivalent, 1.0, 0.995, 1.004), base])
  end

  test "undecided ones" do
    open = row("x", :undecided, 1.007, 0.996, 1.019)
    assert_equal 'Undecided: "x" is between 0.4 % slower and 1.9 % faster than "base" ' \
                 "after 3 rounds.",
                 sentence([open, base])
    rows = [open, row("y", :undecided, 1.0, 0.9, 1.1), row("z", :undecided, 0.99, 0.9, 1.1), base]
    assert_said(sentence(rows))
    assert_said(sentence([*rows.first(2), base]))
  end

  test "what the first sentence adds is not about the others" do
    rows = [row("x", :undecided, 1.007, 0.996, 1.019), row("y", :undecided, 1.0, 0.9, 1.1), base]
    failed = rows.first.merge(errors: { total: 3, by_class: {}, share: 0.002 })
    assert_match(/after 3 rounds; failed requests: "x" 0\.2 %\. Also undecided, with /,
                 sentence([failed, *rows.drop(1)]))
  end

  test "while there is no interval, nothing is ranked" do
    once = { trials: { started: 1, measured: 1 } }
    rows = [row("x", :undecided, 1.3, **once), row("y", :undecided, 0.7, **once), base]
    assert_said(sentence(rows, rounds: 1))
    assert_said(sentence(rows, rounds: 1, planned: 1))
    twice = row("x", :undecided, 1.3, trials: { started: 3, measured: 2 })
    assert_match(/; 2 are done\.\z/, sentence([twice, base]))
  end

  test "where a budget cut the rounds of an interval, the option is a budget" do
    rows = [row("x", :undecided, 1.3, trials: { started: 2, measured: 2 }), base]
    dropped, cut = [{ round_s: 45, budget_s: 120.0, needed: 3 }, { all_s: 400, enough_s: 1320 }]
                   .map { |values| [{ code: "any", values: }] }

    assert_match(/2 are done \(--budget 3m\)\.\z/, sentence(rows, planned: 2, dropped:))
    assert_match(/2 are done \(--budget 7m\)\.\z/, sentence(rows, planned: 2, dropped: cut))
  end

  test "rounds are those of the row: JVMs come after all that is quick" do
    open = row("x", :undecided, 1.007, 0.996, 1.019)
    assert_match(/after 3 rounds\.\z/, sentence([open, base], rounds: 0))
  end

  test "one without an interval yet doesn't hide another's" do
    once = { trials: { started: 1, measured: 1 } }
    jvm, other = %w[jvm mjit].map { |name| row(name, :undecided, 2.0, **once) }
    open = row("x", :undecided, 1.007, 0.996, 1.019)
    assert_said(sentence([jvm, open, base]))
    assert_said(sentence([jvm, other, open, base]))
    assert_said(sentence([jvm, open, row("y", :undecided, 1.0, 0.9, 1.1), base]))
  end

  # Of a row, from the log differences of its rounds.
  def judged(*differences, findings: [], above: 0.0)
    effect = Mohs::Stats::Effect.of(differences)
                                .biased(Mohs::Stats::Bias.new(below: 0.0, above:))
    verdict = Mohs::Analysis::Verdict::Judge.call(effect, against: "base", findings:)
    row("x", :undecided).merge(verdict: Mohs::Report::Render.verdict(verdict))
  end

  test "what no number of rounds would decide is too noisy, and nothing else is" do
    assert_said(sentence([judged(-1.0, 1.0, 0.1), base]))

    few = judged(0.8, 1.6, 2.4)
    assert_said(few[:verdict][:reasons].first)
    assert_equal "undecided 5.0 times [0.7, >10]", few[:verdict][:text]
    assert_match(/\AUndecided: "x" is between 32 % slower and over 900 % faster than "base" after/,
                 sentence([few, base]))
  end

  test "where a JIT makes the interval wide, that is said, and not that rounds differ" do
    rises = Mohs::Analysis::Finding.new(code: "may_rise", severity: :warn, subject: "x",
                                        values: { variant: "x", share: 1.0 })
    told, noisy = [[rises], []].map do |findings|
      sentence([judged(0.001, -0.001, 0.0, findings:, above: Math.log(2)), base])
    end

    assert_match(/slower and \d+ % faster than "base" after 3 rounds; "x" may still get/, told)
    assert_match(/slower and \d+ % faster than "base" after 3 rounds[^;]*\z/, noisy)
  end

  test "a winner is no winner over what may be faster still" do
    rows = [row("jvm", :undecided, 2.0), row("x", :faster, 1.37, 1.35, 1.39), base]
    assert_said(sentence(rows))
    two = [row("jvm", :undecided, 2.0), row("jit", :undecided, 1.5), *rows.last(2)]
    assert_said(sentence(two))
  end

  test "of many names three are told" do
    names = ("p".."w").to_a
    rows = [row("x", :faster, 1.37, 1.35, 1.39),
            *names.map { |name| row(name, :faster, 1.3, 1.2, 1.4) }, base]
    assert_said(sentence(rows, groups: [{ mark: "a", variants: ["x", *names] }]))
    assert_match(/; "p", "q" and "r" may/,
                 sentence(rows, groups: [{ mark: "a", variants: %w[x p q r] }]))
  end

  test "slower ones" do
    slow = row("x", :slower, 0.88, 0.86, 0.90)
    assert_said(sentence([base, slow]))
    slower = row("y", :slower, 0.5, 0.4, 0.6)
    assert_said(sentence([base, slow, slower]))
  end

  test "slower and equal ones" do
    rows = [row("x", :equivalent, 1.002, 0.995, 1.009), base, row("y", :slower, 0.5, 0.4, 0.6)]
    assert_said(sentence(rows))
  end

  test "one variant only" do
    assert_said(sentence([base]))
    once = base(throughput_per_s: { value: 40.2, low: nil, high: nil },
                memory_bytes: { value: nil })
    assert_equal '"base" serves 40 requests a second.', sentence([once])
  end

  test "only the baseline was measured" do
    rows = [base, unmeasured("x", "refused", "needs Java 21, found 17")]
    assert_said(sentence(rows))
    assert_said(sentence([base, unmeasured("x", "waiting", nil)]))
  end

  test "the baseline was not measured" do
    missing = unmeasured("base", "failed", "the server died").merge(baseline: true)
    assert_said(sentence([row("x", :invalid, nil), missing]))
    waiting = unmeasured("base", "waiting", nil).merge(baseline: true)
    assert_said(sentence([row("x", :invalid, nil), waiting]))
    assert_said(sentence([row("x", :invalid, nil), row("y", :invalid, nil)]))
  end

  test "nothing was measured" do
    refused = [unmeasured("base", "refused", "Could not find pg-1.5.9"),
               unmeasured("x", "failed", "died")]
    assert_said(sentence(refused))
    assert_said(sentence(refused.first(1)))
    assert_said(sentence([unmeasured("base", "waiting", nil)]))
    assert_said(sentence([]))
  end

  test "it says whose reason it gives" do
    refused, failed = unmeasured("x", "refused", "no"), unmeasured("base", "failed", "died")
    failed[:baseline] = true
    waiting = unmeasured("w", "waiting", nil)

    assert_equal %w[x], built([waiting, refused, failed]).covered
    assert_equal %w[x], built([refused]).covered
    assert_equal %w[base], built([row("y", :invalid, nil), refused, failed]).covered
    assert_equal %w[x], built([base, refused]).covered
    assert_empty built([base, waiting]).covered
    assert_empty built([base, row("y", :faster, 1.37, 1.35, 1.39), refused]).covered
    assert_empty built([base]).covered
    assert_empty built([waiting]).covered
  end

  def ended(name, of: name)
    finding = Mohs::Analysis::Finding.new(code: "ended_under_load", severity: :bad, subject: of,
                                          values: { variant: of, ended: 2, trials: 5 })
    verdict = Mohs::Analysis::Verdict.new(outcome: :invalid, against: "base", findings: [finding])
    row(name, :invalid).merge(verdict: Mohs::Report::Render.verdict(verdict))
  end

  test "a server that ended under load is named with how often" do
    text = "No verdict where a server ended: %s ended under load, without figures, in 2 of 5 boots."
    answer = '"a" serves 20 % more requests a second than "base" [15, 25].'

    assert_equal "#{answer} #{format(text, %("b"))}",
                 sentence([base, row("a", :faster, 1.2, 1.15, 1.25), ended("b")])
                   .gsub(/, for .* memory/, "")
    assert_equal format(text, %("base")),
                 sentence([base, ended("a", of: "base"), ended("b", of: "base")])
  end

  # It was measured as the fastest, since it took the core of the others.
  test "a server whose lead may be what it took from others is named, and is ahead of nobody" do
    finding = Mohs::Analysis::Finding.new(code: "slowed_others", severity: :bad, subject: "b",
                                          values: { variant: "b", share: 1.19 })
    verdict = Mohs::Analysis::Verdict.new(outcome: :invalid, against: "base", findings: [finding])
    busy = row("b", :invalid).merge(verdict: Mohs::Report::Render.verdict(verdict))

    assert_said(sentence([busy, base, row("a", :faster, 1.2, 1.15, 1.25)])
      .gsub(/, for .* memory/, ""))
  end
end

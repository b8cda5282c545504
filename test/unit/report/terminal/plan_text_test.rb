# frozen_string_literal: true

require "test_helper"

class PlanTextTest < Mohs::TestCase
  include Mohs::CLIHelper

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-plans"

  def head(**changes)
    declared = fixture_study(rounds: 1)
    study = Mohs::Study.new(**declared.each_pair.to_h, **changes)
    style = Mohs::Report::Terminal::Style.new(width: 200)
    Mohs::Report::Terminal::PlanText.of(study, study.procedure.plan(seed: 1), style:).head
  end

  test "the plan says why each refused variant is" do
    study = fixture_study(rounds: 1)
    refusal = Mohs::Reason.new(summary: "it does not start", code: "x")
    other = Mohs::Study::Variant.new(name: "jruby", ruby: "jruby", server: "puma", refusal:)
    study = Mohs::Study.new(**study.each_pair.to_h, variants: [*study.variants, other])
    style = Mohs::Report::Terminal::Style.new(width: 200)
    plan = study.procedure.plan(seed: 1)
    text = Mohs::Report::Terminal::PlanText.of(study, plan, style:).to_s

    assert_equal "refused: jruby: it does not start\n", text.lines.last
    refute_includes text, "–"
  end

  test "a time that is not known is not printed, but what the user asked for" do
    shape = lambda do |**changes|
      study = fixture_study(**changes)
      plan = study.procedure.plan(seed: 1)
      style = Mohs::Report::Terminal::Style.new(width: 200)
      head = Mohs::Report::Terminal::PlanText.of(study, plan, style:, open: true).head
      head.lines[1][/\A.*?(?= · )/]
    end

    assert_said(shape.call(rounds: nil))
    assert_said(shape.call(rounds: 4))
    assert_equal "2 variants, at most 30 s", shape.call(rounds: nil, budget_s: 30)
  end

  test "what mohs left out of its own choice is one line" do
    names = { "3.1.2 --mjit" => nil, "2.7.4" => "not allowed", "2.6.9" => "not allowed",
              "3.3.8" => nil }
    omitted = names.map { |name, why| { name:, why: } }

    assert_said(head(omitted:).lines.drop(2).join.split.join(" "))
    assert_equal "not measured: 2.7.4: not allowed\n", head(omitted: [omitted[1]]).lines.last
    [[], nil].each { |none| assert_equal 2, head(omitted: none).lines.size }
  end

  test "a Ruby that was named although the application does not allow it is one line" do
    forbidden = ["3.4.5", "3.3.8"].map { |name| { name:, why: 'ruby "< 3.3" in the Gemfile' } }

    assert_said(head(forbidden:).lines.last)
    [[], nil].each { |none| assert_equal 2, head(forbidden: none).lines.size }
  end

  test "private services are one line, with who asks for them" do
    services = [{ name: "redis", by: nil }, { name: "postgresql", by: "config/database.yml" }]

    assert_said(head(services:).lines[2])
    [[], nil].each { |none| assert_equal 2, head(services: none).lines.size }
  end

  test "jobs are what is requested, and what runs them is one line" do
    jobs = Mohs::Study::Jobs.parse(worker: "sidekiq -c 5")

    assert_said(head(jobs:).lines.first)
    assert_said(head(jobs:).lines[2])
    assert_equal 2, head(jobs: Mohs::Study::Jobs.parse).lines.size
  end

  test "a cold start is one line" do
    cold_start = Mohs::Study::ColdStart.new(batches: 64, requests: 1024)

    assert_said(head(cold_start:).lines[2])
    assert_equal 2, head.lines.size
  end

  test "a baseline whose name has several words is quoted" do
    variants = ["old on 2.7.4", "3.1.2"].map do |name|
      Mohs::Study::Variant.new(name:, ruby: "3.1.2", server: "puma", processes: 1, threads: 5)
    end
    shape = head(variants:, baseline: "old on 2.7.4", baseline_reason: "from study.yml").lines[1]

    assert_match(/· baseline: "old on 2\.7\.4" \(from study\.yml\)$/, shape)
  end

  def yours(name: "yours", **members)
    [Mohs::Study::Variant.new(name:, ruby: "4.0.5", server: "puma", processes: 1, threads: 5,
                              own_jit: true, **members), fixture_study.variants.last]
  end

  test "what yours is stands with the reason for it as the baseline, else on a line" do
    reason = ".ruby-version says 4.0.6, which is not installed"
    heads = [{ app_jit: "yjit" }, {}, { app_jit: "yjit", asked_jit: "off" },
             { name: "yours, puma:1x5" }].map do |members|
      variants = yours(**members)
      head(variants:, baseline: variants.first.name, baseline_reason: reason).lines.drop(1)
    end
    beside = head(variants: yours(app_jit: "yjit"), baseline: "3.4.5").lines

    assert_said(*heads.map { |lines| lines.join[/baseline: .*/m] }, beside.drop(2).join)
  end

  test "a label that reads yours is not the application's Ruby" do
    labelled = yours(labelled: true)
    texts = ["3.4.5", labelled.first.name].map do |baseline|
      head(variants: labelled, baseline:, baseline_reason: "first")
    end

    texts.each { |text| refute_includes text, labelled.first.ruby }
  end

  test "what a warm-up may take is one line" do
    assert_said(head(warm_up_s: 30.0).lines[2])
  end

  test "of Rubies that compile in the background the plan says how long they are warmed up" do
    engines = { "3.1.2" => "ruby", "jruby-9.4" => "jruby", "t" => "truffleruby" }
    variants = engines.map do |name, engine|
      Mohs::Study::Variant.new(name:, ruby: name, engine:, server: "puma", processes: 1, threads: 5)
    end
    line = lambda do |**changes|
      text = head(variants:, baseline: "3.1.2", baseline_reason: "first", **changes)
      text.lines.drop(2).join.split.join(" ")
    end

    cold_start = Mohs::Study::ColdStart.new(batches: 64, requests: 9)
    [{}, { warm_up_s: 300 }, { warm_up_s: 3 }, { cold_start: }].each do |one|
      assert_said(line.call(**one))
    end
  end

  test "that stacks are sampled is one line" do
    assert_said(head(profile: true).lines[2])
  end

  def looks(**rules)
    comparison = Mohs::Compare::Rules.new(candidate: "3.4.5", **rules)
    study = fixture_study(rules: comparison.within(@budget_s))
    plan = study.procedure.plan(seed: 1)
    style = Mohs::Report::Terminal::Style.new(width: 200)
    Mohs::Report::Terminal::PlanText.of(study, plan, style:).to_s.split("\n\n").last.lines
  end

  test "the plan of a comparison is when it may be decided, and how long each takes" do
    first, second, *, last = looks

    assert_match(/\Aafter  +about +look\n\z/, first)
    assert_match(/\A3 cohorts +\d+ s +the first/, second)
    assert_match(/\A30 cohorts +\d.*the last/, last)
    assert_equal 2, looks(quick: true).size
  end

  test "hosts that share the cohorts of a run are named with its time" do
    comparison = Mohs::Compare::Rules.new(candidate: "3.4.5")
    [fixture_study(rounds: 2), fixture_study(rules: comparison)].each do |study|
      plan = study.procedure.plan(seed: 1, hosts: 2)
      style = Mohs::Report::Terminal::Style.new(width: 200)
      text = Mohs::Report::Terminal::PlanText.of(study, plan, style:, hosts: 2).to_s

      assert_includes text.split.join(" "), "about #{plan.estimate_s} s on 2 hosts "
      assert_match(/^3 cohorts +#{plan.estimate_s} s/, text) if study.procedure.ends_at_a_look?
    end
  end

  test "a budget ends the looks" do
    @budget_s = 20
    assert_said(looks.last)
  end

  test "a budget that probably ends before the first look is announced with it" do
    text = lambda do |budget_s|
      head(rules: Mohs::Compare::Rules.new(candidate: "3.4.5", budget_s:)).split.join(" ")
    end

    late = /in about \d+ s, after the end of the budget of 5 s \(--budget \d+s reaches it\)\z/
    assert_match late, text.call(5)
    [nil, 600].each { |budget_s| assert_match(/first look in about \d+ s\z/, text.call(budget_s)) }
  end

  test "a comparison of what was never measured announces no time" do
    study = fixture_study(rules: Mohs::Compare::Rules.new(candidate: "3.4.5"))
    plan = study.procedure.plan(seed: 1)
    said = lambda do |cohorts|
      rest = Mohs::Plan.new(**plan.each_pair.to_h, cohorts:, estimate_s: 9)
      style = Mohs::Report::Terminal::Style.new(width: 200)
      text = Mohs::Report::Terminal::PlanText.of(study, rest, style:, guessed: true).head
      text.lines.drop(1).join.split.join(" ")
    end

    assert_said(said.call(plan.cohorts))
    assert_said(said.call(plan.cohorts.drop(2)))
  end

  test "that a budget is too short for a first look is said although nobody knows the page" do
    said = lambda do |budget_s|
      study = fixture_study(rules: Mohs::Compare::Rules.new(candidate: "3.4.5", budget_s:))
      style = Mohs::Report::Terminal::Style.new(width: 200)
      text = Mohs::Report::Terminal::PlanText.of(study, study.procedure.plan(seed: 1), style:,
                                                 guessed: true).head
      text.lines.drop(1).join.split.join(" ")
    end

    assert_match(/ first look after 3 cohorts, which take \d+ s or more: the budget of 5 s/,
                 said.call(5))
    assert_match(/ ends before it \(try --budget \d+s\)\z/, said.call(5))
    assert_match(/ the first shows how long they take\z/, said.call(600))
  end

  test "a comparison that is resumed is announced until its next look, or the last cohort" do
    study = fixture_study(rules: Mohs::Compare::Rules.new(candidate: "3.4.5"))
    plan = study.procedure.plan(seed: 1)
    text = lambda do |cohorts|
      rest = Mohs::Plan.new(**plan.each_pair.to_h, cohorts:, estimate_s: 9)
      style = Mohs::Report::Terminal::Style.new(width: 200)
      Mohs::Report::Terminal::PlanText.of(study, rest, style:).head.lines[1]
    end
    solo = { **plan.cohorts.last.to_h, solo: true }

    assert_includes text.call(plan.cohorts), "first look in about 9 s"
    assert_said(text.call(plan.cohorts.drop(2)))
    assert_includes text.call([Mohs::Plan::CohortSpec.new(**solo)]), "each alone, about 9 s"
  end

  def sized(*threads, **values)
    fixture_study.variants.zip(threads).map do |variant, count|
      Mohs::Study::Variant.new(**variant.each_pair.to_h, processes: 1, threads: count, **values)
    end
  end

  test "more connections than threads are told before the start" do
    lines = head(connections: 8, variants: sized(5, 16)).lines

    assert_match(/ · 8 connections · /, lines.first)
    assert_said(lines[2])
  end

  test "nothing is told where each has a thread, streams, or the application's configuration" do
    [{ connections: 5 }, { connections: nil }, { connections: 8, own_config: true },
     { connections: 8, streams: Mohs::Study::Streams.new }].each do |given|
      assert_equal 2, head(variants: sized(5, 16), **given).lines.size, given.inspect
    end
  end
end

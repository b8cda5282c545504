# frozen_string_literal: true

require "test_helper"

class ProgressTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::ProgressHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report-terminal"

  Terminal = Mohs::Report::Terminal

  def lines(**style, &block)
    progress(Terminal::LineProgress, StringIO.new(+""), **style, &block)
  end

  test "without UTF-8 progress is ASCII" do
    [Terminal::LineProgress, Terminal::LiveProgress].each do |kind|
      text = progress(kind, StringIO.new(+""), ascii: true) do |progress|
        progress.call(:plan, { plan: @plan, study: @study })
        progress.call(:cohort_started, cohort(0))
      end

      assert_predicate text, :ascii_only?
      assert_includes text, " - GET /products - "
    end
  end

  test "lines: the plan, each cohort with the time left, and what is known after it" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      progress.call(:trial, { variant: "3.1.2", stage: :boot })
      @clock.pass(1.4)
      progress.call(:trial, { stage: :measure, block: 1, of: 2 })
      @clock.pass(4.6)
      progress.call(:cohort_finished, { **cohort(0), document: fixture_document })
      progress.call(:cohort_started, cohort(1))
      progress.close
    end

    assert_equal <<~TEXT, text.gsub(/3\.[14]\.[25] · 3\.[14]\.[25] ·/, "both ·")
      mohs #{Mohs::VERSION} · shop · GET /products · 4 connections · seed 1
      2 variants, 2 rounds, about 16 s · baseline: 3.1.2 (.ruby-version)
      round 1/2 · both · 0:16 left
        so far: #{fixture_document[:sentence].sub(" memory.", "\n    memory.")}
      round 2/2 · both · 0:15 left
    TEXT
  end

  # An event of Rounds::TimeCap: the second cohort goes.
  def cut(**values)
    names = ["jruby-10", "rjit"].map { |name| { name:, code: "cut_variant" } }
    cut = [*names, { rounds: 1, of: 2, code: "cut_rounds" }].map do |one|
      { **one, values: { announced_s: 16, enough_s: 61, rounds: 2 } }
    end
    plan = Mohs::Plan.new(**@plan.each_pair.to_h, cohorts: @plan.cohorts.first(1), rounds: 1)
    { plan:, cut:, announced_s: nil, **values }
  end

  test "lines: what is cut to keep the announced time, and how to ask for it" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:plan_changed, cut)
      progress.call(:cohort_started, cohort(0))
    end

    assert_said(*text.lines(chomp: true).last(5))
  end

  test "lines: rounds that are cut are left to the table: the next estimate may bring them back" do
    fewer = Mohs::Plan.new(**@plan.each_pair.to_h, cohorts: @plan.cohorts.first(1), rounds: 1)
    texts = [[], [{ plan: fewer, cut: cut[:cut].last(1), announced_s: nil }]].map do |changes|
      lines do |progress|
        progress.call(:plan, { plan: @plan, study: @study })
        changes.each { |change| progress.call(:plan_changed, change) }
      end
    end

    assert_equal(*texts)
  end

  test "lines: the number of rounds that is shown stays the announced one, unless more are added" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      [2, 1, 2, 5, 4, 3].each do |rounds|
        plan = Mohs::Plan.new(**@plan.each_pair.to_h, rounds:)
        progress.call(:plan_changed, { plan:, cut: [], announced_s: nil })
        progress.call(:cohort_started, cohort(0))
      end
      progress.call(:plan_changed, { plan: @plan, cut: [], announced_s: 160 })
      progress.call(:cohort_started, cohort(1))
    end

    assert_equal %w[2 2 2 5 5 5 2], text.scan(%r{^round \d/(\d)}).flatten
  end

  # The last line, after a plan that was changed.
  def changed(**values)
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:plan_changed, cut(**values))
    end
    text.lines.last
  end

  test "lines: where rounds are cut and another time is announced, that is one sentence" do
    rounds = cut[:cut].last(1)

    assert_equal "it takes longer than announced: about 1 min 1 s in all, 1 round\n",
                 changed(cut: rounds, announced_s: 61)
    refute_includes lines { |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:plan_changed, cut(cut: rounds, announced_s: 61))
    }, "left out"
  end

  test "lines: a time that is not known is announced once, after the first cohort" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study, open: true })
      progress.call(:cohort_started, cohort(0))
      progress.call(:plan_changed, cut(announced_s: 300))
      progress.call(:cohort_finished, cohort(0))
      plan = Mohs::Plan.new(**@plan.each_pair.to_h, rounds: 7)
      progress.call(:plan_changed, { plan:, cut: [], announced_s: 100, first: true })
      progress.call(:plan_changed, { plan:, cut: [], announced_s: 110 })
      progress.call(:cohort_started, cohort(1))
    end

    assert_said(text.gsub(/3\.[14]\.[25] · 3\.[14]\.[25] ·/, "both ·").lines.drop(1).join)
  end

  test "lines: if only what was not known can't be installed, the time is announced at once" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study, open: true })
      progress.call(:replanned, { plan: @plan, study: @study, open: true })
      progress.call(:replanned, { plan: @plan, study: @study, open: false })
    end

    assert_equal ["2 rounds, about 16 s in all\n"], text.lines.drop(2)
  end

  test "lines: where nothing can be cut, the new time" do
    assert_equal "it takes longer than announced: about 1 min 1 s in all, 2 rounds\n",
                 changed(plan: @plan, cut: [], announced_s: 61)
  end

  # What is said of new times, in seconds, of a run that was announced with 16 s.
  def said_of(*times)
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      times.each do |announced_s|
        progress.call(:plan_changed, cut(plan: @plan, cut: [], announced_s:))
      end
    end
    text.lines(chomp: true).grep(/announced/)
  end

  test "lines: a new time is longer or shorter than the one that was announced first" do
    assert_said(*said_of(249, 159))
    assert_said(*said_of(249, 8))
  end

  test "lines: a new time within a quarter of the first is not said, whatever was said since" do
    assert_empty said_of(20, 12)
    assert_said(*said_of(8, 15, 16))
  end

  test "lines: each direction is said once" do
    assert_said(*said_of(8, 6, 30, 60, 7))
  end

  test "lines: what was measured is told after the first round, compared or not" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      document = Mohs::Stored.document(SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1400 },
                                                            rounds: 1).to_h)
      progress.call(:cohort_finished, { **cohort(0), document: })
    end

    assert_match(%r{^  1 round, no interval yet: 3\.4\.5 1 \d{3}/s \(boot \d+ ms\) · 3\.1\.2 1 },
                 text)
    refute_includes text, "so far"
  end

  test "lines: when the first interval comes is printed until there is one" do
    plan = fixture_study(rounds: 4).procedure.plan(seed: 1)
    text = lines do |progress|
      progress.call(:plan, { plan:, study: @study })
      4.times do |round|
        progress.call(:cohort_started, cohort(0).merge(cohort: round, round: round + 1))
        @clock.pass(8)
        result = SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1400 }, rounds: round + 1).to_h
        progress.call(:cohort_finished, { **cohort(0), document: Mohs::Stored.document(result) })
      end
    end

    flat = text.gsub(/\n +(?=first|interval|in|about|\d+ s)/, " ")
    assert_equal %w[30 20], flat.scan(/first interval in about (\d+) s$/).flatten, text
  end

  test "lines: a plan of too few rounds announces no interval" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      result = SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1400 }, rounds: 1).to_h
      progress.call(:cohort_finished, { **cohort(0), document: Mohs::Stored.document(result) })
    end

    assert_includes text, "1 round, no interval yet"
    refute_includes text, "first interval"
  end

  test "lines: that intervals narrow at the end is told once, with the first of them" do
    document = Mohs::Stored.document(SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1400 }).to_h)
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      2.times { progress.call(:cohort_finished, { **cohort(0), document: }) }
    end

    once = Mohs::Rounds::ProgressText::WIDER
    assert_equal [2, 1], ["so far", once].map { |words| text.scan(words).size }
  end

  test "lines: what could not be measured is printed at once, with why and what to do" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      progress.call(:trial, { variant: "3.4.5", stage: :ended, state: "failed",
                              reason: Mohs::Reason.parse("the server died: exit 3\ntry -v") })
    end

    assert_equal ["  3.4.5 failed: the server died: exit 3\n", "    try -v\n"], text.lines.last(2)
  end

  test "lines: a reason that several variants share is told once, and whose it is too" do
    missing = Mohs::Reason.parse("GET / answered 404\ntry /x")
    died = Mohs::Reason.parse("the server died")
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      [["a", missing], ["b", missing], ["c", died], ["d", missing]].each do |variant, reason|
        progress.call(:trial, { variant:, stage: :ended, state: "refused", reason: })
      end
      progress.call(:cohort_finished, cohort(0))
      progress.call(:trial, { variant: "e", stage: :ended, state: "refused", reason: died })
      %w[c e].each do |variant|
        progress.call(:trial, { variant:, stage: :ended, state: "refused", reason: died })
      end
      progress.call(:cohort_finished, cohort(0))
      progress.call(:trial, { variant: "e", stage: :ended, state: "refused", reason: died })
      2.times { progress.call(:cohort_finished, cohort(0)) }
    end

    assert_said(*text.lines(chomp: true).last(5))
  end

  test "lines: what is known after the last cohort is left to the table" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_finished, { **cohort(1), document: fixture_document })
    end

    refute_includes text, "so far"
  end

  test "lines: where nothing was measured there is nothing to say so far" do
    rows = fixture_document[:rows].map { |row| row.merge(state: "refused") }
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_finished, { **cohort(0), document: fixture_document(rows:) })
    end

    refute_includes text, "so far"
  end

  test "lines: another baseline is said once, when the declared one has not booted" do
    other = { baseline: "3.4.5", baseline_reason: "3.1.2 did not boot" }
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      [fixture_document, fixture_document.merge(other), fixture_document.merge(other)]
        .each { |document| progress.call(:cohort_finished, { **cohort(1), document: }) }
    end

    assert_equal ["baseline 3.4.5 instead (3.1.2 did not boot)\n"], text.lines.grep(/instead/)
  end

  test "lines: stopped while it installs, it says what is kept and how to go on" do
    text_of = lambda do |installed, **options|
      out = StringIO.new(+"")
      style = Terminal::Style.new(width: 80)
      Terminal::LineProgress.new(out, style:, clock: @clock, **options)
                            .call(:install_stopped, { installed:, left: %w[3.4.5 4.0.0] })
      out.string
    end

    assert_said(text_of.call(%w[3.1.2 3.3.8], again: "mohs --get /products"))
    assert_said(text_of.call([]))
  end

  test "lines: time left is that of the plan without what could not be installed" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      shorter = Mohs::Plan.from_h({ **@plan.to_h, cohorts: @plan.to_h[:cohorts].first(1),
                                     estimate_s: 8 })
      progress.call(:replanned, { plan: shorter, study: @study })
      progress.call(:cohort_started, cohort(0))
    end

    assert_said(paragraph(text, "it takes"))
    assert_includes text, "0:08 left"
    assert_equal 1, text.scan("2 variants").size
  end

  test "lines: a run of which nothing can be installed gets no new time" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      cohort = { **@plan.to_h[:cohorts].first, baseline: nil, estimate_s: 0 }
      nothing = Mohs::Plan.from_h({ **@plan.to_h, cohorts: [cohort], estimate_s: 0 })
      progress.call(:replanned, { plan: nothing, study: @study })
    end

    refute_includes text, "announced"
  end

  test "lines: what a host did not finish, and what hosts go on with after Ctrl-C" do
    text = lines do |progress|
      progress.call(:host_left, { **cohort(1), host: "b", reason: "no space left" })
      progress.call(:fleet_unfinished, { cohorts: 2, hosts: %w[a b], key: "7c1a" })
      progress.call(:fleet_unfinished, { cohorts: 1, hosts: %w[a], key: "7c1a" })
    end

    assert_said(text)
  end

  test "lines: a run of a fleet that goes on here is no longer measured by the fleet" do
    text = lines do |progress|
      progress.call(:without_fleet, { hosts: %w[a b] })
      progress.call(:without_fleet, { hosts: [] })
    end

    assert_said(text)
  end

  test "lines: another baseline is told, with why" do
    other = fixture_study(baseline: "3.4.5", baseline_reason: "3.1.2 can't be installed")
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:replanned, { plan: @plan, study: other })
    end

    assert_operator text, :end_with?, "\nbaseline 3.4.5 instead (3.1.2 can't be installed)\n"
  end

  test "lines: the Ruby that is measured in place of another is told" do
    added = %w[3.3.8 3.3.8\ --yjit].map { |name| Mohs::Study::Variant.new(name:, ruby: "3.3.8") }
    other = fixture_study(variants: @study.variants + added)
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:replanned, { plan: @plan, study: other })
    end

    assert_operator text, :end_with?, "\nmeasuring 3.3.8, 3.3.8 --yjit instead\n"
  end

  test "what needs neither gems nor copies is not announced" do
    text = lines do |progress|
      progress.call(:outstanding, { gems: { fetch: 0, copy: 0 }, seconds: 3.0 })
    end

    assert_empty text
  end

  test "lines: an installation is told once a Ruby, and with its time at the end" do
    text = lines do |progress|
      progress.call(:install, { ruby: "3.4.5", line: "installing for 3.4.5: resolving shop" })
      progress.call(:outstanding, { gems: { fetch: 1, copy: 67 }, seconds: 65.2 })
      3.times { |index| progress.call(:install, { ruby: "3.4.5", line: "gem #{index}" }) }
      progress.call(:outstanding_longer, { seconds: 130.2 })
      progress.call(:installed,
                    { ruby: "3.4.5", seconds: 22.4, state: :ok,
                      notes: [Mohs::App::Note.of("ruby_line_ignored", line: 'ruby "3.1"')] })
      @clock.pass(11)
      progress.call(:install, { ruby: "3.4.5", line: "compiling sassc" })
      progress.call(:install, { ruby: "3.4.5", line: "not told: too soon" })
      progress.call(:installed, { ruby: "2.7.4", seconds: 3, state: :failed, notes: [],
                                  reason: Mohs::Reason.parse("no pg\napt-get install libpq-dev") })
    end

    assert_said(text)
  end

  test "lines: reasons of one cause are printed once, whatever Ruby their words name" do
    reasons = %w[2.7.4 3.1.2].to_h do |ruby|
      [ruby, Mohs::Reason.new(summary: "pg does not build on #{ruby}", code: "gem_not_built",
                              values: { gem: "pg" })]
    end
    text = lines do |progress|
      reasons.each do |ruby, reason|
        progress.call(:installed, { ruby:, seconds: 3, state: :failed, reason: })
      end
      reasons.each do |variant, reason|
        progress.call(:trial, { variant:, stage: :ended, state: "refused", reason: })
      end
      progress.call(:cohort_finished, cohort(0))
    end

    assert_said(text.lines.first(4).join)
  end

  test "lines: a reason why nothing can be installed is told once" do
    text = lines do |progress|
      [["3.1.2", "no network", 3], ["3.4.5", "no network", nil], ["2.7.4", "pg does not build", 3]]
        .each do |ruby, reason, seconds|
        progress.call(:installed, { ruby:, seconds:, state: :failed,
                                    reason: Mohs::Reason.parse(reason) })
      end
    end

    assert_said(text)
  end

  test "another mohs that has the machine is told, with its process where that can be seen" do
    output = lines do |progress|
      [4711, 4711, nil].each { |holder| progress.call(:trial, { stage: :wait, holder: }) }
      progress.call(:trial, { stage: :wait, holder: 12, user: "ann" })
      progress.call(:trial, { stage: :wait, holder: 12, machine: "lab@b" })
    end

    assert_said(output)
  end

  test "a wait for another mohs tells each minute how long it has taken" do
    output = lines do |progress|
      2.times do
        150.times do
          progress.call(:trial, { stage: :wait, holder: 4711 })
          @clock.pass(1)
        end
        progress.call(:trial, { stage: :boot, variant: "a" })
      end
    end
    assert_said(output)
  end

  test "no word is broken where a line is longer than the terminal is wide" do
    output = lines(width: 60) do |progress|
      progress.call(:trial, { stage: :wait, holder: 4711 })
      progress.call(:outstanding, { gems: { fetch: 33, copy: 31 }, seconds: 3000.0 })
    end

    assert_said(output)
  end

  test "a run that is resumed at its end has nothing left, and no plan of 0 variants" do
    done = Mohs::Plan.new(**@plan.to_h, cohorts: [], estimate_s: 0)
    text = lines { |progress| progress.call(:plan, { plan: done, study: @study }) }

    assert_equal "already complete\n", text.lines.last
  end

  test "time left is not longer because another mohs was waited for" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      progress.call(:trial, { stage: :wait, holder: 4711 })
      @clock.pass(500)
      progress.call(:trial, { variant: "3.4.5", stage: :boot })
      @clock.pass(0.7)
      progress.call(:trial, { stage: :measure, block: 1, of: 2 })
      @clock.pass(4.6)
      progress.call(:cohort_finished, { **cohort(0), document: fixture_document })
      progress.call(:cohort_started, cohort(1))
    end

    assert_equal "0:10 left", text.lines.last[/\S+ left$/]
  end

  test "events that nobody knows are let pass, and silence is silent" do
    assert_empty(lines { |progress| progress.call(:finished, { document: nil }) })
    null_progress = Terminal::NullProgress.new

    assert_nil null_progress.call(:plan, {})
    assert_nil null_progress.close
  end
end

# frozen_string_literal: true

require "test_helper"

class LiveProgressTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::ProgressHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report-terminal"

  def live(out = Mohs::CLIHelper::Terminal.new(100), &block)
    progress(Mohs::Report::Terminal::LiveProgress, out, &block)
  end

  test "live: a line with a bar, redrawn in place, and wiped at the end" do
    text = live do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      @clock.pass(4)
      progress.call(:trial, { variant: "3.4.5", stage: :warm, requests: 1240,
                             per_s: 1210.4 })
      progress.close
    end

    assert_includes text,
                    "\e[1A\r\e[Jin the warm-up, which does not count: 3.4.5 1 210/s\n\n" \
                    "round 1/2  #{'━' * 6}#{'─' * 18}  24 %  0:13 left  " \
                    "3.4.5 warming up (1 240 requests, 1 210/s)\n"
    assert_operator text, :end_with?, "\e[3A\r\e[J"
  end

  test "live: what fills the databases is named" do
    [[nil, "db:prepare"], ["bin/fill", "--prepare"]].each do |prepare, name|
      text = live do |progress|
        study = Mohs::Study.new(**@study.each_pair.to_h, prepare:)
        progress.call(:plan, { plan: @plan, study: })
        progress.call(:cohort_started, cohort(0))
        @clock.pass(4)
        progress.call(:trial, { variant: "3.4.5", stage: :prepare })
      end

      assert_match(/3\.4\.5 .* databases \(#{name}\)$/, text)
    end
  end

  test "live: as long as its time is not known, a run has no bar" do
    text = live do |progress|
      progress.call(:plan, { plan: @plan, study: @study, open: true })
      progress.call(:cohort_started, cohort(0))
      @clock.pass(4)
      progress.call(:trial, { variant: "3.4.5", stage: :boot })
      @clock.pass(4)
      progress.call(:plan_changed, { plan: @plan, cut: [], announced_s: 30, first: true })
      progress.call(:trial, { variant: "3.4.5", stage: :stop })
    end

    assert_said(paragraph(text, "round"))
    assert_includes text, "\e[J2 rounds, about 30 s in all\n"
    assert_match(%r{round 1/2  .* %  0:\d\d left  3\.4\.5 stopping\n\z}, text)
  end

  test "live: a wait for another mohs is told in place, and replaced when its turn comes" do
    text = live do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      2.times do
        @clock.pass(80)
        progress.call(:trial, { stage: :wait, holder: 4711, user: "ann" })
      end
      @clock.pass(1)
      progress.call(:trial, { variant: "3.4.5", stage: :boot })
    end

    waits = %w[0:00 1:20].map do |waited|
      "\e[1A\r\e[Jwaiting #{waited} for another mohs (process 4711 of ann); " \
        "not counted in announced times\n"
    end
    assert_includes text, waits.join
    assert_match(/\A\e\[1A\r\e\[Jround 1.*3\.4\.5 booting\n\z/, text.split(waits.join).last)
  end

  test "live: each host of a fleet has a line of its own while it measures" do
    text = live(Mohs::CLIHelper::Terminal.new(100, 40)) do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, { **cohort(0), host: "b" })
      @clock.pass(61)
      progress.call(:cohort_started, { **cohort(1), host: "db-1" })
      @clock.pass(1)
      progress.call(:cohort_finished, { **cohort(0), host: "b" })
    end

    assert_includes text, "b     1:01  round 1 · 3.1.2 · 3.4.5\n" \
                          "db-1  0:00  round 2 · 3.4.5 · 3.1.2\n\n" \
                          "0 of 2 cohorts done  2 hosts of the fleet measure\n"
    assert_operator text, :end_with?, "\e[Jdb-1  0:01  round 2 · 3.4.5 · 3.1.2\n\n" \
                                      "1 of 2 cohorts done  1 host of the fleet measures\n"
  end

  test "live: a host that does not finish a cohort loses its line" do
    text = live(Mohs::CLIHelper::Terminal.new(100, 40)) do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      %w[a b].each_with_index { |host, at| progress.call(:cohort_started, { **cohort(at), host: }) }
      @clock.pass(1)
      progress.call(:host_left, { **cohort(1), host: "b", reason: nil })
    end

    assert_said(paragraph(text.gsub(/\e\[\d*[A-Z]|\r/, ""), "b did"))
    assert_operator text, :end_with?, "\na  0:01  round 1 · 3.1.2 · 3.4.5\n\n" \
                                      "0 of 2 cohorts done  1 host of the fleet measures\n"
  end

  test "live: the table so far stands above the line" do
    text = live(Mohs::CLIHelper::Terminal.new(100, 40)) do |progress|
      progress.call(:cohort_finished, { **cohort(0), document: fixture_document })
    end

    assert_includes text, "3.4.5 --yjit        342  1 652 ±1.1 %"
  end

  test "live: under a table with intervals stands why they narrow at the end" do
    wider = Mohs::Rounds::ProgressText::WIDER
    found = [2, 3].map do |rounds|
      result = SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1400 }, rounds:).to_h
      live(Mohs::CLIHelper::Terminal.new(100, 40)) do |progress|
        progress.call(:plan, { plan: @plan, study: @study })
        progress.call(:cohort_finished, { **cohort(0), document: Mohs::Stored.document(result) })
      end
    end

    refute_includes found.first, wider
    assert_includes found.last, "baseline\n#{wider}\n"
  end

  test "live: under a table without intervals stands when the first one comes" do
    result = SampleResult.new({ "3.1.2" => 1200, "3.4.5" => 1400 }, rounds: 1).to_h
    text = live(Mohs::CLIHelper::Terminal.new(100, 40)) do |progress|
      progress.call(:plan, { plan: fixture_study(rounds: 4).procedure.plan(seed: 1),
                             study: @study })
      progress.call(:cohort_started, cohort(0))
      @clock.pass(8)
      progress.call(:cohort_finished, { **cohort(0), document: Mohs::Stored.document(result) })
      progress.call(:cohort_started, { **cohort(1) })
      @clock.pass(8)
      progress.call(:trial, { stage: :measure, block: 1, of: 2 })
    end

    assert_match(/baseline\nfirst interval in about 30 s\n\nround 1/, text)
    assert_match(/baseline\nfirst interval in about 20 s\n\nround 2/, text)
  end

  test "live: why servers boot anew is said" do
    text = live(Mohs::CLIHelper::Terminal.new(100, 40)) do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      @clock.pass(1)
      progress.call(:trial, { stage: :alone, variants: ["3.1.2"] })
      @clock.pass(1)
      progress.call(:trial, { variant: "3.4.5", stage: :boot })
    end

    assert_operator text.index("3.1.2 failed beside others: booting all again"), :<,
                    text.rindex("3.4.5 booting")
  end

  test "live: until a cohort is done, what warmed up at which rate stands above the line" do
    text = live(Mohs::CLIHelper::Terminal.new(100, 40)) do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      { "3.4.5" => 1210.4, "3.1.2" => 980.0 }.each do |variant, per_s|
        @clock.pass(1)
        progress.call(:trial, { variant:, stage: :warm, requests: 500, per_s: })
      end
      @clock.pass(1)
      progress.call(:trial, { stage: :measure, block: 1, of: 6 })
      progress.call(:cohort_finished, { **cohort(0), document: fixture_document })
    end

    line = "in the warm-up, which does not count: 3.4.5 1 210/s · 3.1.2 980/s\n\nround 1/2"
    assert_operator text.rindex(line), :<, text.rindex("measuring, block 1 of 6")
    refute_includes text.partition("measuring, block 1 of 6").last, "not measured"
  end

  test "live: no more lines than the terminal has" do
    text = live(Mohs::CLIHelper::Terminal.new(100, 8)) do |progress|
      progress.call(:cohort_finished, { **cohort(0), document: fixture_document })
    end

    assert_operator text.lines.size, :<, 8
  end

  test "live: it is redrawn a few times a second at most" do
    text = live do |progress|
      100.times do
        @clock.pass(0.01)
        progress.call(:trial, { stage: :measure, block: 1, of: 2 })
      end
    end

    assert_operator text.scan("measuring, block 1 of 2").size, :<=, 6
  end

  test "live: what is said scrolls up, what is drawn stays below" do
    text = live do |progress|
      progress.call(:install, { ruby: "3.4.5", line: "installing for 3.4.5: puma" })
      progress.call(:installed, { ruby: "3.4.5", seconds: 22.4, state: :ok })
    end

    assert_said(text)
  end

  test "after it was closed nothing is drawn" do
    text = live do |progress|
      progress.close
      progress.call(:trial, { variant: "3.4.5", stage: :stop })
    end

    assert_empty text
  end
end

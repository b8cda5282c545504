# frozen_string_literal: true

require "test_helper"

class ProgressTest < Mohs::TestCase
  include Mohs::CLIHelper

  Terminal = Mohs::Report::Terminal

  # A clock that is set by hand.
  class HandClock
    attr_accessor :mono_ns

    def initialize = @mono_ns = 0

    def pass(seconds) = @mono_ns += (seconds * 1_000_000_000).to_i
  end

  def setup
    @clock = HandClock.new
    @study = fixture_study(rounds: 2)
    @plan = Mohs::Plan.build(@study, seed: 1) # two cohorts of 8 s
  end

  def lines(&block) = told(Terminal::LineProgress, StringIO.new(+""), &block)

  def live(out = Mohs::CLIHelper::Terminal.new(100), &block)
    told(Terminal::LiveProgress, out, &block)
  end

  def told(kind, out, width: 100)
    progress = kind.new(out, style: Terminal::Style.new(width:), clock: @clock)
    yield progress
    out.string
  end

  def cohort(number)
    { cohort: number, of: 2, round: number + 1, variants: @plan.cohorts[number].variants }
  end

  test "lines: the plan, each cohort with the time left, and what is known after it" do
    text = lines do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      progress.call(:trial, { variant: "3.1.2", stage: :boot })
      @clock.pass(16)
      progress.call(:cohort_finished, { **cohort(0), document: fixture_document })
      progress.call(:cohort_started, cohort(1))
      progress.close
    end

    assert_equal <<~TEXT, text.gsub(/3\.[14]\.[25] · 3\.[14]\.[25] ·/, "both ·")
      mohs #{Mohs::VERSION} · shop · GET /products · 4 connections · seed 1
      2 variants, 2 rounds, about 16 s · baseline 3.1.2 (.ruby-version)
      round 1/2 · both · 0:16 left
        so far: #{fixture_document[:sentence]}
      round 2/2 · both · 0:16 left
    TEXT
  end

  test "lines: an installation is told once a Ruby, and with its time at the end" do
    text = lines do |progress|
      3.times { |index| progress.call(:install, { ruby: "3.4.5", line: "gem #{index}" }) }
      progress.call(:installed,
{ ruby: "3.4.5", seconds: 22.4, state: :ok, notes: ["ruby \"3.1\" was set aside"] })
      progress.call(:installed, { ruby: "2.7.4", seconds: 3, state: :failed })
    end

    assert_equal <<~TEXT, text
      installing what 3.4.5 needs
      installed for 3.4.5 in 22 s (once; not counted)
        ruby "3.1" was set aside
      installed for 2.7.4 in 3 s (once; not counted): it failed, that row says why
    TEXT
  end

  test "live: a line with a bar, redrawn in place, and wiped at the end" do
    text = live do |progress|
      progress.call(:plan, { plan: @plan, study: @study })
      progress.call(:cohort_started, cohort(0))
      @clock.pass(4)
      progress.call(:trial, { variant: "3.4.5", stage: :warm, live: { completed: 1240 } })
      progress.close
    end

    assert_includes text,
"\e[1A\r\e[Jround 1/2  #{'━' * 6}#{'─' * 18}  25 %  0:12 left  3.4.5 warms up (1 240 requests)\n"
    assert_operator text, :end_with?, "\e[1A\r\e[J"
  end

  test "live: the table so far stands above the line" do
    text = live(Mohs::CLIHelper::Terminal.new(100, 40)) do |progress|
      progress.call(:cohort_finished, { **cohort(0), document: fixture_document })
    end

    assert_includes text, "3.4.5 --yjit       342  1 652 ±1.1 %"
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
        progress.call(:trial, { variant: "3.4.5", stage: :measure })
      end
    end

    assert_operator text.scan("3.4.5 is measured").size, :<=, 6
  end

  test "live: what is said scrolls up, what is drawn stays below" do
    text = live do |progress|
      progress.call(:install, { ruby: "3.4.5", line: "installing for 3.4.5: puma" })
      progress.call(:installed, { ruby: "3.4.5", seconds: 22.4, state: :ok })
    end

    assert_equal "installing for 3.4.5: puma\n" \
                 "\e[1A\r\e[Jinstalled for 3.4.5 in 22 s (once; not counted)\n",
text
  end

  test "after it was closed nothing is drawn" do
    text = live do |progress|
      progress.close
      progress.call(:trial, { variant: "3.4.5", stage: :stop })
    end

    assert_empty text
  end

  test "events that nobody knows are let pass, and silence is silent" do
    assert_empty(lines { |progress| progress.call(:finished, { document: nil }) })
    silence = Terminal::Silence.new

    assert_nil silence.call(:plan, {})
    assert_nil silence.close
  end

  test "time left follows how long cohorts really take" do
    clockwork = Terminal::Clockwork.new(@plan, clock: @clock)
    assert_equal [0.0, 16.0], [clockwork.share, clockwork.left_s]

    clockwork.started(0)
    @clock.pass(100)
    assert_in_delta 0.475, clockwork.share # what runs is never taken for done
    clockwork.finished(0)
    clockwork.started(1)

    assert_in_delta 100, clockwork.left_s
    assert_in_delta 0.5, clockwork.share
    clockwork.finished(1)
    assert_equal [1.0, 0.0], [clockwork.share, clockwork.left_s]
  end
end

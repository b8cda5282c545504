# frozen_string_literal: true

require "test_helper"
require "io/console"
require "pty"

# The live view on a real terminal, whose screen is kept here as a terminal would keep it.
class LiveProgressOnATerminalTest < Mohs::TestCase
  include Mohs::CLIHelper

  # Only what is drawn with: lines, up, and erase to the end.
  class Screen
    def initialize
      @lines = [+""]
      @row = 0
    end

    def feed(text)
      text.scan(/\e\[(?:\d*)[A-Za-z]|\r|\n|[^\e\r\n]+/) { |piece| take(piece) }
      self
    end

    def to_s = @lines.map { |line| "#{line.rstrip}\n" }.join.sub(/\n+\z/, "\n")

    private

    def take(piece)
      case piece
      when /\A\e\[(\d+)A/ then @row -= Regexp.last_match(1).to_i
      when "\e[J" then @lines = [*@lines.first(@row), +""]
      when "\r" then nil
      when "\n" then newline
      else @lines[@row] = piece
      end
      raise "the cursor left the screen" if @row.negative?
    end

    def newline
      @row += 1
      @lines[@row] ||= +""
    end
  end

  # [what is on the screen in the end, everything that was written].
  def on_terminal(columns:, rows:, closed: true)
    written = +""
    PTY.open do |reader, writer|
      writer.winsize = [rows, columns]
      style = Mohs::CLI::Context.new(env: { "NO_COLOR" => "1" }).style(writer)
      progress = Mohs::Report::Terminal::LiveProgress.new(writer, style:, clock: clock)
      yield progress
      progress.close if closed
      written << reader.read_nonblock(1 << 20) while reader.wait_readable(0.2)
    end
    [Screen.new.feed(written.force_encoding("UTF-8")).to_s, written]
  end

  # Each look at it is half a second later, so that everything is drawn.
  def clock
    Class.new { def mono_ns = @mono_ns = @mono_ns.to_i + 500_000_000 }.new
  end

  def study = @study ||= fixture_study(rounds: 2)

  def plan = @plan ||= study.procedure.plan(seed: 1)

  NOTE = Mohs::App::Note.of("submodules_left", typed: "@main").freeze

  # A whole run, up to the last cohort's measuring.
  def play(progress)
    progress.call(:plan, { plan:, study: })
    progress.call(:install, { ruby: "3.4.5", line: "installing for 3.4.5: puma #{'x' * 300}" })
    progress.call(:installed, { ruby: "3.4.5", seconds: 22, state: :ok, notes: [NOTE] })
    plan.cohorts.each_with_index do |cohort, index|
      facts = { cohort: index, of: 2, round: index + 1, variants: cohort.variants }
      progress.call(:cohort_started, facts)
      cohort.variants.each { |variant| stages(progress, variant) }
      progress.call(:trial, { stage: :measure, block: 3, of: 20 })
      progress.call(:cohort_finished, { **facts, document: fixture_document }) if index.zero?
    end
  end

  def stages(progress, variant)
    %i[boot attest check].each { |stage| progress.call(:trial, { variant:, stage: }) }
    progress.call(:trial, { variant:, stage: :warm, requests: 1240 })
    reason = Mohs::Reason.parse("died")
    progress.call(:trial, { variant:, stage: :ended, state: "failed", reason: })
  end

  STYLE = Mohs::Report::Terminal::Style.new

  SAID = <<~TEXT
    mohs #{Mohs::VERSION} · shop · GET /products · 4 connections · seed 1
    2 variants, 2 rounds, about 16 s · baseline: 3.1.2 (.ruby-version)
    installed for 3.4.5 in 22 s (once; not counted)
      @main lacks its submodules
  TEXT

  test "in the end only what was said is left, and no colour under NO_COLOR" do
    screen, written = on_terminal(columns: 100, rows: 30) { |progress| play(progress) }

    assert_equal SAID, screen
    refute_match(/\e\[\d+m/, written)
  end

  [[80, 24], [100, 30], [40, 10]].each do |columns, rows|
    test "while it runs, all fits #{columns} columns and #{rows} rows" do
      screen, written = on_terminal(columns:, rows:, closed: false) { |progress| play(progress) }
      drawn = screen.lines(chomp: true)

      assert_match(%r{\Around 2/2  ━}, drawn.last)
      assert_includes drawn.last, columns > 60 ? "measuring, block 3 of 20" : "…"
      redrawn = written.gsub(/\e\[\d*[AJ]|\r/, "").lines(chomp: true) - SAID.lines(chomp: true)
      assert_operator redrawn.map(&:length).max, :<=, columns
      heights = written.scan(/\e\[(\d+)A/).flatten.map(&:to_i)
      assert_operator heights.max, :<, rows
    end
  end

  test "the table of the first cohort stays above the line of the second" do
    screen, = on_terminal(columns: 100, rows: 30, closed: false) { |progress| play(progress) }

    assert_includes screen,
                    "\n3.1.2               296  1 204 ±1.3 %       0.81  1.92  14.0     812  31  " \
                    "baseline\n"
    assert_operator screen, :start_with?, SAID
  end

  test "the same as lines: no escape, a line when something begins, the sentence after a cohort" do
    out = StringIO.new(+"")
    progress = Mohs::Report::Terminal::LineProgress.new(out, style: STYLE, clock:)
    play(progress)

    refute_includes out.string, "\e"
    assert_equal ["mohs", "2", "installing", "installed", "", "round", "", "", "", "", "round"],
                 (out.string.lines.map { |line| line[/\A\w*/] })
    assert_equal 1, out.string.scan(/^  3\.\d\.\d failed: died$/).size
    assert_equal 1, out.string.scan(/^  3\.\d\.\d: the same reason as 3\.\d\.\d$/).size
    wrapped = fixture_document[:sentence].sub(" memory.", "\n    memory.")
    assert_includes out.string, "  so far: #{wrapped}\n"
  end

  test "as lines, what was refused before the start is not announced as if it ran" do
    refused = Mohs::Study::Variant.new(name: "old", refusal: Mohs::Reason.parse("does not start"))
    study = fixture_study(rounds: 2, variants: [*fixture_study.variants, refused])
    plan = study.procedure.plan(seed: 1)
    out = StringIO.new(+"")
    progress = Mohs::Report::Terminal::LineProgress.new(out, style: STYLE, clock:)
    progress.call(:plan, { plan:, study: })
    plan.cohorts.each do |cohort|
      facts = { cohort: cohort.position, of: 3, round: cohort.round, variants: cohort.variants }
      progress.call(:cohort_started, facts)
      progress.call(:cohort_finished, { **facts, document: fixture_document })
    end

    refute_includes out.string, "old"
    assert_equal 1, out.string.scan("so far").size
  end
end

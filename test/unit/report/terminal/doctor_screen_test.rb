# frozen_string_literal: true

require "test_helper"

# The doctor's screen, from documents.
class DoctorScreenTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report-terminal"

  def check(name, level, remedy: nil)
    { name:, label: name.tr("_", " "), value: 1, unit: "times", level:,
      detail: "#{name} is #{level}", remedy: }
  end

  def screen(checks, all: false, width: 100, colour: false, **rest)
    document = { checks:, unknown: [], changes: nil, self_test: nil, **rest }
    style = Mohs::Report::Terminal::Style.new(width:, colour:)
    Mohs::Report::Terminal::DoctorScreen.new(document, style:, all:).to_s
  end

  def change(path, **rest) = { path:, was: "a", now: "b", state: "done", reason: nil, **rest }

  UNKNOWN = [{ name: "turbo", label: "turbo", reason: "no switch for it" }].freeze

  test "within a level checks stay in their order" do
    checks = [check("c", "warn"), check("b", "bad"), check("a", "warn"), check("d", "bad")]
    marks = screen(checks).lines.grep(/ is /).map { |line| line.split[1] }

    assert_equal %w[b d c a], marks
  end

  test "a host of which nothing can be seen says so" do
    assert_said(screen([], unknown: UNKNOWN))
  end

  test "with --all nothing is collapsed, and what is unknown has its reason" do
    text = screen([check("swap", "ok"), check("gaps", "bad", remedy: "wait")],
                  unknown: UNKNOWN, all: true)

    assert_said(*text.lines(chomp: true).drop(2))
  end

  test "many that are well are wrapped below their mark" do
    names = ("a".."z").map { |letter| letter * 5 }
    lines = screen(names.map { |name| check(name, "ok") }, width: 60).lines(chomp: true).drop(2)

    assert_operator lines.size, :>, 2
    assert(lines.drop(1).all? { |line| line.start_with?(" " * 6) })
    assert(lines.all? { |line| line.length <= 60 })
    names.each { |name| assert_includes lines.join(" "), name }
  end

  test "colour repeats what the words say, and nothing else" do
    checks = [check("gaps", "bad"), check("steal", "warn"), check("swap", "ok")]
    coloured = screen(checks, unknown: UNKNOWN, colour: true)

    assert_includes coloured, "\e[31mbad   \e[0m"
    assert_includes coloured, "\e[33mwarn  \e[0m"
    assert_equal screen(checks, unknown: UNKNOWN), coloured.gsub(/\e\[\d+m/, "")
  end

  test "changes that differ in what was are told apart" do
    text = screen([], changes: [change("/a"), change("/b", was: "x"), change("/c"), change("/d")])

    assert_includes text, "done   /a and 2 more: a -> b\ndone   /b: x -> b\n"
  end

  test "a change that was left alone says why" do
    text = screen([], changes: [change("/a", state: "left", reason: "it has been set to c since")])

    assert_said(text)
  end

  test "seconds of a noisy host are minutes" do
    self_test = { cohorts: 3, resolves: [{ difference: 0.05, seconds: 59.4 },
                                         { difference: 0.02, seconds: 110.0 },
                                         { difference: 0.01, seconds: 4000.0 }] }
    text = screen([], self_test:).tr("\n", " ")

    assert_includes text, "a difference of 5 % in 59 s, 2 % in 1 min 50 s, 1 % in 66 min"
  end
end

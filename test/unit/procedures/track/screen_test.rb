# frozen_string_literal: true

require "test_helper"
require "support/sample_history"

class HistoryScreenTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-track"

  def screen(logs, width: 80)
    document = SampleHistory.document(SampleHistory.points(logs))
    style = Mohs::Report::Terminal::Style.new(width:)
    Mohs::Report::Terminal.new(style:).call(document)
  end

  test "each point has its column, and a change its mark below" do
    lines = screen(SampleHistory.steps([30, 0.1], [10, 0.07])).lines.map(&:chomp)
    field = lines.grep(/ \|/)

    assert_equal 9, field.size
    assert_equal 40, field.join.count("o")
    assert_match(/\A\+1[01]\.\d % \|/, field.first)
    marks = lines.find { |line| line.strip == "^" }
    assert_equal 30, marks.index("^") - field.first.index("|") - 2
    assert_match(/\Ac00001d \(2026-10-01\)  c00001e \(2026-10-01\)  -[23].* %  \[.*\]  30 \+ 10\z/,
                 lines.find { |line| line.start_with?("c00001d") })
  end

  test "nothing is wider than the terminal: the newest points are shown" do
    wide = screen(SampleHistory.steps([200, 0.1], [20, 0.05]))

    assert_operator wide.lines.map { |line| line.chomp.length }.max, :<=, 80
    assert_includes wide, "^"
    assert_operator wide.lines.grep(/ \|/).join.count("o"), :<, 80
  end

  test "points without figures are named with their reason" do
    assert_includes screen([0.1, nil]), %(run 0001: B, "b", failed: it did not boot)
    assert_said(paragraph(screen([nil]), "Nothing"))
  end
end

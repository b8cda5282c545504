# frozen_string_literal: true

require "test_helper"

class MarksTest < Mohs::TestCase
  # Rows as in the table: the names that `groups` holds, in order, and a baseline below them.
  def marks(names, *groups, outcome: "undecided", rounds: 3)
    letters = groups.zip("a".."z").map { |variants, mark| { mark:, variants: } }
    rows = names.map do |variant|
      group = letters.filter_map { |one| one[:mark] if one[:variants].include?(variant) }.join
      { variant:, state: "measured", baseline: false, verdict: { outcome: },
        group: group.empty? ? nil : group }
    end
    rows << { variant: "base", state: "measured", baseline: true, group: nil }
    [Mohs::Report::Terminal::Marks.new({ rows:, groups: letters, rounds: { closer: rounds } }),
     rows]
  end

  def cells(...) = marks(...).then { |marks, rows| rows.map { |row| marks.cell(row) } }

  def line(...) = marks(...).first.line

  test "a group is a bar, and one that begins below another has its column" do
    names = %w[1 2 3 4 5 6]

    assert_equal ["a", "ab", "ab", " b", "c", "c", ""],
                 cells(names, %w[1 2 3], %w[2 3 4], %w[5 6])
  end

  test "a group with a gap leaves its column to nobody in between" do
    assert_equal ["a", " b", "ab", ""], cells(%w[1 2 3], %w[1 3], %w[2 3])
  end

  test "one short line explains them" do
    assert_equal ["marks", Mohs::Report::Phrase.text("marks")], line(%w[1 2 3], %w[1 2])
  end

  test "where none can be told apart there are none, and what would tell them apart is said" do
    marks, = marks(%w[1 2 3], %w[1 2 3], rounds: 20)

    refute_predicate marks, :any?
    assert_equal ["undecided", "none of the 3 beside the baseline can be told apart here; " \
                               "--rounds 20 would make the intervals half as wide, and for two " \
                               "of them mohs compare is quicker"], marks.line
    assert_operator line(%w[1 2], %w[1 2]).last, :start_with?,
                    "the two beside the baseline can't be told apart here; --rounds"
  end

  test "of those that are known to be equal nothing more is asked" do
    assert_equal ["equal", "the two beside the baseline can't be told apart here"],
                 line(%w[1 2], %w[1 2], outcome: "equivalent")
  end

  test "who has no interval yet is not said to be undecided" do
    assert_equal "marks", line(%w[1 2 3], %w[1 2]).first
  end

  test "without groups nothing is said" do
    marks, = marks(%w[1 2])

    assert_equal [nil, false], [marks.line, marks.any?]
  end
end

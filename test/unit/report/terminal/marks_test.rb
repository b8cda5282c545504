# frozen_string_literal: true

require "test_helper"

class MarksTest < Mohs::TestCase
  def cells(*rows)
    marks = Mohs::Report::Terminal::Marks.new(rows)
    rows.map { |letters| marks.cell(letters) }
  end

  test "a group is a bar, and one that begins below another has its column" do
    assert_equal ["a", "ab", "ab", " b", "c", "c", ""], cells("a", "ab", "ab", "b", "c", "c", "")
  end

  test "a group with a gap leaves its column to nobody in between" do
    assert_equal ["a", " b", "ab", ""], cells("a", "b", "ab", "")
  end

  test "without groups nothing is shown" do
    assert_equal ["", ""], cells("", "")
  end
end

# frozen_string_literal: true

require "test_helper"

class TuneNeighboursTest < Mohs::TestCase
  GRID = [1, 2, 4].product([1, 3, 5, 8])

  def beside(shape, shapes = GRID) = Mohs::Tune::Neighbours.of(shape, shapes)

  test "one step is the next number on either side, whatever the distance" do
    assert_equal [[1, 3], [2, 1], [2, 5], [4, 3]], beside([2, 3])
    assert_equal [[1, 3], [2, 1]], beside([1, 1])
    assert_equal [[2, 8], [4, 5]], beside([4, 8])
    assert_equal [[1, 3], [1, 5]], beside([1, 4])
  end

  test "shapes without numbers are beside none" do
    assert_empty beside([2, nil])
    assert_equal [[2, 3]], beside([1, 3], [[2, nil], [2, 3], [nil, nil]])
    assert_empty beside([1, 1], [])
  end
end

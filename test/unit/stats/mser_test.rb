# frozen_string_literal: true

require "test_helper"

class StatsMserTest < Mohs::TestCase
  include Mohs::Stats

  def setup = @noise = Noise.new(21)

  # Each cut tried, each mean and sum of squares made anew.
  def brute_force(values)
    batches = values.each_slice(5).select { |batch| batch.size == 5 }
    means = batches.map { |batch| batch.sum / 5.0 }
    best = (0..(means.size - 5)).min_by do |cut|
      rest = means[cut..]
      rest.sum { |value| (value - (rest.sum / rest.size))**2 } / (rest.size**2)
    end
    best * 5 if best <= means.size / 2
  end

  test "cuts where trying every cut finds the least error" do
    40.times do |round|
      values = Array.new(50 + (7 * round)) do |i|
        (round % 5 * Math.exp(-i / 20.0)) + (0.2 * @noise.normal)
      end
      expected = brute_force(values)
      expected.nil? ? assert_nil(Mser.cut(values)) : assert_equal(expected, Mser.cut(values))
    end
  end

  test "a slow start is cut, most of the rest kept" do
    cuts = Array.new(40) do
      Mser.cut(Array.new(400) { |i| (i < 60 ? 8.0 : 5.0) + (0.1 * @noise.normal) })
    end
    # Never less; 60 or 65 in three of four.
    assert_operator cuts.compact.min, :>=, 60
    assert_operator cuts.compact.count { |cut| cut <= 65 }, :>=, 20
    assert_operator cuts.count(nil), :<=, 4
  end

  test "a large common level loses no digits" do
    values = Array.new(200) { |i| (i < 40 ? 3.0 : 0.0) + (0.1 * @noise.normal) }
    assert_equal Mser.cut(values), Mser.cut(values.map { |value| value + 1e9 })
  end

  test "what is steady from the start is kept whole" do
    assert_equal 0, Mser.cut([4] * 60)
  end

  test "what changes for good in the second half is not steady" do
    assert_nil Mser.cut(Array.new(300) { |i| i })
    assert_nil Mser.cut(Array.new(300) { |i| (i < 220 ? 9.0 : 1.0) + (0.1 * @noise.normal) })
  end

  test "fewer than fifty observations cannot say" do
    assert_nil Mser.cut([1.0] * 49)
    assert_equal 0, Mser.cut([1.0] * 50)
    assert_nil Mser.cut([])
  end

  # The plain rule (White 1997), of values that are means already.
  def brute_force_single(values)
    best = (0..(values.size - 5)).min_by do |cut|
      rest = values[cut..]
      rest.sum { |value| (value - (rest.sum / rest.size))**2 } / (rest.size**2)
    end
    best if best <= values.size / 2
  end

  test "values that are means of batches already are not put together again" do
    30.times do |round|
      values = Array.new(10 + (3 * round)) do |i|
        500 - (400 * Math.exp(-i / (1.0 + (round % 4)))) + @noise.normal
      end
      expected = brute_force_single(values)
      found = Mser.cut(values, batch: 1)
      expected.nil? ? assert_nil(found) : assert_equal(expected, found)
    end
    assert_nil Mser.cut([1.0] * 9, batch: 1)
    assert_equal 0, Mser.cut([1.0] * 10, batch: 1)
  end
end

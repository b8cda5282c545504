# frozen_string_literal: true

require "test_helper"

class IntervalTest < Mohs::TestCase
  test "an interval around another has all of both, and its own value" do
    ends = [[1.0, 0.8, 1.2], [1.5, 0.9, 1.9], [1.0, nil, nil]]
    one, other, endless = ends.map do |value, low, high|
      Mohs::Stats::Interval.new(value:, low:, high:, count: 3)
    end

    assert_equal [1.0, 0.8, 1.9, 3], one.around(other).to_a
    assert_equal [one, one, endless], [one.around(nil), one.around(endless), endless.around(one)]
  end
end

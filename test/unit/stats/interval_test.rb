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

  test "a bound has no high end, so it excludes only what is less" do
    one = Mohs::Stats::Interval.new(value: 1.0, low: 0.8, high: 1.2, count: 3)
    bound = one.bound

    assert_equal [1.0, 0.8, nil, 3], bound.to_a
    outside = [one, bound].map { |all| [0.7, 0.8, 1.2, 1.3].map { |other| all.excludes?(other) } }
    assert_equal [[true, false, false, true], [true, false, false, false]], outside
    refute Mohs::Stats::Interval.new(value: 1.0, count: 2).excludes?(9)
    assert_equal [bound, bound], [bound.around(one), one.around(bound)]
    log = Mohs::Stats::Interval.new(value: 0.0, low: -0.01, high: 0.01, count: 3)
    equal = [log, log.bound].map { |own| Mohs::Stats::Interval.equal?(own, total: nil, margin: 0.03) }
    assert_equal [true, false], equal
  end
end

# frozen_string_literal: true

require "test_helper"

# One figure over cohorts: what moved, and how certain that is.
class ExplanationFigureTest < Mohs::TestCase
  Explanation = Mohs::Analysis::Explanation

  # pairs: the value of A and B in each cohort.
  def figure(*pairs, step: 0, name: :gc_time_ns)
    sides = pairs.map do |pair|
      pair.map { |value| [Explanation::Costs::Amount.new(value:, step:)] }
    end
    Explanation::Figure.new(name, sides)
  end

  test "a host that slows both alike hides nothing" do
    one = figure([100.0, 700.0], [200.0, 1390.0], [150.0, 1060.0])
    low, high = one.interval(0.05)

    assert_in_delta 7.0, one.ratio, 0.05
    assert_in_delta one.b - one.a, one.change, 1e-9
    assert_operator one.p, :<, 1e-4
    assert_operator low, :>, one.change * 0.95
    assert_operator high, :<, one.change * 1.05
  end

  test "the other way round it is the inverse, as certain" do
    there, back = figure([10.0, 31.0], [11.0, 30.0], [9.0, 29.0]),
                  figure([31.0, 10.0], [30.0, 11.0], [29.0, 9.0])

    assert_in_delta there.p, back.p, 1e-12
    assert_in_delta 1, there.ratio * back.ratio, 1e-12
    assert_operator back.interval(0.05).last, :<, 0
  end

  test "counts, and what may be nothing, are compared by their differences" do
    interval = Mohs::Stats::Interval.of([5.0, 5.2, 4.9])
    nothing = figure([0.0, 5.0], [0.0, 5.2], [0.0, 4.9])
    count = figure([1.0, 6.0], [2.0, 7.2], [3.0, 7.9], name: :allocated_objects)

    assert_nil nothing.ratio
    assert_in_delta 21.1 / 6, count.ratio, 1e-9
    [nothing, count].each do |one|
      assert_in_delta 15.1 / 3, one.change, 1e-9
      assert_in_delta interval.low, one.interval(0.05).first, 1e-9
      assert_in_delta interval.high, one.interval(0.05).last, 1e-9
    end
  end

  # Three cohorts that agree to the digit would be certain.
  test "a difference is no more certain than its steps allow" do
    [[10.0, 11.0], [0.0, 1.0]].each do |pair|
      sure, coarse = [0, 1].map { |step| figure(pair, pair, pair, step:) }

      assert_operator sure.p, :<, 1e-9
      assert_operator coarse.p, :>, 0.05
      assert_operator coarse.interval(0.05).first, :<, 0
    end
  end

  test "two cohorts have no test" do
    one = figure([1.0, 2.0], [1.0, 2.1])

    assert_nil one.p
    assert_nil one.interval(0.05)
    assert_in_delta Math.sqrt(4.2) - 1, one.change, 1e-12
  end

  test "differences of parts are shares of a whole, cohort by cohort" do
    assert_equal [0.5, 0.25], figure([1.0, 2.0], [1.0, 2.0]).differences([2.0, 4.0])
  end
end

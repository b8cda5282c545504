# frozen_string_literal: true

require "test_helper"

class StatsEValueTest < Mohs::TestCase
  EValue = Mohs::Stats::EValue
  StudentT = Mohs::Stats::StudentT

  # The method's formula as it stands there.
  def formula(n, t, g)
    v = n - 1
    ((1 + (n * g))**-0.5) *
      (((1 + (t * t / v)) / (1 + (t * t / (v * (1.0 + (n * g))))))**(n / 2.0))
  end

  # Two or more values whose t statistic is t.
  def with_t(n, t)
    noise = Noise.new(n)
    raw = Array.new(n) { noise.normal }
    centred = raw.map { |x| x - Mohs::Stats::Center.mean(raw) }
    shift = t * Mohs::Stats::Spread.sd(centred) / Math.sqrt(n)
    centred.map { |x| x + shift }
  end

  test "the formula of the method" do
    [[3, 0.0], [3, 2.5], [8, -4.0], [25, 1.0]].product([10, 1]).each do |(n, t), g|
      expected = formula(n, t, g)
      assert_in_delta expected, EValue.of(with_t(n, t), g:), 1e-9 * expected
    end
  end

  test "its mean is 1 where there is no difference" do
    # Simpson's rule over t = tan(u), with Student's density.
    [3, 6, 20].each do |n|
      steps = 4000
      width = Math::PI / steps
      sum = (1...steps).sum do |i|
        t = Math.tan((-Math::PI / 2) + (i * width))
        (i.odd? ? 4 : 2) * formula(n, t, 10) * StudentT.density(t, n - 1) * (1 + (t * t))
      end
      assert_in_delta 1, sum * width / 3, 0.001, n
    end
  end

  test "rarely reaches 20 where there is no difference, however often one looks" do
    noise = Noise.new(12)
    reached = 500.times.count do
      values = []
      60.times.any? { EValue.of(values << noise.normal) >= 20 }
    end
    assert_operator reached, :<=, 25 # a twentieth of them
  end

  test "grows where there is one" do
    values = Array.new(12) { |i| 0.02 + (0.001 * (i % 3)) }
    growing = (2..12).map { |count| EValue.of(values.first(count)) }
    assert_equal growing.sort, growing
    assert_operator growing.last, :>, 1e6
  end

  test "unit and sign do not matter" do
    values = [0.01, 0.03, -0.005, 0.02]
    [-1, 250].each do |factor|
      assert_in_delta EValue.of(values), EValue.of(values.map { |x| factor * x }), 1e-9
    end
  end

  test "says nothing from nothing, and much from cohorts that agree to the bit" do
    assert_equal 1.0, EValue.of([])
    assert_in_delta 1, EValue.of([0.3]), 1e-12
    assert_equal 1.0, EValue.of([0.0, 0.0])
    assert_in_delta 41, EValue.of([0.1] * 4, g: 10)**(2 / 3.0), 1e-6 # (1 + ng)^((n - 1) / 2)
  end
end

# frozen_string_literal: true

require "test_helper"

class StatsTwoWayTest < Mohs::TestCase
  include Mohs::Stats

  NAMES = %w[a b c d].freeze
  EFFECTS = { "a" => 0.0, "b" => 0.02, "c" => -0.05, "d" => 0.01 }.freeze

  def setup
    @noise = Noise.new(6)
    @random = Random.new(6)
  end

  def cohort(sd: 0.005, names: NAMES)
    level = @noise.normal
    names.to_h { |name| [name, level + EFFECTS[name] + (sd * @noise.normal)] }
  end

  # The ends of the interval by Student's t, and its value.
  def interval(model, one, other)
    half = StudentT.upper_quantile(0.025, model.df) * model.error(one, other)
    value = model.value(one, other)
    [value - half, value, value + half]
  end

  test "complete: differences of means, and the classical sums of squares" do
    cohorts = Array.new(6) { cohort }
    model = TwoWay.new(cohorts)
    means = NAMES.to_h { |name| [name, Center.mean(cohorts.map { |one| one[name] })] }
    all = Center.mean(means.values)
    squares = cohorts.sum do |one|
      NAMES.sum { |name| (one[name] - Center.mean(one.values) - means[name] + all)**2 }
    end
    assert_equal 15, model.df
    assert_in_epsilon squares / 15, model.variance, 1e-9
    NAMES.permutation(2) do |one, other|
      assert_in_delta means[other] - means[one], model.value(one, other), 1e-12
      assert_in_epsilon Math.sqrt(2 * squares / 15 / 6), model.error(one, other), 1e-9
    end
  end

  test "two variants: the paired t interval" do
    cohorts = Array.new(5) { cohort(names: %w[a b]) }
    paired = Interval.of(cohorts.map { |one| one["b"] - one["a"] })
    low, _, high = interval(TwoWay.new(cohorts), "a", "b")
    assert_in_delta paired.low, low, 1e-12
    assert_in_delta paired.high, high, 1e-12
  end

  # Unknown cohorts and variants together, the last variant fixed at 0, by exact elimination.
  def least_squares(cohorts)
    cells = cohorts.each_with_index.flat_map do |one, j|
      one.map { |name, value| [j, NAMES.index(name), value.to_r] }
    end
    rows = cells.map do |j, variant, value|
      [*Array.new(cohorts.size) { |i| i == j ? 1r : 0r },
       *Array.new(3) { |i| i == variant ? 1r : 0r }, value]
    end
    size = cohorts.size + 3
    normal = Array.new(size) { |i| Array.new(size + 1) { |k| rows.sum { |row| row[i] * row[k] } } }
    [*eliminate(normal).last(3).map(&:to_f), 0.0]
  end

  def eliminate(matrix)
    matrix.each_index do |i|
      pivot = (i...matrix.size).find { |row| matrix[row][i] != 0 }
      matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
      matrix[i] = matrix[i].map { |value| value / matrix[i][i] }
      matrix.each_index do |row|
        next if row == i

        share = matrix[row][i]
        matrix[row] = matrix[row].zip(matrix[i]).map { |value, other| value - (share * other) }
      end
    end
    matrix.map(&:last)
  end

  test "cells missing: exact least squares with cohorts as unknowns" do
    20.times do
      cohorts = Array.new(5) { cohort.reject { @random.rand < 0.3 } }
      cohorts += [cohort, {}, { "a" => nil }]
      exact = least_squares(cohorts.map(&:compact).reject(&:empty?))
      model = TwoWay.new(cohorts)
      NAMES.combination(2) do |one, other|
        expected = exact[NAMES.index(other)] - exact[NAMES.index(one)]
        assert_in_delta expected, model.value(one, other), 1e-9
      end
    end
  end

  test "what all variants of a cohort share changes nothing" do
    cohorts = Array.new(4) { cohort.reject { @random.rand < 0.2 } } << cohort
    moved = cohorts.map { |one| one.transform_values { |value| value + 3 } }
    moved[0] = cohorts[0].transform_values { |value| value - 80 }
    found, after = [cohorts, moved].map { |given| interval(TwoWay.new(given), "b", "c") }
    found.zip(after) { |one, other| assert_in_delta one, other, 1e-9 }
  end

  test "exchanging two variants negates their difference" do
    model = TwoWay.new(Array.new(3) { cohort })
    there = interval(model, "b", "d")
    back = interval(model, "d", "b")
    there.zip(back.reverse) { |one, other| assert_in_delta one, -other, 1e-12 }
  end

  test "intervals cover the truth as often as they say, cells missing or not" do
    [0.0, 0.25].each do |missing|
      inside = 600.times.count do
        cohorts = Array.new(4) { cohort.reject { @random.rand < missing } } << cohort
        low, _, high = interval(TwoWay.new(cohorts), "b", "c")
        -0.07.between?(low, high)
      end
      # 95 % of 600 with four standard errors (5.3).
      assert_includes 548..592, inside, "missing #{missing}"
    end
  end

  test "what no chain of cohorts joins cannot be compared; what one does, can" do
    apart = [cohort(names: %w[a b]), cohort(names: %w[c d])] * 2
    model = TwoWay.new(apart)
    assert_nil model.value("a", "c")
    refute_nil model.value("c", "d")
    assert_equal 2, model.df
    chained = TwoWay.new(apart + [cohort(names: %w[b c])])
    assert_in_delta(-0.05, chained.value("a", "c"), 0.05)
    assert_nil chained.value("a", "never measured")
  end

  test "one cohort, or none: differences without an error" do
    model = TwoWay.new([{ "a" => 1.0, "b" => 1.5 }])
    assert_in_delta 0.5, model.value("a", "b"), 1e-12
    assert_equal [0, nil, nil], [model.df, model.variance, model.error("a", "b")]
    assert_nil TwoWay.new([]).value("a", "b")
  end

  test "residuals are by variant, add up to nothing, and show who is jumpy" do
    cohorts = Array.new(12) { cohort.merge("d" => @noise.normal) }
    residuals = TwoWay.new(cohorts.map.with_index { |one, i| one.merge("a" => one["a"] + i) })
      .residuals
    assert_equal NAMES, residuals.keys
    residuals.each_value { |values| assert_in_delta 0, values.sum, 1e-9 }
    calm = TwoWay.new(Array.new(12) { cohort }).residuals
    jumpy = TwoWay.new(Array.new(12) { cohort.merge("d" => @noise.normal) }).residuals
    assert_operator Bartlett.p(jumpy.values), :<, 0.01
    assert_operator Bartlett.p(calm.values), :>, 0.01
  end
end

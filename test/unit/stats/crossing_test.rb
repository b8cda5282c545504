# frozen_string_literal: true

require "test_helper"
require_relative "../../../rakelib/support/crossing"

class StatsCrossingTest < Mohs::TestCase
  StudentT = Mohs::Stats::StudentT

  # How many of so many series of pure noise find something at one of the looks.
  def simulated(nominal, looks, count, seed)
    noise = Noise.new(seed)
    bounds = looks.to_h { |n| [n, StudentT.upper_quantile(nominal / 2, n - 1)] }
    found = count.times.count do
      values = Array.new(looks.last) { noise.normal }
      looks.any? { |n| t_of(values.first(n)).abs > bounds[n] }
    end
    found.fdiv(count)
  end

  def t_of(values)
    Math.sqrt(values.size) * Mohs::Stats::Center.mean(values) / Mohs::Stats::Spread.sd(values)
  end

  test "one look is wrong with its own level" do
    [[0.05, 2], [0.008, 3], [0.2, 30]].each do |level, n|
      assert_in_delta level, Crossing.chance(level, [n]), 1e-12
      assert_in_delta level, Crossing.level(level, [n]), 1e-12
    end
  end

  test "Pocock's constants for a known sd, where there are many values" do
    # Nominal levels of 2 and 5 looks at 5 % (Pocock, Biometrika 64, 1977, table 1).
    assert_in_delta 0.05, Crossing.chance(0.0294, [60, 120]), 0.0005
    assert_in_delta 0.05, Crossing.chance(0.0158, [20, 40, 60, 80, 100]), 0.001
  end

  test "what simulation finds, for few values as well" do
    [[0.05, [2, 3]], [0.03, [3, 4, 6]], [0.02, [4, 9, 12]], [0.1, [2, 5]]].each do |nominal, looks|
      expected = Crossing.chance(nominal, looks)
      error = Math.sqrt(expected / 6000)
      assert_in_delta expected, simulated(nominal, looks, 6000, 17), 3.5 * error, looks.inspect
    end
  end

  test "two looks at two and three values, by integrating over the sphere" do
    # The direction of three normal values is uniform on the sphere: count a lattice of it
    # (Fibonacci's, of which every point stands for the same area).
    edge = [2, 3].to_h { |n| [n, StudentT.upper_quantile(0.05, n - 1)] }
    points = 20_000
    found = (0...points).count do |i|
      height = 1 - (((2 * i) + 1.0) / points)
      angle = 2.399963229728653 * i
      radius = Math.sqrt(1 - (height**2))
      values = [radius * Math.cos(angle), radius * Math.sin(angle), height]
      [2, 3].any? { |n| t_of(values.first(n)).abs > edge[n] }
    end
    assert_in_delta found.fdiv(points), Crossing.chance(0.1, [2, 3]), 0.001
  end

  test "more looks, or a higher level, find more, but never more than all together" do
    levels = [0.001, 0.01, 0.05]
    few, many = [[3, 6], [3, 4, 5, 6]].map do |looks|
      levels.map { |nominal| Crossing.chance(nominal, looks) }
    end
    levels.each_with_index do |nominal, i|
      assert_operator nominal, :<, few[i]
      assert_operator few[i], :<, many[i]
      assert_operator many[i], :<, 4 * nominal
    end
    assert_equal many.sort, many
  end

  test "the level is the one that gives the chance" do
    [[0.05, [3, 4, 5]], [0.0005, [5, 6]], [0.3, [3, 5, 8]]].each do |alpha, looks|
      level = Crossing.level(alpha, looks)
      assert_in_delta alpha, Crossing.chance(level, looks), 1e-4 * alpha
    end
  end

  test "looks that are rarely wrong together share the chance" do
    # At 2 values t must be beyond 1000, at 6 beyond 9.
    assert_in_delta 0.00025, Crossing.level(0.0005, [2, 6]), 5e-7
  end

  test "a finer grid changes little" do
    looks = [3, 4, 6, 9]
    [0.05, 0.008, 0.0003].each do |nominal|
      coarse, fine = [80, 240].map { |grid| Crossing.chance(nominal, looks, grid:) }
      assert_in_delta fine, coarse, 0.005 * fine
    end
  end
end

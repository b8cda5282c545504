# frozen_string_literal: true

require "test_helper"

class StatsGrubbsTest < Mohs::TestCase
  Grubbs = Mohs::Stats::Grubbs

  # ISO 5725-2, table 5 (one outlying observation): critical values at 1 % and 5 %.
  TABLE = { 3 => [1.155, 1.155], 4 => [1.496, 1.481], 5 => [1.764, 1.715], 6 => [1.973, 1.887],
            8 => [2.274, 2.126], 10 => [2.482, 2.290], 20 => [3.001, 2.709] }.freeze

  # So many values of mean 0 and standard deviation 1 whose farthest is at `distance`.
  def values(count, distance)
    rest = -distance / (count - 1)
    left = (count - 1) - (distance**2) - ((count - 1) * (rest**2))
    apart = Math.sqrt([left, 0].max / 2)
    [distance, rest - apart, rest + apart, *[rest] * (count - 3)]
  end

  test "its p is that of the published tables" do
    TABLE.except(3).each do |count, critical|
      critical.zip([0.01, 0.05]) do |distance, level|
        ends = [-0.002, 0.002].map { |off| Grubbs.p(values(count, distance + off)) }

        assert level.between?(*ends.minmax), "#{count} at #{level}: #{ends}"
      end
    end
  end

  test "of three values two have to be the same" do
    assert_operator Grubbs.p([1.0, 1.02, 2.0]), :>, 0.01
    assert_operator Grubbs.p([1.0, 1.002, 2.0]), :<, 0.01
    assert_in_delta 0.0, Grubbs.p([1.0, 1.0, 2.0]), 1e-4
  end

  test "what is in proportion has the same p, and the farthest is named on either side" do
    values = [1.0, 2.0, 3.0, 2.5, 9.0]

    assert_in_delta Grubbs.p(values), Grubbs.p(values.map { |one| -7 * one }), 1e-12
    assert_equal [4, 0], [values, [-9.0, 1.0, 2.0]].map { |some| Grubbs.farthest(some) }
  end

  test "of two values nothing is known, and of equal ones none stands apart" do
    assert_equal [nil, 1.0], [[1.0, 9.0], [2.0, 2.0, 2.0]].map { |some| Grubbs.p(some) }
  end

  test "it finds one in about one case of a hundred, however much they vary" do
    noise = Noise.new(3)
    found = Array.new(2000) { Grubbs.p(Array.new(5) { 7 * noise.normal }) < 0.01 }

    assert found.count(true).between?(4, 38), found.count(true)
  end
end

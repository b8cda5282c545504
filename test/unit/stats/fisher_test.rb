# frozen_string_literal: true

require "test_helper"

class StatsFisherTest < Mohs::TestCase
  include Mohs::Stats

  def choose(n, k) = (1..k).reduce(1) { |ways, i| ways * (n - k + i) / i }

  # Every table with these margins, counted with integers.
  def enumerated(a, b, c, d)
    bad = a + c
    ways = ([0, bad - c - d].max..[a + b, bad].min).to_h do |count|
      [count, choose(a + b, count) * choose(c + d, bad - count)]
    end
    ways.values.select { |number| number <= ways.fetch(a) }.sum.fdiv(ways.values.sum)
  end

  test "every table of up to six in a cell, by enumeration" do
    counts = [0, 1, 2, 3, 5, 6]
    counts.product(counts, counts, counts) do |table|
      assert_in_epsilon enumerated(*table), Fisher.p(*table), 1e-9, table.inspect
    end
  end

  test "large and lopsided tables, by enumeration" do
    [
      [0, 500, 9, 300], [40, 960, 70, 2930], [133, 1, 130, 7], [3, 4000, 0, 4000],
      [100, 150, 150, 100], [400, 1, 1, 400], [17, 3000, 18, 3100],
    ].each do |table|
      assert_in_epsilon enumerated(*table), Fisher.p(*table), 1e-8, table.inspect
    end
  end

  test "exchanging rows or columns changes nothing" do
    random = Random.new(4)
    100.times do
      a, b, c, d = Array.new(4) { random.rand(0..300) }
      p = Fisher.p(a, b, c, d)
      [[c, d, a, b], [b, a, d, c], [a, c, b, d]].each do |other|
        assert_in_epsilon p, Fisher.p(*other), 1e-8
      end
    end
  end

  test "an empty row or column says nothing" do
    [[0, 0, 3, 4], [3, 4, 0, 0], [0, 5, 0, 7], [5, 0, 7, 0], [0, 0, 0, 0]].each do |table|
      assert_in_delta 1.0, Fisher.p(*table), 0
    end
  end

  test "millions of answers: what the normal distribution says" do
    a, b, n = [100_000, 101_000, 1_000_000]
    pooled = (a + b) / (2.0 * n)
    z = (b - a - 1) / Math.sqrt(2 * n * pooled * (1 - pooled)) # less 1: continuity
    assert_in_epsilon 2 * Normal.upper(z), Fisher.p(a, n - a, b, n - b), 0.01
    assert_operator Fisher.p(0, 5_000_000, 5_000_000, 0), :<, 1e-300
    assert_in_delta 1.0, Fisher.p(1_000_000, n, 1_000_000, n), 1e-9
  end

  test "the likeliest of tables is chance, and so is one as likely" do
    [10, 1001, 50_000_001].each do |n|
      half = n / 2
      tables = [[half, half, half, half], [half + 1, half, half, half + 1],
                [half, half + 1, half + 1, half]]
      tables.each { |table| assert_equal 1.0, Fisher.p(*table), table.inspect }
    end
  end

  test "beside the likeliest table of a hundred million nothing is told apart" do
    half = 50_000_000
    [0, 1, 2].each do |more|
      p = Fisher.p(half + more, half - more, half - more, half + more)
      assert_in_delta 1.0, p, 1e-3, more.to_s
    end
  end
end

# frozen_string_literal: true

require "test_helper"
require_relative "../../../../rakelib/support/crossing"

class StatsSequentialLevelsTest < Mohs::TestCase
  Levels = Mohs::Stats::Sequential::Levels
  StudentT = Mohs::Stats::StudentT

  def level(alpha) = Levels.two_sided(alpha, Levels::LOOKS)

  test "the method's levels, which were found by simulation" do
    { 1 => 0.008, 2 => 0.0037, 3 => 0.0024, 4 => 0.0017, 5 => 0.0013, 7 => 0.00094,
      23 => 0.00026 }.each do |comparisons, nominal|
      assert_in_delta nominal, level(0.05 / comparisons), 0.03 * nominal, comparisons
    end
    assert_in_delta 0.0077, Crossing.level(0.05, (3..20).to_a), 0.0002
    assert_in_delta 0.0087, Levels.one_sided(0.05, Levels::LOOKS), 0.0004
  end

  test "the entries lie on a smooth curve: a digit that is wrong would be a bend" do
    slopes = Levels::TABLE.each_cons(2).map do |(few, loose), (many, strict)|
      Math.log(loose / strict) / Math.log(many.fdiv(few))
    end
    slopes.each { |slope| assert_includes 1.03..1.18, slope }
    slopes.each_cons(2) { |one, next_one| assert_in_delta one, next_one, 0.045 }
  end

  test "each level lies between those of its neighbours: none is the entry of another count" do
    [0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 23, 30, 45, 66, 100, 200]
      .each_cons(3) do |counts|
        few, wanted, many = counts.map { |count| Math.log(level(0.05 / count)) }
        share = Math.log(counts[1].fdiv(counts[0])) / Math.log(counts[2].fdiv(counts[0]))
        assert_in_delta few + (share * (many - few)), wanted, 0.012, counts[1]
      end
  end

  test "the table of a look after each round is smooth too, and stricter" do
    table = Levels::EACH_TABLE
    slopes = table.each_cons(2).map do |(few, loose), (many, strict)|
      Math.log(loose / strict) / Math.log(many.fdiv(few))
    end
    slopes.each { |slope| assert_includes 1.01..1.21, slope }
    slopes.each_cons(2) { |one, next_one| assert_in_delta one, next_one, 0.045 }
    shares = table.map { |comparisons, nominal| nominal * comparisons }
    assert_equal shares.uniq.sort.reverse, shares
    [0.5, 1, 2.5, 10, 100].each do |count|
      assert_operator table[count], :<, level(0.05 / count), count
    end
  end

  test "its entries, and the levels between and beyond them, are on the safe side" do
    { 0.5 => 0.99..1.002, 1 => 0.99..1.002, 70 => 0.99..1.01, 0.7 => 0.85..1.0, 276 => 0.85..1.0,
      1101 => 0.45..0.6 }.each do |comparisons, share|
      alpha = 0.05 / comparisons
      chance = Crossing.chance(Levels.two_sided(alpha, Levels::EACH), Levels::EACH)
      assert_includes share, chance / alpha, comparisons
    end
  end

  test "entries of the table are what is computed" do
    [0.5, 1, 7, 200].each do |comparisons|
      wanted = 0.05 / comparisons
      chance = Crossing.chance(Levels::TABLE.fetch(comparisons), Levels::LOOKS)
      assert_in_delta wanted, chance, 0.01 * wanted, comparisons
    end
  end

  test "the level grows faster than alpha, so that between entries it is on the safe side" do
    shares = Levels::TABLE.map { |comparisons, nominal| nominal * comparisons }
    assert_equal shares.uniq.sort.reverse, shares
    [0.7, 9, 150].each do |comparisons|
      alpha = 0.05 / comparisons
      chance = Crossing.chance(level(alpha), Levels::LOOKS)
      assert_includes (0.87 * alpha)..(1.002 * alpha), chance, comparisons
    end
  end

  test "levels never grow with the comparisons" do
    levels = (1..200).map { |comparisons| level(0.05 / comparisons) }
    assert_equal levels.sort.reverse, levels
  end

  test "beyond the table alpha is shared among the looks, which is a little too strict" do
    [201, 400].each do |comparisons|
      alpha = 0.05 / comparisons
      chance = Crossing.chance(level(alpha), Levels::LOOKS)
      assert_includes (0.84 * alpha)..(0.9 * alpha), chance, comparisons
    end
  end

  test "other looks and looser tests are a mistake of the caller" do
    assert_raises(ArgumentError) { Levels.two_sided(0.05, [4, 8]) }
    assert_raises(ArgumentError) { level(0.2) }
  end

  test "simulated series of pure noise are wrong that often, on both sides and on one" do
    tails = { 0.05 => level(0.05) / 2, 0.025 => level(0.025) / 2,
              one: Levels.one_sided(0.05, Levels::LOOKS) }
    bounds = tails.transform_values do |tail|
      Levels::LOOKS.map { |n| StudentT.upper_quantile(tail, n - 1) }
    end
    paths = simulated_paths(8000)
    { 0.05 => 0.05, 0.025 => 0.025, one: 0.05 }.each do |name, alpha|
      wrong = paths.count do |ts|
        ts = ts.map(&:abs) unless name == :one
        ts.zip(bounds[name]).any? { |t, bound| t > bound }
      end
      assert_in_delta alpha * 8000, wrong, 3.5 * Math.sqrt(alpha * 8000), name
    end
  end

  # The t statistic of each at all looks, by running sums.
  def simulated_paths(count)
    noise = Noise.new(23)
    Array.new(count) do
      n = sum = squares = 0
      Levels::LOOKS.map do |look|
        (look - n).times { noise.normal.then { |x| sum, squares = sum + x, squares + (x * x) } }
        n = look
        sum / Math.sqrt(n * (squares - (sum * sum / n)) / (n - 1))
      end
    end
  end
end

# frozen_string_literal: true

require "test_helper"

# Tests and models against R's (test/fixtures/stats/golden.R).
class StatsGoldenModelsTest < Mohs::TestCase
  include Mohs::Stats
  include Golden

  test "incomplete gamma function and chi-square" do
    each_row("gamma_upper", "a", "x", "q", relative: 1e-10) { |a, x| Gamma.upper(a, x) }
    each_row("chi_square", "x", "df", "p", relative: 1e-10) { |x, df| ChiSquare.upper(x, df) }
  end

  test "Fisher's exact test" do
    # Logarithms of factorials of millions keep eight digits.
    each_row("fisher", "a", "b", "c", "d", "p", relative: 2e-8) { |*table| Fisher.p(*table) }
  end

  test "Bartlett's test" do
    table = golden("bartlett")
    groups = table.values_at("one", "two", "three")
    assert_all_golden table["p"], [Bartlett.p(groups), Bartlett.p(groups.values_at(0, 2))]
  end

  test "two-way model, complete and with cells missing" do
    %w[two_way two_way_missing].each do |name|
      table = golden(name)
      model = TwoWay.new(cohorts(table))
      assert_equal table["df"], [model.df]
      assert_golden table["variance"][0], model.variance
      assert_all_golden table["to_first"], [2, 3, 4].map { |v| model.value(1, v) }
      assert_all_golden table["errors"], [2, 3, 4].map { |v| model.error(1, v) }
      assert_golden table["two_to_four_error"][0], model.error(2, 4)
      assert_golden table["two_to_four"][0], model.value(2, 4)
    end
  end

  def cohorts(table)
    cells = table.values_at("cohort", "variant", "y").transpose.group_by(&:first)
    cells.values.map { |members| members.to_h { |_, variant, y| [variant, y] } }
  end

  test "MSER-5" do
    table = golden("mser")
    assert_equal table["cut"], [Mser.cut(table["x"])]
  end

  test "energy of the best split, and the t test of a split" do
    table = golden("energy")
    split, score = Energy.new(table["x"]).best(fewest: 3)
    assert_equal table["split"], [split]
    assert_golden table["q"][0], score
    assert_golden table["t_p"][0], Otava.call(table["x"]).first.p
  end
end

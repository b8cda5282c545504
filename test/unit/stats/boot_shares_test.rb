# frozen_string_literal: true

require "test_helper"

class BootSharesTest < Mohs::TestCase
  BootShares = Mohs::Stats::BootShares

  # R: t.test(c(.004, .006, .003), c(.009, .012, .010, .011)), Welch's.
  test "it is Welch's t test of the shares" do
    one = [40, 60, 30].map { |failed| [failed, 10_000] }
    other = [90, 120, 100, 110].map { |failed| [failed, 10_000] }

    assert_in_delta 0.00500833115, BootShares.p(one, other), 1e-9
    assert_in_delta BootShares.p(one, other), BootShares.p(other, one), 1e-12
  end

  test "boots that agree by chance have the spread of independent failures" do
    none, few, many = [0, 1, 40].map { |failed| [[failed, 1000]] * 3 }

    assert_operator BootShares.p(none, few), :>, 0.05
    assert_operator BootShares.p(none, many), :<, 1e-3
    assert_equal 1.0, BootShares.p(few, few)
  end

  test "two boots of each are the fewest, and those that were sent nothing are none" do
    two = [[1, 100], [2, 100]]

    assert_nil BootShares.p(two, [[9, 100]])
    assert_nil BootShares.p(two, [[9, 100], [0, 0]])
    assert_kind_of Float, BootShares.p(two, two)
  end

  # Knuth's way to a Poisson number.
  def poisson(mean, random)
    limit, product, count = Math.exp(-mean), random.rand, 0
    until product < limit
      product *= random.rand
      count += 1
    end
    count
  end

  test "two that fail alike in bursts are called different in 1 % of runs, but for chance" do
    random = Random.new(23)
    runs = 300
    { 3 => 0.5, 6 => 0.5, 12 => 3 }.each do |boots, bursts|
      wrong = Array.new(runs) do
        sides = Array.new(2) { Array.new(boots) { [8 * poisson(bursts, random), 5000] } }
        BootShares.p(*sides) < 0.01
      end

      assert_operator wrong.count(true), :<=, (0.01 * runs) + (3 * Math.sqrt(0.0099 * runs)), boots
    end
  end
end

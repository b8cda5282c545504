# frozen_string_literal: true

require "test_helper"

class StatsCostOptimalTest < Mohs::TestCase
  CostOptimal = Mohs::Stats::CostOptimal

  def blocks(**changed)
    CostOptimal.blocks(boot_cost: 1.1, block_cost: 0.1, within_sd: 1.0, between_sd: 0.4, **changed)
  end

  # Variance of the mean of as many cohorts as fit into one second.
  def cost(blocks, boot_cost, block_cost, within, between)
    ((between**2) + ((within**2) / blocks)) * (boot_cost + (blocks * block_cost))
  end

  test "the method's two examples" do
    assert_equal 8, blocks
    assert_equal 20, blocks(boot_cost: 1.9, block_cost: 0.16, within_sd: 2.0, between_sd: 0.35)
  end

  test "no other count of blocks is cheaper" do
    [[1.1, 0.1, 1.0, 0.4], [5.0, 0.2, 2.0, 0.5], [0.5, 0.16, 3.0, 1.0], [20.0, 1.0, 1.0, 0.3],
     [3.0, 0.1, 0.5, 2.0]].each do |boot_cost, block_cost, within_sd, between_sd|
      best = (6..60).min_by { |k| cost(k, boot_cost, block_cost, within_sd, between_sd) }
      found = blocks(boot_cost:, block_cost:, within_sd:, between_sd:)
      assert_in_delta best, found, 1
    end
  end

  test "blocks that make up for each other add less than they vary by" do
    noise = Noise.new(5)
    swing = [0.03, -0.03].cycle
    found = Array.new(400) { CostOptimal.within_variance(Array.new(12) { swing.next }) }
    assert_in_delta 0, Mohs::Stats::Center.mean(found), 1e-12

    white = Array.new(4000) { CostOptimal.within_variance(Array.new(10) { noise.normal }) }
    assert_in_delta 1, Mohs::Stats::Center.mean(white), 0.1
  end

  test "between six and sixty" do
    assert_equal 6, blocks(boot_cost: 0.01)
    assert_equal 60, blocks(boot_cost: 500)
    assert_equal 6, blocks(within_sd: 0.0)
    assert_equal 60, blocks(between_sd: 0.0)
    assert_equal 60, blocks(block_cost: 0)
    assert_equal 60, blocks(within_sd: 0.0, between_sd: 0.0)
  end

  test "what boots add is what blocks do not explain" do
    assert_in_delta 0.4, CostOptimal.between(sd: Math.sqrt(0.16 + 0.44), within_sd: 2.0, blocks: 10)
    assert_equal 0.0, CostOptimal.between(sd: 0.2, within_sd: 1.0, blocks: 10)
  end

  test "a trimmed mean of ten has 1.1 times the variance of the mean" do
    noise = Noise.new(3)
    means = Array.new(4000) { Mohs::Stats::Center.trimmed_mean(Array.new(10) { noise.normal }) }
    assert_in_delta 1.1, 10 * Mohs::Stats::Spread.variance(means), 0.08
  end
end

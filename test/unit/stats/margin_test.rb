# frozen_string_literal: true

require "test_helper"

class StatsMarginTest < Mohs::TestCase
  Margin = Mohs::Stats::Margin

  test "a margin is the same on either side of no difference" do
    low, high = Margin.ratios(0.5)

    assert_in_delta 1.5, high
    assert_in_delta 2 / 3.0, low
    assert_equal [-Margin.log(0.5), Margin.log(0.5)].map { |log| log.round(12) },
                 [low, high].map { |ratio| Math.log(ratio).round(12) }
  end
end

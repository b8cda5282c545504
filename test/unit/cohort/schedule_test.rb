# frozen_string_literal: true

require "test_helper"

class ScheduleTest < Mohs::TestCase
  ORDERS = [%w[a b c], %w[c a b]].freeze

  test "a slice holds a hundred requests of the slowest" do
    assert_equal 200_000_000, schedule({ "a" => 5000.0, "b" => 500.0 }).slice_ns
  end

  test "a slice is never shorter than 40 ms nor longer than 500" do
    assert_equal 40_000_000, schedule({ "a" => 50_000.0 }).slice_ns
    assert_equal 500_000_000, schedule({ "a" => 20.0 }).slice_ns
  end

  test "every block is an order and its mirror" do
    blocks = schedule({ "a" => 500.0, "b" => 500.0, "c" => 500.0 }).blocks

    assert_equal [%w[a b c c b a], %w[c a b b a c], %w[a b c c b a]], blocks.first(3)
  end

  test "the variants get the load that was wanted, in equal parts" do
    subject = schedule({ "a" => 1000.0, "b" => 1000.0, "c" => 1000.0 })
    counts = subject.blocks.flatten.tally
    seconds = counts.transform_values { |count| count * subject.slice_ns / 1e9 }

    assert_equal({ "a" => 2.0, "b" => 2.0, "c" => 2.0 }, seconds)
  end

  test "slow servers get no fewer than six blocks, fast ones no more than thirty" do
    assert_equal 6, schedule({ "a" => 10.0 }).block_count
    assert_equal 25, schedule({ "a" => 90_000.0 }).block_count
    assert_equal 30, schedule({ "a" => 90_000.0 }, measure_s: 60).block_count
  end

  test "who does not serve is left out" do
    assert_equal %w[a c], schedule({ "a" => 1000.0, "c" => 1000.0 }).blocks.flatten.uniq
  end

  private

  def schedule(rates, measure_s: 2)
    Mohs::Cohort::Schedule.new(orders: ORDERS, rates:, measure_s:)
  end
end
